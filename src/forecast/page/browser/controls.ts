import type { Timeline } from '../types.js';
import { PHASES } from '../phases.js';
import type { Phase } from '../types.js';
import { element } from './dom.js';
import { isFiltered, ORDERS, OUTCOMES, phaseText, type Choice } from './view.js';

/** What has to be drawn again after a choice. */
export type Change = 'filter' | 'zoom' | 'all' | 'theme';

/** The controls above the chart. */
interface Controls {
  readonly bar: HTMLElement;
  readonly search: HTMLInputElement;
  /** Says how many nodes are shown. */
  readonly status: HTMLElement;
  /** Shows the choice, after it was changed elsewhere. */
  readonly update: () => void;
}

const ZOOMS = [1, 2, 4, 8, 16];

type Changed = (change: Change) => void;

export function makeControls({ rows }: Timeline, choice: Choice, changed: Changed): Controls {
  const search = searchField(choice, changed);
  const outcome = outcomeSelect(rows, choice, changed);
  const pools = [...new Set(rows.map((row) => row.pool))].filter((name) => name !== '').sort();
  const pool = select('Pool', [['', 'every pool'], ...pools.map((name): Option => [name, name])], (value) => {
    choice.pool = value;
    changed('filter');
  });
  const reset = button('show all', 'Show all nodes', () => {
    Object.assign(choice, { query: '', outcome: '', pool: '', nodes: undefined });
    changed('filter');
  });
  const status = element('span', { class: 'status', role: 'status' });
  const filters = [search, outcome, ...(pools.length > 1 ? [pool] : [])];
  const bar = element('div', { class: 'controls' }, ...filters, ...looks(choice, changed), reset, status);
  return {
    bar,
    search,
    status,
    update: () => {
      search.value = choice.query;
      outcome.value = choice.outcome;
      pool.value = choice.pool;
      reset.hidden = !isFiltered(choice);
    },
  };
}

function searchField(choice: Choice, changed: Changed): HTMLInputElement {
  const made = element('input', {
    type: 'search',
    placeholder: 'node, pool, pod … ( / )',
    'aria-label': 'Search nodes, pools and pods',
  });
  made.addEventListener('input', () => {
    choice.query = made.value;
    changed('filter');
  });
  return made;
}

function outcomeSelect(rows: Timeline['rows'], choice: Choice, changed: Changed): HTMLSelectElement {
  const counts = new Map<keyof typeof OUTCOMES, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const options = [...counts].map(([name, count]): Option => [name, `${OUTCOMES[name]} (${count})`]);
  return select('Outcome', [['', 'every outcome'], ...options], (value) => {
    choice.outcome = value;
    changed('filter');
  });
}

/** How the chart is drawn: its groups, size, times and colours. */
function looks(choice: Choice, changed: Changed): readonly HTMLElement[] {
  const order = select('Groups', Object.entries(ORDERS), (value) => {
    choice.order = value as Choice['order'];
    changed('all');
  });
  order.value = choice.order;
  const zones: readonly Option[] = [
    ['utc', 'UTC'],
    ['local', 'local time'],
  ];
  const zone = select('Time zone', zones, (value) => {
    choice.isUtc = value === 'utc';
    changed('all');
  });
  const themes: readonly Option[] = [
    ['auto', 'system theme'],
    ['light', 'light'],
    ['dark', 'dark'],
  ];
  const theme = select('Theme', themes, (value) => {
    choice.theme = value as Choice['theme'];
    changed('theme');
  });
  return [order, zoomButtons(choice, changed), zone, theme];
}

function zoomButtons(choice: Choice, changed: Changed): HTMLElement {
  const step = (by: number) => (): void => {
    const index = ZOOMS.indexOf(choice.zoom) + by;
    choice.zoom = ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, index))] ?? 1;
    changed('zoom');
  };
  return element('span', { class: 'zoom' }, button('−', 'Zoom out', step(-1)), button('+', 'Zoom in', step(1)));
}

function button(text: string, label: string, click: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
  made.addEventListener('click', click);
  return made;
}

type Option = readonly [value: string, text: string];

function select(label: string, options: readonly Option[], change: (value: string) => void): HTMLSelectElement {
  const made = element(
    'select',
    { 'aria-label': label, title: label },
    ...options.map(([value, text]) => element('option', { value }, text)),
  );
  made.addEventListener('change', () => change(made.value));
  return made;
}

/** What the colours mean, of those that occur. */
export function legend({ rows, windows, soaks, nodesAtOnce }: Timeline): HTMLElement {
  const used = new Set(rows.flatMap(({ segments }) => segments.map(({ phase }) => phase)));
  const entry = (name: string, text: string): HTMLElement =>
    element('li', {}, element('span', { class: `swatch ${name}` }), text);
  return element(
    'ul',
    { class: 'legend', 'aria-label': 'Legend' },
    ...(Object.keys(PHASES) as Phase[])
      .filter((phase) => used.has(phase))
      .map((phase) => entry(phase, phaseText(phase))),
    rows.some(({ outcome }) => outcome === 'upgraded') ? entry('done', 'done') : undefined,
    windows.length > 0 ? entry('window', 'maintenance window') : undefined,
    windows.length > 0 ? entry('closed', 'no window is open') : undefined,
    soaks.length > 0 ? entry('soak', 'canaries soak') : undefined,
    nodesAtOnce === null ? undefined : entry('limit', `limit: ${nodesAtOnce} nodes at once`),
  );
}
