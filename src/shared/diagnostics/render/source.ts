import type { Diagnostic, Location, PathStep } from '../diagnostic.js';
import { escapeUnsafe } from '../../lib/escape.js';
import { shorten } from '../../lib/text.js';
import { widthOf } from './width.js';

/** Columns of a long source line that are shown, and how many of them are before the caret. */
const shownWidth = 120;
const shownBefore = 50;

/** Source text, escaped for a terminal. */
export const showSource = (text: string): string => escapeUnsafe(text).replaceAll('\t', '    ');

/** Cuts before a whole character, so that no half of a surrogate pair is left. */
export function wholeCharacters(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset + 1 : offset;
}

/** A part of a line, as offsets in it. */
interface LinePart {
  readonly from: number;
  readonly to: number;
}

/**
 * The part of a line around an offset that is shown. It is cut before the whole line is processed, which may have
 * megabytes, and by the columns of its escaped characters.
 */
export function shownPart(line: string, offset: number): LinePart {
  const isShort = line.length <= shownWidth && widthOf(showSource(line)) <= shownWidth;
  if (isShort) return { from: 0, to: line.length };
  const widthsOf = (from: number, to: number) =>
    Array.from(line.slice(wholeCharacters(line, from), wholeCharacters(line, to)), (character) => ({
      length: character.length,
      width: widthOf(showSource(character)),
    }));
  const before = widthsOf(Math.max(0, offset - shownWidth), offset).reverse();
  const behind = widthsOf(offset, Math.min(line.length, offset + shownWidth));
  const left = taken(before, Math.max(shownBefore, shownWidth - taken(behind, shownWidth).width));
  const right = taken(behind, shownWidth - left.width);
  return { from: offset - left.length, to: offset + right.length };
}

interface Extent {
  readonly length: number;
  readonly width: number;
}

/** The first characters that fit in the columns. */
function taken(characters: readonly Extent[], columns: number): Extent {
  let length = 0;
  let width = 0;
  for (const character of characters) {
    if (width + character.width > columns) break;
    length += character.length;
    width += character.width;
  }
  return { length, width };
}

/** A place in formats for programs; of a long line it has the part around the place. */
export interface ShownLocation extends Location {
  /** The column at which `sourceLine` begins, if the line is cut. */
  readonly sourceColumn?: number;
}

function shownLocation(location: Location): ShownLocation {
  const { sourceLine, column } = location;
  if (sourceLine === undefined) return location;
  const { from, to } = shownPart(sourceLine, startOf(sourceLine, column));
  if (from === 0 && to === sourceLine.length) return location;
  return { ...location, sourceLine: sourceLine.slice(from, to), sourceColumn: from + 1 };
}

/** The offset in a line at which the place begins; the first character if there is no column. */
function startOf(sourceLine: string, column = 1): number {
  return wholeCharacters(sourceLine, Math.min(column - 1, sourceLine.length));
}

/** A diagnostic in formats for programs. */
interface ShownDiagnostic extends Diagnostic {
  readonly location?: ShownLocation;
  readonly related?: { readonly location: ShownLocation; readonly message: string };
}

/**
 * A complete diagnostic in formats for programs, with texts cut to a maximum length, because input may have keys and
 * lines of megabytes.
 */
export function shownDiagnostic(diagnostic: Diagnostic): ShownDiagnostic {
  const { message, label, help, path, location, related } = diagnostic;
  const step = (one: PathStep): PathStep => (typeof one === 'string' ? shorten(one) : one);
  return {
    ...diagnostic,
    message: shorten(message),
    ...(label !== undefined && { label: shorten(label) }),
    ...(help !== undefined && { help: shorten(help) }),
    ...(path && { path: path.map(step) }),
    ...(location && { location: shownLocation(location) }),
    ...(related && {
      related: { location: shownLocation(related.location), message: shorten(related.message) },
    }),
  };
}
