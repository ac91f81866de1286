import { activeSpan } from '../segments.js';
import type { Timeline, TimelineSpan } from '../types.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Shorter times without a node in progress are drawn in full. */
const GAP_MIN_MS = HOUR;
/** A gap is drawn as wide as this share of all that happens. */
const GAP_SHARE = 0.04;

/** A part of the time, drawn from `left` to `right`, in shares of the width. */
interface Piece extends TimelineSpan {
  readonly left: number;
  readonly right: number;
  /** Nothing happens in it, so it is drawn shorter than it is. */
  readonly isGap: boolean;
}

/** Where times are drawn. */
export interface Scale {
  readonly pieces: readonly Piece[];
  /** Share of the width, from 0 to 1. */
  readonly at: (ms: number) => number;
  readonly msAt: (share: number) => number;
}

/** Draws all of the time, and long times in which no node is in progress only as marks. */
export function makeScale(timeline: Timeline): Scale {
  const spans = spansOf(timeline);
  const drawnMs = spans.reduce((sum, one) => sum + (one.isGap ? 0 : one.toMs - one.fromMs), 0);
  const weights = spans.map((one) => (one.isGap ? Math.max(drawnMs * GAP_SHARE, 1) : one.toMs - one.fromMs));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = 0;
  const pieces = spans.map((span, index): Piece => {
    const right = left + (weights[index] ?? 0) / total;
    const piece = { ...span, left, right };
    left = right;
    return piece;
  });
  return {
    pieces,
    at: (ms) => {
      const piece = pieces.find(({ toMs }) => ms <= toMs);
      if (piece === undefined) return 1;
      const share = Math.max(0, ms - piece.fromMs) / (piece.toMs - piece.fromMs);
      return piece.left + share * (piece.right - piece.left);
    },
    msAt: (share) => {
      const piece = pieces.find(({ right }) => share <= right) ?? pieces[pieces.length - 1];
      if (piece === undefined) return timeline.fromMs;
      return piece.fromMs + ((share - piece.left) / (piece.right - piece.left)) * (piece.toMs - piece.fromMs);
    },
  };
}

type Span = TimelineSpan & { readonly isGap: boolean };

/** The time in parts: when nodes are in progress, and the long gaps between. */
function spansOf({ rows, fromMs, toMs }: Timeline): readonly Span[] {
  const active = rows.flatMap(({ segments }) => activeSpan(segments) ?? []).sort((a, b) => a.fromMs - b.fromMs);
  const spans: Span[] = [];
  let atMs = fromMs;
  const gapMs = Math.max(GAP_MIN_MS, (toMs - fromMs) / 50);
  const draw = (untilMs: number): void => {
    if (untilMs <= atMs) return;
    const last = spans[spans.length - 1];
    if (last !== undefined && !last.isGap) spans[spans.length - 1] = { ...last, toMs: untilMs };
    else spans.push({ fromMs: atMs, toMs: untilMs, isGap: false });
    atMs = untilMs;
  };
  const skip = (untilMs: number): void => {
    if (active.length === 0 || untilMs - atMs < gapMs) return draw(untilMs);
    spans.push({ fromMs: atMs, toMs: untilMs, isGap: true });
    atMs = untilMs;
  };
  for (const one of active) {
    if (one.fromMs > atMs) skip(Math.min(one.fromMs, toMs));
    draw(Math.min(one.toMs, toMs));
  }
  skip(toMs);
  return spans;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);

/** About so many pixels lie between two marks of the axis. */
const TICK_PIXELS = 96;

/** Times at which the axis has a mark. */
export function ticksOf({ pieces }: Scale, width: number, offsetMs: (ms: number) => number): readonly number[] {
  return pieces.flatMap((piece) => {
    if (piece.isGap) return [];
    const room = Math.max(1, ((piece.right - piece.left) * width) / TICK_PIXELS);
    const step = STEPS.find((one) => (piece.toMs - piece.fromMs) / one <= room) ?? 7 * 1440 * MINUTE;
    const offset = offsetMs(piece.fromMs);
    const ticks: number[] = [];
    for (let ms = Math.ceil((piece.fromMs + offset) / step) * step - offset; ms <= piece.toMs; ms += step)
      ticks.push(ms);
    return ticks;
  });
}
