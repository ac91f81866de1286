import type { Phase, Timeline, TimelineRow } from '../types.js';
import { PHASES } from '../phases.js';
import { activeSpan } from '../segments.js';
import { lengthText, type Clock } from './clock.js';
import type { Scale } from './scale.js';

/** How nodes are grouped. */
export const ORDERS = {
  place: 'by pool and rack',
  'pool-wave': 'by pool and wave',
  wave: 'by wave',
} as const;
type Order = keyof typeof ORDERS;

/** What the reader has chosen. */
export interface Choice {
  query: string;
  outcome: string;
  pool: string;
  order: Order;
  zoom: number;
  isUtc: boolean;
  theme: 'auto' | 'light' | 'dark';
  /** Only these nodes; undefined: all. */
  nodes: ReadonlySet<string> | undefined;
}

/** What all parts of the page draw from. */
export interface View {
  readonly timeline: Timeline;
  readonly scale: Scale;
  readonly clock: Clock;
  readonly choice: Choice;
}

export const OUTCOMES: Readonly<Record<TimelineRow['outcome'], string>> = {
  upgraded: 'upgraded',
  failed: 'failed',
  'in-progress': 'does not come through',
  waiting: 'does not begin',
};

/** A phase in words. */
export function phaseText(phase: Phase): string {
  return PHASES[phase].label;
}

/** `rack r1`, without a word where a row has none. */
export function placeText({ pool, topologyDomain }: TimelineRow): string {
  return [pool, topologyDomain].filter((part) => part !== '').join(' · ');
}

/** With more nodes the page shows only groups at first. */
const NODES_MAX = 100;

/** Whether the groups of nodes are closed at first. */
export function isLarge({ rows }: Timeline): boolean {
  return rows.length > NODES_MAX;
}

/** The group of a row. */
export function groupName(row: TimelineRow, order: Order): string {
  const wave = row.wave === null ? 'never begins' : `wave ${row.wave}`;
  switch (order) {
    case 'place':
      return placeText(row) || 'all nodes';
    case 'pool-wave':
      return row.pool === '' ? wave : `${row.pool} · ${wave}`;
    case 'wave':
      return wave;
  }
}

/** When a node is in progress, in words. */
function spanText(row: TimelineRow, { clock }: View): string {
  const span = activeSpan(row.segments);
  if (span === undefined) return OUTCOMES[row.outcome];
  const isEnded = row.outcome === 'upgraded' || row.outcome === 'failed';
  const begin = clock.full(span.fromMs);
  return isEnded
    ? `${OUTCOMES[row.outcome]}: ${begin} to ${clock.short(span.toMs)}, ${lengthText(span.toMs - span.fromMs)}`
    : `${OUTCOMES[row.outcome]}: since ${begin}`;
}

/** What is in the way of a node. */
export function obstaclesOf({ node }: TimelineRow, { timeline }: View): Timeline['obstacles'] {
  return timeline.obstacles.filter(({ nodes }) => nodes.includes(node));
}

/** What a screen reader says about a row. */
export function rowLabel(row: TimelineRow, view: View): string {
  const parts = [
    row.node,
    placeText(row),
    spanText(row, view),
    row.wave === null ? '' : `wave ${row.wave}`,
    row.reason,
    row.evicted.length === 0 ? '' : `${row.evicted.length} pods evicted`,
    ...obstaclesOf(row, view).map(({ text }) => text),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** Whether the reader asked for some rows only. */
export function isFiltered({ query, outcome, pool, nodes }: Choice): boolean {
  return query.trim() !== '' || outcome !== '' || pool !== '' || nodes !== undefined;
}

/** Whether the reader asked for a row. */
export function isShown(row: TimelineRow, { query, outcome, pool, nodes }: Choice): boolean {
  if (nodes !== undefined && !nodes.has(row.node)) return false;
  if (outcome !== '' && row.outcome !== outcome) return false;
  if (pool !== '' && row.pool !== pool) return false;
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const text = [row.node, row.pool, row.topologyDomain, row.outcome, row.reason, ...row.evicted]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
