import { compareText } from '../lib/json.js';

/** Longer words are no typos of anything, and the table below would be large. */
const wordLengthMax = 100;

/**
 * Damerau-Levenshtein distance in its optimal string alignment form: insertions, deletions, substitutions and swaps of
 * neighbours, no part edited twice.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, substituted);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;

/** One edit in a short word, about one in three characters in a longer one, as rustc has it. */
const allowedEdits = (length: number): number => Math.max(1, Math.floor(length / 3));

/**
 * The candidate that was probably meant, whatever its case; undefined where none is near. Candidates equally near are
 * told apart by code-unit order, so that the answer does not depend on theirs.
 */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word === '' || word.length > wordLengthMax) {
    return undefined;
  }
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of [...candidates].sort(compareText)) {
    const limit = Math.min(allowedEdits(Math.max(word.length, candidate.length)), (best?.distance ?? Infinity) - 1);
    if (candidate === word || Math.abs(candidate.length - word.length) > limit) {
      continue;
    }
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    // A short word with every letter changed is another word.
    if (distance <= limit && distance < candidate.length) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** The same as help, in words. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const candidate = suggest(word, candidates);
  return candidate === undefined ? undefined : `did you mean \`${candidate}\`?`;
}
