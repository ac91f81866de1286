import { describe, expect, it } from '@jest/globals';
import { isTimeZone, scheduleError, windowState } from './maintenance-window.js';

const at = (text: string) => Date.parse(text);
const friday = { schedule: '0 22 * * 5', duration: '6h', timeZone: 'Europe/Oslo' };

describe('windowState', () => {
  it.each([
    // 2026-11-20 is a Friday; Oslo is UTC+1 in winter.
    { name: 'before', window: friday, now: '2026-11-20T20:59:59Z', open: false, change: '2026-11-20T21:00:00Z' },
    { name: 'at its opening', window: friday, now: '2026-11-20T21:00:00Z', open: true, change: '2026-11-21T03:00:00Z' },
    { name: 'past midnight', window: friday, now: '2026-11-21T02:59:59Z', open: true, change: '2026-11-21T03:00:00Z' },
    { name: 'at its end', window: friday, now: '2026-11-21T03:00:00Z', open: false, change: '2026-11-27T21:00:00Z' },
    { name: 'in summer time', window: friday, now: '2026-07-03T20:00:00Z', open: true, change: '2026-07-04T02:00:00Z' },
    {
      // Oslo skips 02:00 to 03:00 on 2026-03-29.
      name: 'at a time that the clocks skip',
      window: { schedule: '30 2 * * *', duration: '1h', timeZone: 'Europe/Oslo' },
      now: '2026-03-29T00:30:00Z',
      open: false,
      change: '2026-03-29T01:00:00Z',
    },
    {
      name: 'at a time that the clocks skip, with other hours on that day',
      window: { schedule: '0,30 2,5 * * *', duration: '1h', timeZone: 'Europe/Oslo' },
      now: '2026-03-29T00:30:00Z',
      open: false,
      change: '2026-03-29T01:00:00Z',
    },
    {
      name: 'in an hour that comes twice, for every hour: both times',
      window: { schedule: '30 * * * *', duration: '1m', timeZone: 'Europe/Oslo' },
      now: '2026-10-25T01:00:00Z',
      open: false,
      change: '2026-10-25T01:30:00Z',
    },
    {
      name: 'across the skip: six hours are six hours',
      window: { schedule: '0 22 * * 6', duration: '6h', timeZone: 'Europe/Oslo' },
      now: '2026-03-29T02:59:00Z',
      open: true,
      change: '2026-03-29T03:00:00Z',
    },
    {
      // Oslo has 02:00 to 03:00 twice on 2026-10-25: at 00:00Z and at 01:00Z.
      name: 'at a time that comes twice: the first time',
      window: { schedule: '30 2 * * *', duration: '30m', timeZone: 'Europe/Oslo' },
      now: '2026-10-25T00:30:00Z',
      open: true,
      change: '2026-10-25T01:00:00Z',
    },
    {
      name: 'at a time that comes twice: not the second time',
      window: { schedule: '30 2 * * *', duration: '30m', timeZone: 'Europe/Oslo' },
      now: '2026-10-25T01:30:00Z',
      open: false,
      change: '2026-10-26T01:30:00Z',
    },
    {
      name: 'with either day when both are restricted',
      window: { schedule: '0 0 1 * mon', duration: '1m', timeZone: 'UTC' },
      now: '2026-11-27T00:00:00Z',
      open: false,
      change: '2026-11-30T00:00:00Z',
    },
    {
      name: 'with either day when one is restricted by steps',
      window: { schedule: '0 0 15 * */5', duration: '1m', timeZone: 'UTC' },
      now: '2026-11-16T00:00:00Z',
      open: false,
      change: '2026-11-20T00:00:00Z',
    },
    {
      name: 'on 29 February',
      window: { schedule: '0 0 29 2 *', duration: '1m', timeZone: 'UTC' },
      now: '2026-03-01T00:00:00Z',
      open: false,
      change: '2028-02-29T00:00:00Z',
    },
    {
      name: 'with steps and lists',
      window: { schedule: '*/20 1-2,5 * jan,nov 0-7', duration: '1m', timeZone: 'UTC' },
      now: '2026-11-20T02:40:30Z',
      open: true,
      change: '2026-11-20T02:41:00Z',
    },
    {
      name: 'that is longer than its period: always open',
      window: { schedule: '0 0 * * *', duration: '48h', timeZone: 'UTC' },
      now: '2026-11-20T12:00:00Z',
      open: true,
      change: '2026-11-22T00:00:00Z',
    },
    {
      name: 'in a zone with half hours',
      window: { schedule: '0 6 * * *', duration: '1m', timeZone: 'Asia/Kolkata' },
      now: '2026-11-20T00:00:00Z',
      open: false,
      change: '2026-11-20T00:30:00Z',
    },
  ])('$name', ({ window, now, open, change }) => {
    const state = windowState(window, at(now));
    expect({ open: state.open, change: new Date(state.nextChangeMs ?? 0).toISOString() }).toEqual({
      open,
      change: new Date(change).toISOString(),
    });
  });

  it('never opens on a day that no year has', () => {
    const never = { schedule: '0 0 31 2 *', duration: '1m', timeZone: 'UTC' };
    expect(windowState(never, at('2026-11-20T00:00:00Z'))).toEqual({ open: false });
  });
});

describe('scheduleError', () => {
  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '0 22 31 2 *',
    '0 22 31 4,6,9,11 *',
    '0 0 22 * * 5',
    '*/0 * * * *',
    'x * * * *',
    '0 22 L * *',
    '0 22 15W * *',
    '0 22 * * 5#2',
    '0 22 ? * *',
    '/5 * * * *',
    '@daily',
  ])('refuses %s', (schedule) => {
    expect(scheduleError(schedule)).toBeDefined();
  });

  it.each(['0 22 * * 5', '0 22 29 2 *', '*/20 1-2,5 * jan,nov 0-7', '0 22 31 2 5', '5/10 * * * *', '0 22 * * fri-sun'])(
    'takes %s',
    (schedule) => {
      expect(scheduleError(schedule)).toBeUndefined();
    },
  );
});

it.each([
  { name: 'Europe/Oslo', expected: true },
  { name: 'UTC', expected: true },
  { name: 'Europe/Atlantis', expected: false },
])('isTimeZone($name) = $expected', ({ name, expected }) => {
  expect(isTimeZone(name)).toBe(expected);
});
