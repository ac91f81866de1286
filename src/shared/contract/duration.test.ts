import { expect, it } from '@jest/globals';
import { durationSeconds } from './duration.js';

it.each([
  { text: '90s', expected: 90 },
  { text: '30m', expected: 1800 },
  { text: '1h30m', expected: 5400 },
  { text: '2d', expected: 172_800 },
  { text: '0s', expected: 0 },
  { text: '', expected: undefined },
  { text: '30', expected: undefined },
  { text: '-1s', expected: undefined },
  { text: '1.5h', expected: undefined },
  { text: '99999999999999999s', expected: undefined },
])('durationSeconds($text) = $expected', ({ text, expected }) => {
  expect(durationSeconds(text)).toBe(expected);
});
