import { groupBy } from '../../../shared/lib/group-by.js';
import { activeSpan } from '../segments.js';
import type { TimelineRow } from '../types.js';
import { element, place } from './dom.js';
import { lengthText } from './clock.js';
import { makeGroup, type GroupItem } from './groups.js';
import { groupName, isFiltered, isLarge, isShown, phaseText, rowLabel, type View } from './view.js';

/** The row of a node. */
interface RowItem {
  readonly kind: 'row';
  readonly row: TimelineRow;
  readonly made: HTMLElement;
  readonly group: GroupItem;
}

/** What the reader can select. */
export type Item = GroupItem | RowItem;

/** The rows of all nodes in groups, of which the reader sees those that he asked for. */
export interface Rows {
  readonly list: HTMLElement;
  /** Those that can be seen, in the order of the page. */
  readonly items: () => readonly Item[];
  /** The item of an element. */
  readonly itemOf: (made: Element | null) => Item | undefined;
  readonly rowOf: (row: TimelineRow) => RowItem | undefined;
  /** Shows the rows that the reader asked for, opens their groups, and returns how many there are. */
  readonly filter: () => number;
}

export function makeRows(view: View): Rows {
  const list = element('div', { class: 'rows', role: 'tree', tabindex: '0', id: 'rows', 'aria-label': 'Nodes' });
  const items = itemsOf(view);
  for (const one of items) if (one.kind === 'group') list.append(one.made);
  const byElement = new Map(items.map((one) => [one.made as Element, one]));
  const rows = items.flatMap((one) => (one.kind === 'row' ? [one] : []));
  return {
    list,
    items: () => items.filter((one) => !one.made.hidden && (one.kind === 'group' || one.group.isOpen())),
    itemOf: (made) => (made === null ? undefined : byElement.get(made)),
    rowOf: (row) => rows.find((one) => one.row === row),
    filter: () => {
      const shown = new Map<GroupItem, number>();
      for (const { row, made, group } of rows) {
        made.hidden = !isShown(row, view.choice);
        shown.set(group, (shown.get(group) ?? 0) + Number(!made.hidden));
      }
      for (const [group, count] of shown) {
        group.show(count);
        group.open(!isLarge(view.timeline) || isFiltered(view.choice));
      }
      return rows.filter(({ made }) => !made.hidden).length;
    },
  };
}

/** Each group with its rows after it. */
function itemsOf(view: View): readonly Item[] {
  const { timeline, choice } = view;
  const byName = groupBy(timeline.rows, (row) => groupName(row, choice.order));
  // Rows are in the order of their begin, and so are waves.
  const names = [...byName.keys()];
  const keyOf = (name: string): string => (choice.order === 'place' ? name : (byName.get(name)?.[0]?.pool ?? ''));
  if (choice.order !== 'wave') names.sort((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }));
  let index = 0;
  return names.flatMap((name, at): readonly Item[] => {
    const rows = byName.get(name) ?? [];
    const elements = rows.map((row) => rowElement(row, view, index++));
    const group = makeGroup({ name, rows, elements, id: `group-${at}` }, view);
    return [group, ...rows.map((row, of): Item => ({ kind: 'row', row, made: elements[of] as HTMLElement, group }))];
  });
}

function rowElement(row: TimelineRow, view: View, index: number): HTMLElement {
  const isStuck = row.outcome !== 'upgraded';
  const name = element('span', { class: 'name', title: row.node }, row.node);
  const label = element(
    'span',
    { class: 'label' },
    isStuck ? element('span', { class: 'sign' }, '✕') : undefined,
    name,
  );
  const track = element('span', { class: 'track' }, ...bars(row, view));
  return element(
    'div',
    {
      class: `row ${row.outcome}`,
      role: 'treeitem',
      id: `row-${index}`,
      'aria-level': '2',
      'aria-selected': 'false',
      'aria-label': rowLabel(row, view),
    },
    label,
    track,
  );
}

function bars(row: TimelineRow, { scale, clock }: View): readonly HTMLElement[] {
  const made = row.segments.map((segment) => {
    const { phase, fromMs, toMs } = segment;
    const title = `${phaseText(phase)}: ${clock.full(fromMs)} to ${clock.full(toMs)}, ${lengthText(toMs - fromMs)}`;
    const bar = element('span', { class: `bar ${phase}`, title });
    place(bar, scale.at(fromMs), scale.at(toMs));
    return bar;
  });
  const active = activeSpan(row.segments);
  if (row.outcome === 'upgraded' && active !== undefined) {
    const end = element('span', { class: 'end', title: `done: ${clock.full(active.toMs)}` });
    end.style.left = `${(scale.at(active.toMs) * 100).toFixed(3)}%`;
    made.push(end);
  }
  return made;
}
