import { activeSpan } from '../segments.js';
import { axisMarks, background, countAt, curveDrawing, curvesOf, type Curve } from './background.js';
import { element } from './dom.js';
import { makeRows, type Rows } from './rows.js';
import type { View } from './view.js';

/** The chart: the axis with the curves, and the rows. */
export interface Chart {
  readonly made: HTMLElement;
  readonly rows: Rows;
  /** Draws axis and background again for the width that the chart has now. */
  readonly resize: () => void;
}

export function makeChart(view: View): Chart {
  const rows = makeRows(view);
  const spans = view.timeline.rows.flatMap(({ segments }) => activeSpan(segments) ?? []);
  const curves = curvesOf(view, spans);
  const marks = element('div', { class: 'marks' });
  const axis = element('div', { class: 'axis' }, element('div', { class: 'label' }, view.clock.name), marks);
  const lines = curves.map((curve) => curveRow(curve, view));
  const head = element('div', { class: 'head', 'aria-hidden': 'true' }, ...lines.map(({ made }) => made), axis);
  const cursor = element('div', { class: 'cursor', 'aria-hidden': 'true', hidden: '' });
  const plot = element('div', { class: 'plot' }, head, rows.list, cursor);
  const made = element('div', { class: 'chart' }, plot);
  followPointer({ plot, marks, cursor, lines }, view);
  let layer: HTMLElement | undefined;
  const resize = (): void => {
    plot.style.setProperty('--zoom', String(view.choice.zoom));
    const width = Math.max(200, marks.clientWidth);
    marks.replaceChildren(...axisMarks(view, width));
    layer?.remove();
    layer = background(view, width);
    plot.prepend(layer);
  };
  return { made, rows, resize };
}

interface CurveRow {
  readonly curve: Curve;
  readonly made: HTMLElement;
  readonly now: HTMLElement;
}

function curveRow(curve: Curve, view: View): CurveRow {
  const now = element('span', { class: 'count' }, mostText(curve));
  const label = element('div', { class: 'label' }, element('span', {}, curve.name), now);
  const made = element('div', { class: 'curve' }, label, element('div', { class: 'track' }, curveDrawing(curve, view)));
  return { curve, made, now };
}

function mostText({ most, limit }: Curve): string {
  return limit === null ? `at most ${most}` : `at most ${most} of ${limit}`;
}

/** A line at the pointer, with the time and the numbers there. */
function followPointer(
  {
    plot,
    marks,
    cursor,
    lines,
  }: { plot: HTMLElement; marks: HTMLElement; cursor: HTMLElement; lines: readonly CurveRow[] },
  { scale, clock }: View,
): void {
  const hide = (): void => {
    cursor.hidden = true;
    for (const { curve, now } of lines) now.textContent = mostText(curve);
  };
  plot.addEventListener('pointermove', (event) => {
    const box = marks.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    if (share < 0 || share > 1) return hide();
    const ms = scale.msAt(share);
    cursor.hidden = false;
    cursor.style.left = `${event.clientX - plot.getBoundingClientRect().left}px`;
    cursor.dataset['time'] = clock.full(ms);
    for (const { curve, now } of lines) now.textContent = String(countAt(curve, ms));
  });
  plot.addEventListener('pointerleave', hide);
}
