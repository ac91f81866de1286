import type { Timeline } from '../types.js';
import { makeChart, type Chart } from './chart.js';
import { makeClock } from './clock.js';
import { legend, makeControls, type Change } from './controls.js';
import { detailsOf } from './details.js';
import { element } from './dom.js';
import type { RowElement } from './rows.js';
import { makeScale } from './scale.js';
import { noteSections, obstacleSection, tableSection } from './sections.js';
import type { Choice, View } from './view.js';

const timeline = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Timeline;
const choice: Choice = {
  query: '',
  outcome: '',
  pool: '',
  order: 'place',
  zoom: 1,
  isUtc: true,
  theme: 'auto',
  nodes: undefined,
};
const scale = makeScale(timeline);
const makeView = (): View => ({ timeline, scale, choice, clock: makeClock(choice.isUtc) });

let view = makeView();
let chart: Chart = makeChart(view);
let shown: readonly RowElement[] = [];
let selected: RowElement | undefined;

const details = element('aside', { class: 'details', 'aria-label': 'Details of the node', tabindex: '-1', hidden: '' });
const controls = makeControls(timeline, choice, change);
const table = tableSection(() => view);
const home = element('div', { class: 'home' }, chart.made, details);

function change(what: Change): void {
  if (what === 'theme') {
    document.documentElement.dataset['theme'] = choice.theme;
    return;
  }
  if (what === 'all') redraw();
  if (what === 'zoom') chart.resize();
  else filter();
}

/** Draws the chart again, in another order or with other times. */
function redraw(): void {
  const node = selected?.row;
  view = makeView();
  const next = makeChart(view);
  chart.made.replaceWith(next.made);
  chart = next;
  chart.resize();
  listen();
  selected = undefined;
  const found = chart.rows.all.find(({ row }) => row === node);
  if (found !== undefined) select(found);
  if (table.open) table.dispatchEvent(new Event('toggle'));
}

function filter(): void {
  shown = chart.rows.filter();
  const { length } = timeline.rows;
  controls.status.textContent = shown.length === length ? `${length} nodes` : `${shown.length} of ${length} nodes`;
  controls.update();
  if (selected !== undefined && selected.made.hidden) close();
}

function select(one: RowElement): void {
  selected?.made.setAttribute('aria-selected', 'false');
  selected = one;
  one.made.setAttribute('aria-selected', 'true');
  chart.rows.list.setAttribute('aria-activedescendant', one.made.id);
  details.replaceChildren(...detailsOf(one.row, view, close));
  details.scrollTop = 0;
  showDetails(true);
  one.made.scrollIntoView({ block: 'nearest' });
}

function close(): void {
  selected?.made.setAttribute('aria-selected', 'false');
  selected = undefined;
  chart.rows.list.removeAttribute('aria-activedescendant');
  showDetails(false);
}

function showDetails(isShown: boolean): void {
  if (details.hidden === !isShown) return;
  details.hidden = !isShown;
  home.classList.toggle('with-details', isShown);
  // On a narrow screen the details are below the chart.
  if (isShown && matchMedia('(max-width: 60rem)').matches) home.scrollIntoView();
  // The chart has another width.
  chart.resize();
}

const PAGE = 10;

/** The row that a key leads to; undefined: the key means nothing here. */
function target(key: string): RowElement | undefined {
  const at = selected === undefined ? -1 : shown.indexOf(selected);
  const last = shown.length - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: last,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Enter: at,
    ' ': at,
  };
  const index = steps[key];
  return index === undefined ? undefined : shown[Math.min(last, Math.max(0, index))];
}

function listen(): void {
  const { list } = chart.rows;
  list.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close();
    const row = event.ctrlKey || event.metaKey || event.altKey ? undefined : target(event.key);
    if (row === undefined) return;
    event.preventDefault();
    select(row);
  });
  list.addEventListener('click', (event) => {
    const made = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    const row = chart.rows.all.find((one) => one.made === made);
    if (row !== undefined) select(row);
  });
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key !== '/' || isTyping) return;
  event.preventDefault();
  controls.search.focus();
});

document.body.append(
  element(
    'main',
    {},
    element('h1', {}, timeline.title),
    element('ul', { class: 'summary' }, ...timeline.summary.map((line) => element('li', {}, line))),
    obstacleSection(timeline, (nodes) => {
      Object.assign(choice, { query: '', outcome: '', pool: '', nodes: new Set(nodes) });
      filter();
      const [first] = shown;
      if (first !== undefined) select(first);
      chart.rows.list.focus({ preventScroll: true });
      home.scrollIntoView();
    }),
    controls.bar,
    legend(timeline),
    home,
    element(
      'p',
      { class: 'keys' },
      'Keys: / searches, arrows move between nodes and show what happens to each, Esc closes.',
    ),
    table,
    ...noteSections(timeline),
  ),
);
chart.resize();
listen();
filter();
window.addEventListener('resize', () => chart.resize());
window.addEventListener('beforeprint', () => (table.open = true));
