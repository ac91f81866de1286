import type { TimelineSpan } from '../types.js';
import { drawing, element, place } from './dom.js';
import { lengthText } from './clock.js';
import { ticksOf } from './scale.js';
import type { View } from './view.js';

/** So many pixels are needed for the text of a mark, and for that of a gap. */
const MARK_PIXELS = 44;
/** So many more for a day. */
const DAY_PIXELS = 44;

/** The marks of the axis, with the day where it changes. */
export function axisMarks({ scale, clock }: View, width: number): readonly HTMLElement[] {
  let day = '';
  const hasRoom = (ms: number, pixels: number): boolean => {
    const piece = scale.pieces.find(({ isGap, fromMs, toMs }) => !isGap && fromMs <= ms && ms <= toMs);
    return piece !== undefined && (piece.right - scale.at(ms)) * width > pixels;
  };
  const marks = ticksOf(scale, width, clock.offsetMs).flatMap((ms) => {
    const today = clock.day(ms);
    const isNew = today !== day;
    if (!hasRoom(ms, MARK_PIXELS + (isNew ? DAY_PIXELS : 0))) return [];
    day = today;
    const mark = element('span', { class: 'mark' }, isNew ? element('b', {}, `${today} `) : undefined, clock.short(ms));
    mark.style.left = `${(scale.at(ms) * 100).toFixed(3)}%`;
    return mark;
  });
  const gaps = scale.pieces.filter(({ isGap, left, right }) => isGap && (right - left) * width > MARK_PIXELS);
  return [
    ...marks,
    ...gaps.map((gap) => {
      const text = lengthText(gap.toMs - gap.fromMs);
      const title = `${text} without a node in progress: ${clock.full(gap.fromMs)} to ${clock.full(gap.toMs)}`;
      const mark = element('span', { class: 'gap-mark', title }, text);
      place(mark, gap.left, gap.right);
      return mark;
    }),
  ];
}

/** Windows, soaks, gaps and the lines of the axis, behind all rows. */
export function background({ timeline, scale, clock }: View, width: number): HTMLElement {
  const layer = element('div', { class: 'background', 'aria-hidden': 'true' });
  const band = (name: string, fromMs: number, toMs: number): void => {
    const [from, to] = [scale.at(Math.max(fromMs, timeline.fromMs)), scale.at(Math.min(toMs, timeline.toMs))];
    if (to <= from) return;
    const made = element('div', { class: `band ${name}` });
    place(made, from, to);
    layer.append(made);
  };
  if (timeline.windows.length > 0) {
    let closedMs = timeline.fromMs;
    for (const { fromMs, toMs } of timeline.windows) {
      if (fromMs > closedMs) band('closed', closedMs, fromMs);
      closedMs = Math.max(closedMs, toMs);
    }
    if (closedMs < timeline.toMs) band('closed', closedMs, timeline.toMs);
    for (const { fromMs, toMs } of timeline.windows) band('window', fromMs, toMs);
  }
  for (const { fromMs, toMs } of timeline.soaks) band('soak', fromMs, toMs);
  for (const { isGap, fromMs, toMs } of scale.pieces) if (isGap) band('gap', fromMs, toMs);
  for (const ms of ticksOf(scale, width, clock.offsetMs)) {
    const line = element('div', { class: 'line' });
    line.style.left = `${(scale.at(ms) * 100).toFixed(3)}%`;
    layer.append(line);
  }
  return layer;
}

/** A number over the time. */
export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly atMs: number; readonly count: number }[];
  readonly limit: number | null;
  readonly most: number;
}

/** How many nodes are in progress, from the times in which each of them is. */
export function inProgress(activeSpans: readonly TimelineSpan[], startMs: number): Curve {
  const changes = activeSpans
    .flatMap(({ fromMs, toMs }) => [
      { atMs: fromMs, change: 1 },
      { atMs: toMs, change: -1 },
    ])
    .sort((a, b) => a.atMs - b.atMs || a.change - b.change);
  let count = 0;
  const points = changes.map(({ atMs, change }) => ({ atMs, count: (count += change) }));
  return curveOf('nodes in progress', [{ atMs: startMs, count: 0 }, ...points]);
}

function curveOf(name: string, points: Curve['points']): Curve {
  return { name, points, limit: null, most: points.reduce((most, one) => Math.max(most, one.count), 0) };
}

/** How many nodes are in progress, and how many pods find no node. */
export function curvesOf({ timeline }: View, activeSpans: readonly TimelineSpan[]): readonly Curve[] {
  const pods = curveOf('pods without a node', timeline.podsWithoutNode);
  const nodes = { ...inProgress(activeSpans, timeline.fromMs), limit: timeline.nodesAtOnce };
  return [nodes, ...(pods.most > 0 ? [pods] : [])];
}

/** The number at a time. */
export function countAt({ points }: Curve, ms: number): number {
  let count = 0;
  for (const point of points) {
    if (point.atMs > ms) break;
    count = point.count;
  }
  return count;
}

const HEIGHT = 100;

/** A curve as steps, over the whole width. */
export function curveDrawing(curve: Curve, { timeline, scale }: View): SVGSVGElement {
  const top = Math.max(curve.most, curve.limit ?? 0, 1) * 1.08;
  const y = (count: number): string => (HEIGHT - (count / top) * HEIGHT).toFixed(1);
  const x = (ms: number): string => (scale.at(ms) * 1000).toFixed(1);
  const steps = curve.points.map(({ atMs, count }) => `H${x(atMs)}V${y(count)}`).join('');
  const area = `M0,${HEIGHT}${steps}H${x(timeline.toMs)}V${HEIGHT}Z`;
  const { limit } = curve;
  return drawing(
    'svg',
    { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawing('path', { class: 'area', d: area }),
    limit === null ? undefined : drawing('path', { class: 'limit', d: `M0,${y(limit)}H1000` }),
  );
}
