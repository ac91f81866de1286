import type { Timeline } from '../types.js';
import { makeChart, type Chart } from './chart.js';
import { makeClock } from './clock.js';
import { legend, makeControls, type Change } from './controls.js';
import { detailsOf } from './details.js';
import { element } from './dom.js';
import type { Item } from './rows.js';
import { makeScale } from './scale.js';
import { noteSections, obstacleSection, tableSection } from './sections.js';
import { isLarge, type Choice, type View } from './view.js';

const timeline = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Timeline;
const choice: Choice = {
  query: '',
  outcome: '',
  pool: '',
  order: isLarge(timeline) ? 'pool-wave' : 'place',
  zoom: 1,
  isUtc: true,
  theme: 'auto',
  nodes: undefined,
};
const scale = makeScale(timeline);
const makeView = (): View => ({ timeline, scale, choice, clock: makeClock(choice.isUtc) });

let view = makeView();
let chart: Chart = makeChart(view);
let selected: Item | undefined;

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
  else if (what === 'zoom') chart.resize();
  else filter();
}

/** Draws the chart again, in another order or with other times. */
function redraw(): void {
  const node = selected?.kind === 'row' ? selected.row : undefined;
  view = makeView();
  const next = makeChart(view);
  chart.made.replaceWith(next.made);
  chart = next;
  chart.resize();
  listen();
  filter();
  const found = node && chart.rows.rowOf(node);
  if (found === undefined || found.made.hidden) close();
  else select(found);
  if (table.open) table.dispatchEvent(new Event('toggle'));
}

function filter(): void {
  const shown = chart.rows.filter();
  const { length } = timeline.rows;
  controls.status.textContent = shown === length ? `${length} nodes` : `${shown} of ${length} nodes`;
  controls.update();
  if (selected !== undefined && !chart.rows.items().includes(selected)) close();
}

function select(one: Item): void {
  if (one.kind === 'row') one.group.open(true);
  selected?.made.setAttribute('aria-selected', 'false');
  selected = one;
  one.made.setAttribute('aria-selected', 'true');
  chart.rows.list.setAttribute('aria-activedescendant', one.made.id);
  details.replaceChildren(...detailsOf(one, view, close));
  details.scrollTop = 0;
  if (one.kind === 'row') showDetails(true);
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

/** The item that a key leads to; undefined: the key means nothing here. */
function target(key: string): Item | undefined {
  const shown = chart.rows.items();
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

/** Opens or closes the selected group; from a node, the arrow to the left leads to its group. Whether the key means that here. */
function openByKey(key: string): boolean {
  if (key === 'ArrowLeft' && selected?.kind === 'row') {
    select(selected.group);
    return true;
  }
  if (selected?.kind !== 'group') return false;
  const isToggle = key === 'Enter' || key === ' ';
  if (!isToggle && key !== 'ArrowRight' && key !== 'ArrowLeft') return false;
  selected.open(isToggle ? !selected.isOpen() : key === 'ArrowRight');
  return true;
}

function listen(): void {
  const { list } = chart.rows;
  list.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isDone = openByKey(event.key);
    const item = isDone ? undefined : target(event.key);
    if (item !== undefined) select(item);
    if (isDone || item !== undefined) event.preventDefault();
  });
  list.addEventListener('click', (event) => {
    const made = event.target instanceof Element ? event.target.closest('[role=treeitem]') : null;
    const item = chart.rows.itemOf(made);
    if (item?.kind === 'group') item.open(!item.isOpen());
    if (item !== undefined) select(item);
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
      const first = chart.rows.items().find(({ kind }) => kind === 'row');
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
      'Keys: / searches, arrows move between nodes and show what happens to each, left and right close and open a group, Esc closes.',
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
