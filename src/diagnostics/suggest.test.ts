import { describe, expect, it } from '@jest/globals';
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
