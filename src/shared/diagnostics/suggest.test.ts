import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/kit/fast-check.js';
import { suggest } from './suggest.js';

const keys = ['ofedDriver', 'rdmaSharedDevicePlugin', 'sriovDevicePlugin', 'secondaryNetwork', 'nvIpam', 'version'];

const cases: readonly { name: string; word: string; candidates: readonly string[]; expected: string | undefined }[] = [
  { name: 'a missing letter', word: 'ofedDriv', candidates: keys, expected: 'ofedDriver' },
  { name: 'a letter too many', word: 'versionn', candidates: keys, expected: 'version' },
  { name: 'a wrong letter', word: 'varsion', candidates: keys, expected: 'version' },
  { name: 'swapped letters', word: 'verison', candidates: keys, expected: 'version' },
  { name: 'another case', word: 'NVIPAM', candidates: keys, expected: 'nvIpam' },
  { name: 'another case of a word as short as a letter', word: 'X', candidates: ['x', 'y'], expected: 'x' },
  { name: 'the nearest one', word: 'sriovDevicePlugins', candidates: keys, expected: 'sriovDevicePlugin' },
  { name: 'ties by code unit', word: 'gat', candidates: ['gate', 'gaze', 'cat', 'bat'], expected: 'bat' },
  { name: 'nothing near', word: 'banana', candidates: keys, expected: undefined },
  { name: 'two words of two letters', word: 'ab', candidates: ['cd', 'ef'], expected: undefined },
  { name: 'no other letter in common', word: 'x', candidates: ['y'], expected: undefined },
  { name: 'the word itself', word: 'version', candidates: ['version'], expected: undefined },
  { name: 'nothing to choose from', word: 'a', candidates: [], expected: undefined },
  { name: 'an empty word', word: '', candidates: ['a'], expected: undefined },
  { name: 'a word without end', word: 'x'.repeat(1_000_000), candidates: keys, expected: undefined },
  { name: 'a key of Object.prototype', word: '__proto__', candidates: keys, expected: undefined },
];

describe('suggest', () => {
  it.each(cases)('$name', ({ word, candidates, expected }) => {
    expect(suggest(word, candidates)).toBe(expected);
    expect(suggest(word, [...candidates].reverse())).toBe(expected);
  });
});

/** The number of edits by the definition alone. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    edits(a.slice(0, -1), b) + 1,
    edits(a, b.slice(0, -1)) + 1,
    edits(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
    ...(isSwap ? [edits(a.slice(0, -2), b.slice(0, -2)) + 1] : []),
  );
}

function suggestedByDefinition(word: string, candidates: readonly string[]): string | undefined {
  const near = candidates.flatMap((candidate) => {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase());
    const limit = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    const isNear = candidate !== word && distance <= limit && distance < candidate.length;
    return isNear ? [{ candidate, distance }] : [];
  });
  const [best] = near.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return best?.candidate;
}

it('suggests what the definition of the distance does', () => {
  const word = (minLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'c'), minLength, maxLength: 7 });
  fc.assert(
    fc.property(word(1), fc.array(word(0), { maxLength: 6 }), (typed, candidates) => {
      expect(suggest(typed, candidates)).toBe(suggestedByDefinition(typed, candidates));
    }),
    { numRuns: 1000 },
  );
});
