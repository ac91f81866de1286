import { expect, it } from '@jest/globals';
import { Cron } from 'croner';
import { fc } from '../../test/kit/fast-check.js';
import { runsOf } from '../../test/kit/shares.js';
import { scheduleError, windowState } from './maintenance-window.js';

/** Zones whose clocks change in either direction, by half an hour, at midnight, or never. */
const ZONES = [
  'UTC',
  'Europe/Oslo',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Pacific/Apia',
];

const number = (from: number, to: number) => fc.integer({ min: from, max: to }).map(String);
const field = (from: number, to: number) =>
  fc.oneof(
    fc.constant('*'),
    number(from, to),
    fc.array(number(from, to), { minLength: 2, maxLength: 3 }).map((values) => values.join(',')),
    fc
      .tuple(fc.integer({ min: from, max: to }), fc.integer({ min: from, max: to }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.integer({ min: 2, max: Math.min(20, to - from) }).map((step) => `*/${step}`),
  );
const schedule = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
  .map((fields) => fields.join(' '))
  .filter((text) => scheduleError(text) === undefined);

/** Two years, with each change of the clocks twice. */
const now = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') });

const DAY_MS = 86_400_000;

/** Whether the clocks of a zone change within a day of an instant. */
function isNearChange(timeZone: string, atMs: number): boolean {
  const shown = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', year: 'numeric' });
  const offset = (ms: number) => shown.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value;
  return offset(atMs - DAY_MS) !== offset(atMs + DAY_MS);
}

// Where the clocks skip a time, croner opens some minutes later, or not at all where other hours follow on that day.
it('opens when croner does, but for days on which the clocks change', () => {
  fc.assert(
    fc.property(schedule, fc.constantFrom(...ZONES), now, (text, timeZone, nowMs) => {
      const { open, nextChangeMs } = windowState({ schedule: text, duration: '1m', timeZone }, nowMs);
      if (open || nextChangeMs === undefined || isNearChange(timeZone, nextChangeMs)) return;
      const next = new Cron(text, { timezone: timeZone, mode: '5-part', paused: true }).nextRun(new Date(nowMs));
      expect(nextChangeMs).toBe(next?.getTime());
    }),
    runsOf(60, 1_000),
  );
});
