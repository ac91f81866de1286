import { decide } from '../../src/companion/decide.js';
import { recordEviction, withEviction } from '../../src/companion/core/drain/evictions.js';
import type { Row } from '../../src/companion/core/maintenance/table.js';
import type {
  Action,
  Decision,
  DeleteDaemonSet,
  EvictedControllers,
  EvictionOutcome,
  EvictionRecord,
} from '../../src/companion/model/types.js';
import { carryOut, evictionOutcome } from '../../src/forecast/simulation/api.js';
import { snapshotOf } from '../../src/forecast/simulation/cache.js';
import type { SimulatedCluster } from '../../src/forecast/simulation/simulated-cluster.js';
import { advance, copyOf, createCluster, daemonSetOf } from '../kit/idle-cluster.js';
import { createPolicySettings, policyOf, type PolicySettings } from '../kit/policy-settings.js';

/** The state of a scenario: the simulated cluster, the policy in git, and the memory of the companion. */
export interface ScenarioState {
  readonly cluster: SimulatedCluster;
  readonly policy: PolicySettings;
  /** When the policy in git was applied. */
  policyWrittenMs: number;
  readonly evictions: Map<string, EvictionRecord>;
  evicted: EvictedControllers;
  /** UIDs of DaemonSets that a policy listed while the companion carried it out. */
  readonly listed: Set<string>;
  /** By name, DaemonSets whose deletion the API server does not answer, and the request after it was sent. */
  readonly unanswered: Map<string, DeleteDaemonSet | undefined>;
}

export function createState(): ScenarioState {
  const cluster = createCluster();
  return {
    cluster,
    policy: createPolicySettings(),
    policyWrittenMs: cluster.events.now(),
    evictions: new Map(),
    evicted: new Map(),
    listed: new Set(),
    unanswered: new Map(),
  };
}

/** A copy of the state. */
export function copyOfState(state: ScenarioState): ScenarioState {
  const { cluster, policy, policyWrittenMs, evictions, evicted, listed, unanswered } = state;
  return {
    cluster: copyOf(cluster),
    policy: structuredClone(policy),
    policyWrittenMs,
    evictions: new Map(evictions),
    evicted,
    listed: new Set(listed),
    unanswered: new Map(unanswered),
  };
}

/** One decision by the policy of the state. Records the DaemonSets that the policy lists, as a run does. */
export function decideOn(state: ScenarioState, table?: readonly Row[]): Decision {
  const { cluster, policy, policyWrittenMs, evictions, evicted, listed, unanswered } = state;
  for (const name of policy.daemonSets.keys()) {
    const uid = daemonSetOf(cluster, name)?.uid;
    if (uid !== undefined) listed.add(uid);
  }
  const snapshot = { ...snapshotOf(cluster, evictions), evicted, policyWrittenMs, listedBefore: listed };
  const decision = decide(snapshot, policyOf(policy), cluster.events.now(), { ...(table && { table }) });
  // The companion waits for the answer before it sends a request again.
  const isSent = (action: Action) => action.kind === 'deleteDaemonSet' && unanswered.get(action.name) !== undefined;
  return { ...decision, actions: decision.actions.filter((action) => !isSent(action)) };
}

/** Sends an action to the API server; returns its answer to an eviction. Throws an Error when another action fails. */
export function act(state: ScenarioState, action: Action): EvictionOutcome | undefined {
  const { cluster, evictions, unanswered } = state;
  if (action.kind === 'deleteDaemonSet' && unanswered.has(action.name)) {
    unanswered.set(action.name, action);
    return undefined;
  }
  const result = carryOut(cluster, action);
  advance(cluster, 0);
  if (action.kind !== 'evictPod') {
    if (result.status >= 400) throw new Error(`${action.kind}: ${result.status} ${result.message}`);
    return undefined;
  }
  const outcome = evictionOutcome(result);
  if (outcome.kind === 'accepted') {
    const evicted = withEviction(state.evicted.get(action.node) ?? new Map(), action, cluster.events.now());
    state.evicted = new Map(state.evicted).set(action.node, evicted);
  }
  const record = recordEviction(action.uid, evictions.get(action.uid), outcome, cluster.events.now(), () => 0.5);
  if (record === undefined) evictions.delete(action.uid);
  else evictions.set(action.uid, record);
  return outcome;
}
