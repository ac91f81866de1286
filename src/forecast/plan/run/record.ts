import { groupBy } from '../../../shared/lib/group-by.js';
import { recordedFailure } from '../../../shared/contract/legacy-keys.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import type { SimulatedCluster } from '../../simulation/simulated-cluster.js';
import { IN_PROGRESS } from '../../../companion/model/node-states.js';
import { nodeKey } from '../../../companion/model/snapshot.js';
import type { Action, Decision, Waiting } from '../../../companion/model/types.js';
import { drive } from './drive.js';
import { BEGUN_BEFORE, countPodsWithoutNode, eventsOf, waitEvent, type CountAt, type NodeEvent } from './history.js';
import { watchOutages, type Outages } from './outages.js';

type Finding = Decision['findings'][number];

/** What a run did with one node of one driver. */
export interface NodeRecord {
  readonly node: string;
  readonly driver: string;
  /** Name of its policy; absent: the companion never changed its state. */
  policy?: string;
  /** That of a node which is in progress before is the start of the run. */
  beginMs?: number;
  /** It is in progress at the start. Default: false. */
  isBegunBefore?: true;
  endMs?: number;
  failure?: string;
  /** What it waited for last before it began. */
  before?: Waiting;
  /** What it waited for at the end. */
  last?: Waiting;
  /** What it waited for last in its upgrade: if it fails, what it failed in. */
  during?: Waiting;
  readonly evicted: string[];
  /** What happened to it, in order. */
  readonly history: NodeEvent[];
}

/** What happened in one run. */
export interface RunRecord {
  readonly seed: number;
  /** It came to its end before the plan's horizon. */
  readonly isComplete: boolean;
  readonly startMs: number;
  /** When the last node was through, or failed. */
  readonly endMs: number;
  readonly nodes: readonly NodeRecord[];
  /** Each that there was at some time. */
  readonly findings: readonly Finding[];
  /** The last decision. */
  readonly latest: Decision | undefined;
  /** When the canaries soaked: since when, and until when. */
  readonly soaks: readonly { readonly fromMs: number; readonly untilMs: number }[];
  readonly podsWithoutNode: readonly CountAt[];
  /** What the run takes out of service, and ends. */
  readonly outages: Outages;
  readonly cluster: SimulatedCluster;
}

/** Runs the upgrade on a cluster to its end. It yields after each decision. */
export function* recordRun(cluster: SimulatedCluster, schedule: string | undefined): Generator<undefined, RunRecord> {
  const startMs = cluster.policyWrittenMs;
  const nodes = new Map<string, NodeRecord>();
  const begun = begunBefore(cluster);
  const recordOf = (driver: string, node: string): NodeRecord => {
    const key = nodeKey(driver, node);
    const known = nodes.get(key) ?? newRecord(driver, node, startMs, begun.get(key)?.state);
    nodes.set(key, known);
    return known;
  };
  let lastStepMs = startMs;
  const findings = new Map<string, Finding>();
  watchStates(cluster, recordOf, () => (lastStepMs = cluster.events.now()));
  const podsWithoutNode = countPodsWithoutNode(cluster);
  const outages = watchOutages(cluster, new Set([...begun.values()].map(({ node }) => node)));
  const soaks = new Map<number, number>();
  let latest: Decision | undefined;
  const isComplete = yield* drive(cluster, schedule, {
    lastStepMs: () => lastStepMs,
    decided: (decision, nowMs) => {
      latest = decision;
      for (const one of decision.findings) findings.set(`${one.driver} ${one.kind} ${one.node ?? ''}`, one);
      for (const waiting of decision.waiting) {
        noteWait(recordOf(waiting.driver, waiting.node), waiting, nowMs);
        const { kind, untilMs } = waiting;
        if (kind === 'soak' && untilMs !== undefined && !soaks.has(untilMs)) soaks.set(untilMs, nowMs);
      }
    },
    acted: (action, isAccepted, nowMs) => {
      if (isAccepted) noteAction(recordOf, action, nowMs);
    },
  });
  for (const waiting of latest?.waiting ?? []) recordOf(waiting.driver, waiting.node).last = waiting;
  const all = [...nodes.values()].filter(isAffected);
  const ends = all.flatMap(({ endMs }) => endMs ?? []);
  return {
    isComplete,
    seed: cluster.seed,
    startMs,
    endMs: Math.max(startMs, ...ends),
    nodes: all,
    cluster,
    findings: [...findings.values()],
    latest,
    soaks: [...soaks].map(([untilMs, fromMs]) => ({ fromMs, untilMs })),
    podsWithoutNode: podsWithoutNode(),
    outages: outages(),
  };
}

interface BegunNode {
  readonly node: string;
  readonly state: NodeState;
}

/** The nodes that are in progress, by `nodeKey`. */
function begunBefore({ policy, store }: SimulatedCluster): ReadonlyMap<string, BegunNode> {
  const begun = new Map<string, BegunNode>();
  for (const { labelPrefix } of policy.drivers) {
    const { state } = driverKeys(labelPrefix);
    for (const { name, labels } of store.nodes.values())
      if (IN_PROGRESS.has(labels[state] ?? ''))
        begun.set(nodeKey(labelPrefix, name), { node: name, state: labels[state] as NodeState });
  }
  return begun;
}

function newRecord(driver: string, node: string, startMs: number, state: NodeState | undefined): NodeRecord {
  const record: NodeRecord = { node, driver, evicted: [], history: [] };
  if (state === undefined) return record;
  const history = [{ atMs: startMs, state, message: BEGUN_BEFORE }];
  return { ...record, beginMs: startMs, isBegunBefore: true, history };
}

function noteWait(record: NodeRecord, waiting: Waiting, nowMs: number): void {
  if (!IN_PROGRESS.has(waiting.state)) {
    if (record.beginMs === undefined) record.before = waiting;
    return;
  }
  const { during } = record;
  const isKnown = during?.kind === waiting.kind && during.state === waiting.state;
  record.during = waiting;
  if (!isKnown && waiting.kind !== 'cache-sync') record.history.push(waitEvent(waiting, nowMs));
}

function noteAction(recordOf: (driver: string, node: string) => NodeRecord, action: Action, nowMs: number): void {
  if (action.kind === 'deleteDaemonSet' || action.node === '') return;
  if (action.kind === 'patchNode') {
    for (const [driver, steps] of groupBy(action.steps, (step) => step.driver))
      noteEvents(recordOf(driver, action.node), { ...action, steps }, nowMs);
    return;
  }
  noteEvents(recordOf(action.driver, action.node), action, nowMs);
}

function noteEvents(record: NodeRecord, action: Action, nowMs: number): void {
  if (action.kind === 'evictPod') record.evicted.push(`${action.namespace}/${action.name}`);
  const pool = action.kind === 'patchNode' ? action.steps.at(-1)?.pool : undefined;
  if (pool !== undefined) record.policy = pool;
  // A decision says what a node waits for after its patch.
  const waits = record.history.at(-1)?.isWait === true && record.history.at(-1)?.atMs === nowMs;
  const at = record.history.length - (waits && action.kind === 'patchNode' ? 1 : 0);
  record.history.splice(at, 0, ...eventsOf(action, record.history.at(-1)?.state ?? '', nowMs));
}

/** Nodes that only another program or a switched-off policy concerns are not part of the upgrade. */
function isAffected({ beginMs, last, failure }: NodeRecord): boolean {
  return beginMs !== undefined || failure !== undefined || last !== undefined;
}

function watchStates(
  { policy, store, events }: SimulatedCluster,
  recordOf: (driver: string, node: string) => NodeRecord,
  onStep: () => void,
): void {
  const drivers = policy.drivers.map(({ labelPrefix }) => ({ labelPrefix, keys: driverKeys(labelPrefix) }));
  store.nodes.listen((name, before, after) => {
    for (const { labelPrefix, keys } of drivers) {
      const [from = '', to = ''] = [before?.labels[keys.state], after?.labels[keys.state]];
      if (from === to) continue;
      onStep();
      if (to === 'upgrade-required') becomeDue(recordOf(labelPrefix, name));
      if (IN_PROGRESS.has(to) && !IN_PROGRESS.has(from)) begin(recordOf(labelPrefix, name), events.now());
      if (to === 'upgrade-failed') {
        const record = recordOf(labelPrefix, name);
        record.endMs = events.now();
        record.failure = recordedFailure(after?.annotations ?? {}) ?? 'its upgrade failed';
      }
      if (to === 'upgrade-done' && IN_PROGRESS.has(from)) recordOf(labelPrefix, name).endMs = events.now();
    }
  });
}

/** The upgrade that was in progress at the start was an earlier one, and this one is still to begin. */
function becomeDue(record: NodeRecord): void {
  if (record.isBegunBefore !== true) return;
  delete record.isBegunBefore;
  delete record.beginMs;
  delete record.endMs;
}

function begin(record: NodeRecord, nowMs: number): void {
  record.beginMs ??= nowMs;
  delete record.endMs;
  delete record.failure;
}
