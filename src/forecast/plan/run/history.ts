import type { NodeState } from '../../../shared/contract/node-states.js';
import type { SimulatedCluster } from '../../simulation/simulated-cluster.js';
import type { StoredPod } from '../../simulation/store.js';
import type { Action, Waiting } from '../../../companion/model/types.js';
import { blockerText } from '../../../companion/runtime/report/log.js';

/** Something that happened to a node. */
export interface NodeEvent {
  readonly atMs: number;
  /** The state of the node after it. */
  readonly state: NodeState;
  readonly message: string;
  /** It says what the node waits for. Default: false. */
  readonly isWait?: true;
}

/** The first event of a node that is in progress before the run. */
export const BEGUN_BEFORE = 'in progress at the start';

/** The event of an eviction. */
export const evictionText = (pod: string): string => `pod evicted: ${pod}`;

/** A number that changed. */
export interface CountAt {
  readonly atMs: number;
  readonly count: number;
}

/** The events of a patch or an eviction; none for other actions. */
export function eventsOf(action: Action, last: NodeState, atMs: number): readonly NodeEvent[] {
  if (action.kind === 'patchNode') return action.steps.map(({ to, message }) => ({ atMs, state: to, message }));
  if (action.kind === 'evictPod')
    return [{ atMs, state: last, message: evictionText(`${action.namespace}/${action.name}`) }];
  if (action.kind === 'deletePod' && action.node !== '')
    return [{ atMs, state: last, message: `pod deleted: ${action.namespace}/${action.name} (${action.reason})` }];
  return [];
}

/** What a node waits for. A halt has its failed nodes in the message, and that is all. */
export function waitText({ kind, message }: Waiting): string {
  return kind === 'halt' ? `the failure budget is spent: ${message}` : message;
}

/** The event of a wait that begins. */
export function waitEvent({ state, message, blockers }: Waiting, atMs: number): NodeEvent {
  const blocked = blockers.map(blockerText).join('; ');
  return { atMs, state, isWait: true, message: `waits: ${message}${blocked === '' ? '' : `: ${blocked}`}` };
}

/** Counts the pods that the scheduler finds no node for, from now on and whenever their number changes. */
export function countPodsWithoutNode({ store, events }: SimulatedCluster): () => readonly CountAt[] {
  const weight = (pod: StoredPod | undefined): number =>
    pod?.unschedulable === true && pod.nodeName === '' && pod.lifecycle.targetNode === undefined ? 1 : 0;
  let count = [...store.podsOn('')].reduce((sum, pod) => sum + weight(pod), 0);
  const counts: { atMs: number; count: number }[] = [{ atMs: events.now(), count }];
  store.pods.listen((_key, before, after) => {
    const change = weight(after) - weight(before);
    if (change === 0) return;
    count += change;
    const atMs = events.now();
    const last = counts.at(-1);
    if (last?.atMs === atMs) last.count = count;
    else counts.push({ atMs, count });
  });
  return () => counts;
}
