import { counted } from '../../../shared/lib/listed.js';
import { activeSpan } from '../segments.js';
import type { TimelineRow, TimelineSpan } from '../types.js';
import { curveDrawing, inProgress } from './background.js';
import { element } from './dom.js';
import { OUTCOMES, type View } from './view.js';

/** The row of a group: its name, how many nodes it has, and how many of them are in progress. Its nodes can be hidden. */
export interface GroupItem {
  readonly kind: 'group';
  readonly name: string;
  readonly rows: readonly TimelineRow[];
  readonly made: HTMLElement;
  readonly isOpen: () => boolean;
  readonly open: (isOpen: boolean) => void;
  /** Says how many of its rows are shown; none hides it. */
  readonly show: (count: number) => void;
}

export function makeGroup(
  {
    name,
    rows,
    elements,
    id,
  }: {
    readonly name: string;
    readonly rows: readonly TimelineRow[];
    readonly elements: readonly HTMLElement[];
    readonly id: string;
  },
  view: View,
): GroupItem {
  const total = counted(rows.length, 'node');
  const count = element('span', { class: 'count' }, total);
  const stuck = rows.filter(({ outcome }) => outcome !== 'upgraded').length;
  const sign = element('span', { class: 'sign', title: `${stuck} do not come through` }, `✕ ${stuck}`);
  const label = element(
    'div',
    { class: 'label' },
    element('span', { class: 'group-title', title: name }, name),
    count,
    stuck > 0 ? sign : undefined,
  );
  const curve = inProgress(
    rows.flatMap(({ segments }) => activeSpan(segments) ?? []),
    view.timeline.fromMs,
  );
  const track = element('div', { class: 'track' }, curveDrawing(curve, view));
  const nodes = element('div', { role: 'group' }, ...elements);
  const spoken = [name, total, ...outcomeTexts(rows)].join('; ');
  const made = element(
    'div',
    { class: 'group', role: 'treeitem', id, 'aria-level': '1', 'aria-selected': 'false', 'aria-label': spoken },
    element('div', { class: 'group-name' }, label, track),
    nodes,
  );
  return {
    kind: 'group',
    name,
    rows,
    made,
    isOpen: () => !nodes.hidden,
    open: (isOpen) => {
      nodes.hidden = !isOpen;
      made.setAttribute('aria-expanded', String(isOpen));
    },
    show: (shown) => {
      made.hidden = shown === 0;
      count.textContent = shown === rows.length ? total : `${shown} of ${total}`;
    },
  };
}

/** `46 upgraded`, for each outcome that rows have. */
export function outcomeTexts(rows: readonly TimelineRow[]): readonly string[] {
  const outcomes = Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[];
  return outcomes.flatMap((outcome) => {
    const { length } = rows.filter((row) => row.outcome === outcome);
    return length === 0 ? [] : [`${length} ${OUTCOMES[outcome]}`];
  });
}

/** From the first begin to the last end of some rows; undefined: none of them begins. */
export function wholeSpan(rows: readonly TimelineRow[]): TimelineSpan | undefined {
  const spans = rows.flatMap(({ segments }) => activeSpan(segments) ?? []);
  if (spans.length === 0) return undefined;
  return {
    fromMs: spans.reduce((first, { fromMs }) => Math.min(first, fromMs), Infinity),
    toMs: spans.reduce((last, { toMs }) => Math.max(last, toMs), 0),
  };
}
