import { NODE_STATES, type NodeState } from '../contract/node-states.js';
import type { HistoryEvent } from './types.js';

/** `its upgrade begins; it is cordoned (upgrade-required → drain-required)`: the companion's Events end so. The bundle is ASCII, also in patterns. */
const MOVE = /\(([a-z-]*) \u2192 ([a-z-]*)\)/g;

/** The state that an Event of a node left it in; undefined: it is about none. */
export function stateAfter(message: string): NodeState | undefined {
  const [, from, last] = [...message.matchAll(MOVE)].at(-1) ?? [];
  if (isFirstSight(from, last)) return undefined;
  return last !== undefined && NODE_STATES.has(last) ? (last as NodeState) : undefined;
}

/** Events and the times in annotations, in order. The same state in both counts once: an Event says more than an annotation. */
export function joinedEvents(
  events: readonly HistoryEvent[],
  annotations: readonly HistoryEvent[],
): readonly HistoryEvent[] {
  const told = new Set(events.map(({ state }) => state));
  const missing = annotations.filter(({ state }) => !told.has(state));
  return [...events, ...missing].sort((a, b) => a.atMs - b.atMs);
}

/** The companion sees a node that has its driver for the first time. */
export function isFirstSight(from: unknown, to: unknown): boolean {
  return from === '' && to === 'upgrade-done';
}
