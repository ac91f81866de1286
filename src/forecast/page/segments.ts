import type { NodeState } from '../../shared/contract/node-states.js';
import { PHASE_OF, PHASES } from './phases.js';
import type { TimelineSegment, TimelineSpan } from './types.js';

/** The phases of a node, from its states in order. The last one lasts until the end; those that take no time are left out. */
export function segmentsOf(
  states: readonly { readonly atMs: number; readonly state: NodeState }[],
  { fromMs, toMs }: TimelineSpan,
): readonly TimelineSegment[] {
  const segments: TimelineSegment[] = [];
  states.forEach(({ atMs, state }, index) => {
    const phase = PHASE_OF[state];
    const span = { fromMs: Math.max(atMs, fromMs), toMs: states[index + 1]?.atMs ?? toMs };
    if (phase === undefined || span.toMs <= span.fromMs) return;
    const last = segments.at(-1);
    const isSame = last?.phase === phase && last.toMs === span.fromMs;
    if (isSame) segments[segments.length - 1] = { ...last, toMs: span.toMs };
    else segments.push({ phase, ...span });
  });
  return segments;
}

/** A span whose times are text. */
export function spanOf({ from, to }: { readonly from: string; readonly to: string }): TimelineSpan {
  return { fromMs: Date.parse(from), toMs: Date.parse(to) };
}

/** The time that the page shows: at least a minute. */
export function shownSpan(fromMs: number, toMs: number): TimelineSpan {
  return { fromMs, toMs: Math.max(toMs, fromMs + 60_000) };
}

/** When a node is in progress, from its first to its last such phase; undefined: never. */
export function activeSpan(segments: readonly TimelineSegment[]): TimelineSpan | undefined {
  const active = segments.filter(({ phase }) => PHASES[phase].isActive);
  const [first, last] = [active[0], active.at(-1)];
  return first === undefined || last === undefined ? undefined : { fromMs: first.fromMs, toMs: last.toMs };
}
