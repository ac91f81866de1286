import type { Row } from '../../../src/companion/core/maintenance/table.js';
import { MAINTENANCE } from '../../../src/companion/core/maintenance/table.js';
import { runContinues, type WaitKind } from '../../../src/companion/model/wait-kinds.js';
import type { Decision } from '../../../src/companion/model/types.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { advance, changePod, daemonSetNames, isDriverPod } from '../../kit/idle-cluster.js';
import { policyOf } from '../../kit/policy-settings.js';
import { runCommand } from '../../scenario/commands.js';
import { act, copyOfState, createState, decideOn, type ScenarioState } from '../../scenario/state.js';

/** Result of an exploration: the number of states, and those from which the companion alone does not finish. */
interface Exploration {
  readonly states: number;
  readonly stuck: readonly StuckState[];
}

interface StuckState {
  /** What happened: lines of a scenario, `decision` for one decision that was carried out. */
  readonly path: readonly string[];
  readonly fact: string;
}

interface Place {
  readonly state: ScenarioState;
  readonly path: readonly string[];
  readonly eventsLeft: number;
}

const LONGEST_MS = 7 * 24 * 3_600_000;
const MOST_DECISIONS = 500;

/**
 * Explores a small cluster as a graph. An edge is one decision that is carried out, or one event while some of `depth` are left.
 * From every state, the companion alone must finish: its decisions lead to a final state, or else into a cycle, which is stuck. With
 * `most` the search ends after this number of stuck states.
 */
export function explore(
  setup: readonly string[],
  events: readonly string[],
  depth: number,
  table: readonly Row[] = MAINTENANCE,
  most: number = Infinity,
): Exploration {
  const state = createState();
  for (const line of setup) runCommand(state, line);
  const queue: Place[] = [{ state, path: [], eventsLeft: depth }];
  /** By state, the state after the next decision. */
  const seen = new Map<string, { readonly place: Place; readonly next: string | undefined }>();
  const stuck: StuckState[] = [];
  for (let place = queue.pop(); place !== undefined && stuck.length < most; place = queue.pop()) {
    const key = `${place.eventsLeft} ${keyOf(place.state)}`;
    if (seen.has(key)) continue;
    const next = copyOfState(place.state);
    const moves = stepOn(next, table);
    seen.set(key, { place, next: moves ? `${place.eventsLeft} ${keyOf(next)}` : undefined });
    if (moves) queue.push({ ...place, state: next, path: [...place.path, 'decision'] });
    else {
      const fact = endOf(copyOfState(place.state), table);
      if (fact !== undefined) stuck.push({ path: place.path, fact });
    }
    if (place.eventsLeft === 0) continue;
    for (const event of events) {
      const after = copyOfState(place.state);
      runCommand(after, event);
      queue.push({ state: after, path: [...place.path, event], eventsLeft: place.eventsLeft - 1 });
    }
  }
  return { states: seen.size, stuck: [...stuck, ...cyclesIn(seen)] };
}

/** States on a cycle of decisions. */
function cyclesIn(
  seen: ReadonlyMap<string, { readonly place: Place; readonly next: string | undefined }>,
): StuckState[] {
  const terminating = new Set<string>();
  const stuck: StuckState[] = [];
  for (const start of seen.keys()) {
    const chain = new Set<string>();
    let key: string | undefined = start;
    while (key !== undefined && !terminating.has(key) && !chain.has(key)) {
      chain.add(key);
      key = seen.get(key)?.next;
    }
    if (key !== undefined && chain.has(key))
      stuck.push({ path: seen.get(key)?.place.path ?? [], fact: 'it never ends' });
    for (const one of chain) terminating.add(one);
  }
  return stuck;
}

/** Key of a state, without times and versions. */
function keyOf({ cluster, policy }: ScenarioState): string {
  const withoutTimes = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).map(([name, value]) => [
      name,
      /^\d{6,}(\.\d+)?$/.test(value) ? 'time' : value.replace(/ \d+$/, ''),
    ]);
  const nodes = [...cluster.store.nodes.values()].map(({ labels, annotations, unschedulable, ready }) => [
    Object.entries(labels).sort(),
    withoutTimes(annotations).sort(),
    unschedulable,
    ready,
  ]);
  const pods = [...cluster.store.pods.values()].map(({ name, nodeName, ready, labels }) => [
    name,
    nodeName,
    ready,
    labels,
  ]);
  return JSON.stringify([nodes, pods.sort(), [...policy.daemonSets], daemonSetNames(cluster)]);
}

/** One decision and its effects; undefined if nothing is left to be done, now or later. */
function step(state: ScenarioState, table: readonly Row[]): Decision | undefined {
  const { cluster } = state;
  const decision = decideOn(state, table);
  for (const action of decision.actions) act(state, action);
  if (decision.actions.length > 0) {
    advance(cluster, 1000);
    return decision;
  }
  const loading = [...cluster.store.pods.entries()].find(
    ([, pod]) => isDriverPod(pod) && !pod.ready && cluster.store.nodes.get(pod.nodeName)?.ready === 'True',
  );
  if (loading !== undefined) {
    const [key, pod] = loading;
    const containers = pod.containers.map((one) => ({ ...one, ready: true, startedMs: cluster.events.now() }));
    changePod(cluster, key, { ready: true, readyChangedMs: cluster.events.now(), containers });
    advance(cluster, 1000);
    return decision;
  }
  if (decision.wakeMs === undefined || decision.wakeMs > cluster.events.now() + LONGEST_MS) return undefined;
  advance(cluster, Math.max(1, decision.wakeMs - cluster.events.now()));
  return decision;
}

/** Decides until the state changes; false if it never does. */
function stepOn(state: ScenarioState, table: readonly Row[]): boolean {
  const before = keyOf(state);
  for (let decisions = 0; decisions < MOST_DECISIONS; decisions += 1) {
    if (step(state, table) === undefined) return false;
    if (keyOf(state) !== before) return true;
  }
  return false;
}

/** Here each policy has autoUpgrade, so nodes and drivers that wait for each other would be stuck. */
const WAITS_FOR_OTHERS: ReadonlySet<WaitKind> = new Set(['slot', 'topology', 'other-driver']);

/** Lets the companion finish alone: undefined if it does, otherwise what it waits for. */
function endOf(state: ScenarioState, table: readonly Row[]): string | undefined {
  let decisions = 0;
  while (step(state, table) !== undefined) if (++decisions > MOST_DECISIONS) return 'it never ends';
  const { cluster } = state;
  const { waiting } = decideOn(state, table);
  for (const { labelPrefix } of policyOf(state.policy).drivers)
    for (const { name, labels } of cluster.store.nodes.values()) {
      const state = labels[driverKeys(labelPrefix).state] ?? '';
      const wait = waiting.find(({ node, driver }) => node === name && driver === labelPrefix);
      const about = `${labelPrefix}/${name}`;
      if (wait === undefined && state !== '' && state !== 'upgrade-done')
        return `${about} stays ${state} and waits for nothing`;
      if (wait !== undefined && (WAITS_FOR_OTHERS.has(wait.kind) || runContinues(wait.kind, 'cronjob')))
        return `${about} waits for ever (${wait.kind}): ${wait.message}`;
    }
  return undefined;
}
