import { groupBy } from '../../../shared/lib/group-by.js';
import { counted } from '../../../shared/lib/listed.js';
import { activeSpan } from '../segments.js';
import type { TimelineRow } from '../types.js';
import { element, place } from './dom.js';
import { lengthText } from './clock.js';
import { isShown, phaseText, placeText, rowLabel, type View } from './view.js';

/** A row of the page. */
export interface RowElement {
  readonly row: TimelineRow;
  readonly made: HTMLElement;
}

interface Group {
  readonly name: string;
  readonly made: HTMLElement;
  readonly count: HTMLElement;
  readonly rows: readonly RowElement[];
}

/** The rows of all nodes in groups, of which the reader sees those that he asked for. */
export interface Rows {
  readonly list: HTMLElement;
  /** In the order of the page. */
  readonly all: readonly RowElement[];
  /** Shows the rows that the reader asked for, and returns them. */
  readonly filter: () => readonly RowElement[];
}

export function makeRows(view: View): Rows {
  const groups = groupsOf(view);
  const list = element('div', { class: 'rows', role: 'listbox', tabindex: '0', id: 'rows', 'aria-label': 'Nodes' });
  for (const { made } of groups) list.append(made);
  const all = groups.flatMap(({ rows }) => rows);
  return {
    list,
    all,
    filter: () => {
      for (const { made, count, rows } of groups) {
        let shown = 0;
        for (const one of rows) {
          const isHit = isShown(one.row, view.choice);
          one.made.hidden = !isHit;
          if (isHit) shown += 1;
        }
        made.hidden = shown === 0;
        const total = counted(rows.length, 'node');
        count.textContent = shown === rows.length ? total : `${shown} of ${total}`;
      }
      return all.filter(({ made }) => !made.hidden);
    },
  };
}

function groupsOf(view: View): readonly Group[] {
  const { timeline, choice } = view;
  const isByPlace = choice.order === 'place';
  const nameOf = (row: TimelineRow): string =>
    isByPlace ? placeText(row) || 'all nodes' : row.wave === null ? 'never begins' : `wave ${row.wave}`;
  const byName = groupBy(timeline.rows, nameOf);
  // Rows are in the order of their begin, and so are waves.
  const names = [...byName.keys()];
  if (isByPlace) names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  let index = 0;
  return names.map((name) => {
    const rows = (byName.get(name) ?? []).map((row) => ({ row, made: rowElement(row, view, index++) }));
    const count = element('span', { class: 'count' });
    const made = element(
      'div',
      { class: 'group', role: 'group', 'aria-label': name },
      element('div', { class: 'group-name', role: 'presentation' }, element('span', { title: name }, name), count),
      ...rows.map((one) => one.made),
    );
    return { name, made, count, rows };
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
      role: 'option',
      id: `row-${index}`,
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
