import { describe, expect, it } from '@jest/globals';
import { counted, listed, listedNames } from './listed.js';

describe('listed', () => {
  it.each([
    { names: [], limit: 2, text: '' },
    { names: ['a', 'b'], limit: 2, text: 'a, b' },
    { names: ['a', 'b', 'c'], limit: 2, text: 'a, b, c' },
    { names: ['a', 'b', 'c', 'd'], limit: 2, text: 'a, b and 2 more' },
  ])('$text', ({ names, limit, text }) => {
    expect(listed(names, limit)).toBe(text);
  });

  it.each([
    { text: counted(0, 'node'), expected: '0 nodes' },
    { text: counted(1, 'node'), expected: '1 node' },
    { text: counted(1, 'entry', 'entries'), expected: '1 entry' },
    { text: counted(2, 'entry', 'entries'), expected: '2 entries' },
  ])('counts $expected', ({ text, expected }) => {
    expect(text).toBe(expected);
  });

  it('puts names in backticks, and not the rest', () => {
    expect(listedNames(['a', 'b', 'c', 'd'], 2)).toBe('`a`, `b` and 2 more');
  });
});
