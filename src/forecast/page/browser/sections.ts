import { activeSpan } from '../segments.js';
import type { Timeline, TimelineObstacle } from '../types.js';
import { element } from './dom.js';
import { OUTCOMES, type View } from './view.js';

/** What is in the way; a button shows the nodes of each. */
export function obstacleSection(
  { obstacles }: Timeline,
  show: (nodes: readonly string[]) => void,
): HTMLElement | undefined {
  if (obstacles.length === 0) return undefined;
  return element(
    'section',
    { class: 'obstacles' },
    element('h2', {}, 'In the way'),
    element(
      'ul',
      {},
      ...obstacles.map((one) =>
        element('li', { class: one.isStuck ? 'obstacle stuck' : 'obstacle' }, ...obstacle(one, show)),
      ),
    ),
  );
}

function obstacle(
  { kind, rank, nodes, text, help }: TimelineObstacle,
  show: (nodes: readonly string[]) => void,
): readonly Node[] {
  const fact = element(
    'div',
    {},
    element('strong', {}, `${rank}: ${kind}`),
    ' ',
    text,
    element('span', { class: 'help' }, help),
  );
  if (nodes.length === 0) return [fact];
  const named = nodes.length === 1 ? `show ${nodes[0] ?? ''}` : `show ${nodes.length} nodes`;
  const made = element('button', { type: 'button', title: nodes.join(', ') }, named);
  made.addEventListener('click', () => show(nodes));
  return [fact, made];
}

/** All nodes as a table, which is made when it is opened. */
export function tableSection(view: () => View): HTMLDetailsElement {
  const made = element('details', { class: 'table' }, element('summary', {}, 'All nodes as a table'));
  made.addEventListener('toggle', () => {
    made.querySelector('table')?.remove();
    if (made.open) made.append(table(view()));
  });
  return made;
}

const HEADINGS = ['node', 'pool', 'topology domain', 'wave', 'outcome', 'begins', 'ends', 'why', 'evicted pods'];

function table({ timeline, clock }: View): HTMLElement {
  const head = element('tr', {}, ...HEADINGS.map((text) => element('th', { scope: 'col' }, text)));
  const body = timeline.rows.map((row) => {
    const span = activeSpan(row.segments);
    const isEnded = row.outcome === 'upgraded' || row.outcome === 'failed';
    const cells = [
      ...[row.pool, row.topologyDomain, row.wave === null ? '' : String(row.wave), OUTCOMES[row.outcome]],
      ...[
        span === undefined ? '' : clock.full(span.fromMs),
        span !== undefined && isEnded ? clock.full(span.toMs) : '',
      ],
      ...[row.reason, row.evicted.join(', ')],
    ];
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, row.node),
      ...cells.map((text) => element('td', {}, text)),
    );
  });
  const caption = element('caption', {}, `${timeline.title}, times in ${clock.name}`);
  return element('table', {}, caption, element('thead', {}, head), element('tbody', {}, ...body));
}

/** Durations and what is not simulated. */
export function noteSections({ notes }: Timeline): readonly HTMLElement[] {
  return notes.map(({ heading, lines }) =>
    element(
      'section',
      { class: 'notes' },
      element('h2', {}, heading),
      element('ul', {}, ...lines.map((line) => element('li', {}, line))),
    ),
  );
}
