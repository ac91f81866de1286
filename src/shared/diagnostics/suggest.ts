import { compareText } from '../lib/json.js';

/** Longer words are not compared, because the table below would be large. */
const wordLengthMax = 100;

/**
 * Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions, substitutions and swaps of
 * neighbours, no part edited twice. If it is more than `limit`, the result is any number above `limit`: cells further
 * than that from the diagonal are not computed, and the search ends at a row without a cell within the limit.
 */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = i <= limit ? [i] : [];
    let least = at(row, 0);
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(beforeLast, j - 2) + 1);
      row[j] = best;
      least = Math.min(least, best);
    }
    if (least > limit) return Infinity;
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

/**
 * Whether `a` has more characters that are not in `b` than allowed edits. Each takes one edit, and most words are
 * excluded by this.
 */
function hasOtherLetters(a: string, b: string, limit: number): boolean {
  let others = 0;
  for (let index = 0; index < a.length && others <= limit; index++) if (!b.includes(a.charAt(index))) others += 1;
  return others > limit;
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;

/** One edit in a short word, about one per three characters in a longer one, as in rustc. */
const allowedEdits = (length: number): number => Math.max(1, Math.floor(length / 3));

interface Near {
  readonly candidate: string;
  readonly distance: number;
}

/** The maximum distance of a candidate that is nearer than another one. */
function distanceLimit(best: Near | undefined, candidate: string): number {
  if (best === undefined) return Infinity;
  return compareText(candidate, best.candidate) < 0 ? best.distance : best.distance - 1;
}

/**
 * The candidate that was probably meant, ignoring case; undefined if none is near. Of equally near candidates the first
 * by code units is taken, so that the result does not depend on their order.
 */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word === '' || word.length > wordLengthMax) return undefined;
  const meant = word.toLowerCase();
  let best: Near | undefined;
  for (const candidate of candidates) {
    if (candidate === word) continue;
    const limit = Math.min(allowedEdits(Math.max(word.length, candidate.length)), distanceLimit(best, candidate));
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const other = candidate.toLowerCase();
    if (hasOtherLetters(meant, other, limit)) continue;
    const distance = editDistance(meant, other, limit);
    // A short word in which every letter differs is another word.
    if (distance <= limit && distance < candidate.length) best = { candidate, distance };
  }
  return best?.candidate;
}

/** The help that proposes the probable spelling. */
export function askWhether(meant: string): string {
  return `did you mean \`${meant}\`?`;
}

/** {@link suggest} as help text. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const candidate = suggest(word, candidates);
  return candidate === undefined ? undefined : askWhether(candidate);
}
