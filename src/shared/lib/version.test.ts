import { describe, expect, it } from '@jest/globals';
import { compareVersions } from './version.js';

describe('compareVersions', () => {
  it.each([
    { a: '1.9', b: '1.10', expected: -1 },
    { a: 'v1.32.7', b: '1.32', expected: 0 },
    { a: '4.17', b: '4.9.12', expected: 1 },
    { a: '10.0', b: '9.6', expected: 1 },
    { a: '15', b: '15.0', expected: 0 },
    { a: '', b: '0.1', expected: -1 },
  ])('puts $a and $b in order', ({ a, b, expected }) => {
    expect(Math.sign(compareVersions(a, b))).toBe(expected);
    expect(Math.sign(compareVersions(b, a)) + 0).toBe(-expected + 0);
  });
});
