import { describe, expect, it } from '@jest/globals';
import { hasEntries } from './has-entries.js';

type Values = Readonly<Record<string, unknown>>;
const CASES: readonly { name: string; object: Values; wanted: Values; expected: boolean }[] = [
  { name: 'nothing is wanted', object: {}, wanted: {}, expected: true },
  { name: 'all are there, and more', object: { a: '1', b: '2' }, wanted: { a: '1' }, expected: true },
  { name: 'a value differs', object: { a: '1', b: '2' }, wanted: { a: '1', b: '3' }, expected: false },
  { name: 'a key is missing', object: { a: '1' }, wanted: { b: '1' }, expected: false },
  { name: 'a key is inherited', object: {}, wanted: { constructor: Object }, expected: false },
];

describe('hasEntries', () => {
  it.each(CASES)('$name', ({ object, wanted, expected }) => {
    expect(hasEntries(object, wanted)).toBe(expected);
  });
});
