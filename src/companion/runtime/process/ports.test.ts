import { afterEach, expect, it, jest } from '@jest/globals';
import { systemClock } from './ports.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it.each([2, -2])('a jump of the wall clock by %s hours changes no time of a process', (hours) => {
  const before = systemClock.now();
  expect(before).toBe(Math.floor(before));
  expect(Math.abs(before - Date.now())).toBeLessThan(60_000);
  const jumped = Date.now() + hours * 3_600_000;
  jest.spyOn(Date, 'now').mockReturnValue(jumped);
  const later = systemClock.now();
  expect(later).toBeGreaterThanOrEqual(before);
  expect(later - before).toBeLessThan(60_000);
});
