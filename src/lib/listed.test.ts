import { describe, expect, it } from '@jest/globals';
import { listed, listedNames } from './listed.js';

describe('listed', () => {
  it.each([
    { names: [], limit: 2, text: '' },
    { names: ['a', 'b'], limit: 2, text: 'a, b' },
    { names: ['a', 'b', 'c'], limit: 2, text: 'a, b, c' },
    { names: ['a', 'b', 'c', 'd'], limit: 2, text: 'a, b and 2 more' },
  ])('$text', ({ names, limit, text }) => {
    expect(listed(names, limit)).toBe(text);
  });

  it('puts names in backticks, and not the rest', () => {
    expect(listedNames(['a', 'b', 'c', 'd'], 2)).toBe('`a`, `b` and 2 more');
  });
});
