import { counted } from '../../../shared/lib/listed.js';
import { activeSpan } from '../segments.js';
import type { TimelineRow } from '../types.js';
import { element } from './dom.js';
import { lengthText } from './clock.js';
import { outcomeTexts, wholeSpan, type GroupItem } from './groups.js';
import type { Item } from './rows.js';
import { obstaclesOf, OUTCOMES, phaseText, placeText, type View } from './view.js';

/** Everything about one node, or about a group of nodes. */
export function detailsOf(item: Item, view: View, close: () => void): readonly Node[] {
  const button = element('button', { type: 'button', class: 'close', 'aria-label': 'Close the details' }, '✕');
  button.addEventListener('click', close);
  const name = item.kind === 'group' ? item.name : item.row.node;
  return [
    element('div', { class: 'details-head' }, element('h2', {}, name), button),
    ...(item.kind === 'group' ? [factList(groupFacts(item, view))] : ofNode(item.row, view)),
  ];
}

type Facts = readonly (readonly [name: string, value: string | undefined])[];

/** Those that have a value. */
function factList(facts: Facts): HTMLElement {
  const known = facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const]));
  return element('dl', {}, ...known.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

function groupFacts({ rows }: GroupItem, { clock }: View): Facts {
  const span = wholeSpan(rows);
  return [
    ['nodes', String(rows.length)],
    ['outcome', outcomeTexts(rows).join(', ')],
    ['first begins', span && clock.full(span.fromMs)],
    ['last ends', span && clock.full(span.toMs)],
    ['pods evicted', String(rows.reduce((sum, { evicted }) => sum + evicted.length, 0))],
  ];
}

function ofNode(row: TimelineRow, view: View): readonly Node[] {
  return [
    factList(nodeFacts(row, view)),
    ...obstaclesOf(row, view).map(({ rank, isStuck, text, help }) =>
      element(
        'p',
        { class: isStuck ? 'obstacle stuck' : 'obstacle' },
        element('strong', {}, `${rank}: `),
        text,
        element('span', { class: 'help' }, help),
      ),
    ),
    ...phases(row),
    ...history(row, view),
    ...pods(row),
  ];
}

function nodeFacts(row: TimelineRow, { clock }: View): Facts {
  const { driver, wave, reason, outcome } = row;
  const span = activeSpan(row.segments);
  return [
    ['outcome', OUTCOMES[outcome]],
    ['begins', span && clock.full(span.fromMs)],
    ['ends', span && (outcome === 'upgraded' || outcome === 'failed') ? clock.full(span.toMs) : undefined],
    ['takes', span && outcome === 'upgraded' ? lengthText(span.toMs - span.fromMs) : undefined],
    ['wave', wave === null ? undefined : String(wave)],
    [span === undefined ? 'why not' : 'why then', reason],
    ['pool', placeText(row)],
    ['driver', driver],
  ];
}

function phases({ segments }: TimelineRow): readonly Node[] {
  const active = segments.filter(({ phase }) => phase !== 'pending' && phase !== 'failed');
  if (active.length === 0) return [];
  return [
    element(
      'ul',
      { class: 'phases' },
      ...active.map(({ phase, fromMs, toMs }) =>
        element(
          'li',
          {},
          element('span', { class: `swatch ${phase}` }),
          `${phaseText(phase)}: ${lengthText(toMs - fromMs)}`,
        ),
      ),
    ),
  ];
}

function history({ history: events }: TimelineRow, { timeline, clock }: View): readonly Node[] {
  if (events.length === 0) return [];
  return [
    element('h3', {}, 'What happens'),
    element(
      'ol',
      { class: 'history' },
      ...events.map(([afterMs, text]) => {
        const atMs = timeline.fromMs + afterMs;
        const time = element('time', { datetime: new Date(atMs).toISOString() }, clock.precise(atMs));
        return element('li', {}, time, element('span', {}, timeline.texts[text] ?? ''));
      }),
    ),
  ];
}

function pods({ evicted }: TimelineRow): readonly Node[] {
  if (evicted.length === 0) return [];
  return [
    element('h3', {}, `${counted(evicted.length, 'pod is', 'pods are')} evicted`),
    element('ul', { class: 'pods' }, ...evicted.map((pod) => element('li', {}, pod))),
  ];
}
