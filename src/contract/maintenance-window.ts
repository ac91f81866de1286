import { durationMs } from './duration.js';

/** When a maintenance window opens, and how long it stays open. */
interface WindowLike {
  /** Cron with five fields, in `timeZone`. */
  readonly schedule: string;
  /** As `6h`, in elapsed time. */
  readonly duration: string;
  /** IANA name. */
  readonly timeZone: string;
}

interface WindowState {
  readonly open: boolean;
  /** When it closes, or opens next; absent where the schedule names no time within nine years. */
  readonly nextChangeMs?: number;
}

/** The values that each field of a schedule allows, sorted. */
interface Schedule {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  /** Both the day of the month and the weekday are restricted: then either of them is enough, as in cron. */
  readonly eitherDay: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Far enough for 29 February across a century without a leap year. */
const SEARCH_DAYS = 9 * 366;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The most that each month may have. */
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/**
 * Whether a window is open at a time. It opens at the times of its schedule on the clocks of its time zone and stays open
 * for its duration in elapsed time. A time that the clocks skip opens it at the skip; one that comes twice, the first time.
 */
export function windowState(window: WindowLike, nowMs: number): WindowState {
  const schedule = parseSchedule(window.schedule);
  if (typeof schedule === 'string') return { open: false };
  const clock = wallClock(window.timeZone);
  const opened = lastOpening(schedule, window, clock, nowMs);
  const closes = (opened ?? -Infinity) + durationMs(window.duration);
  if (nowMs < closes) return { open: true, nextChangeMs: closes };
  const next = nextOpening(schedule, clock, nowMs);
  return next === undefined ? { open: false } : { open: false, nextChangeMs: next };
}

/** A window is open for a minute at least, in seconds: nothing could begin in a shorter one. */
export const WINDOW_SECONDS_MIN = 60;

/** What is wrong with the schedule of a window, in words for people; undefined when nothing is. */
export function scheduleError(text: string): string | undefined {
  const schedule = parseSchedule(text);
  if (typeof schedule === 'string') return schedule;
  const { days, months, eitherDay } = schedule;
  const isDay = months.some((month) => days.some((day) => day <= (DAYS_OF_MONTH[month - 1] ?? 0)));
  return eitherDay || isDay ? undefined : `\`${text}\` names a day that no year has`;
}

/** Whether the clocks of a place are known by this name. */
export function isTimeZone(name: string): boolean {
  try {
    wallClock(name);
    return true;
  } catch {
    return false;
  }
}

/** A schedule's fields, or what is wrong with it. */
export function parseSchedule(text: string): Schedule | string {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) return `a schedule has five fields, \`${text}\` has ${fields.length}`;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const minutes = parseField(minute, 0, 59, []);
  const hours = parseField(hour, 0, 23, []);
  const days = parseField(day, 1, 31, []);
  const months = parseField(month, 1, 12, MONTHS);
  const weekdays = parseField(weekday, 0, 7, WEEKDAYS);
  if (typeof minutes === 'string') return minutes;
  if (typeof hours === 'string') return hours;
  if (typeof days === 'string') return days;
  if (typeof months === 'string') return months;
  if (typeof weekdays === 'string') return weekdays;
  // As a CronJob reads it: `*/2` restricts a field (robfig/cron v3, spec.go).
  const eitherDay = !/^\*(?:\/1)?$/.test(day) && !/^\*(?:\/1)?$/.test(weekday);
  return { minutes, hours, days, months, weekdays: [...new Set(weekdays.map((one) => one % 7))].sort(), eitherDay };
}

function parseField(text: string, lowest: number, highest: number, names: readonly string[]): number[] | string {
  const values = new Set<number>();
  for (const part of text.toLowerCase().split(',')) {
    const [, range = '', step] = /^(\*|[a-z0-9]+(?:-[a-z0-9]+)?)(?:\/(\d+))?$/.exec(part) ?? [];
    const [from = '', to] = range.split('-');
    const first = range === '*' ? lowest : fieldNumber(from, names, lowest);
    const last =
      range === '*'
        ? highest
        : to !== undefined
          ? fieldNumber(to, names, lowest)
          : step !== undefined
            ? highest
            : first;
    const by = step === undefined ? 1 : Number(step);
    if (!(first >= lowest && last <= highest && first <= last && by >= 1))
      return `\`${text}\` is no field of a schedule`;
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

/** A number or a three-letter name; months count from 1, weekdays from 0, which is their lowest value. */
function fieldNumber(text: string, names: readonly string[], lowest: number): number {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names.indexOf(text);
  return index < 0 ? Number.NaN : index + lowest;
}

function lastOpening(
  schedule: Schedule,
  { duration }: WindowLike,
  clock: WallClock,
  nowMs: number,
): number | undefined {
  const today = localDay(clock, nowMs);
  const days = Math.ceil(durationMs(duration) / DAY_MS) + 1;
  for (let back = 0; back <= days; back += 1) {
    const latest = openingsOf(schedule, clock, today - back * DAY_MS).filter((at) => at <= nowMs);
    if (latest.length > 0) return Math.max(...latest);
  }
  return undefined;
}

function nextOpening(schedule: Schedule, clock: WallClock, nowMs: number): number | undefined {
  const today = localDay(clock, nowMs);
  for (let ahead = 0; ahead <= SEARCH_DAYS; ahead += 1) {
    const next = openingsOf(schedule, clock, today + ahead * DAY_MS).find((at) => at > nowMs);
    if (next !== undefined) return next;
  }
  return undefined;
}

/** The openings of a local day, which is given as its midnight read as UTC. */
function openingsOf(schedule: Schedule, clock: WallClock, day: number): number[] {
  if (!dayMatches(schedule, new Date(day))) return [];
  const walls = schedule.hours.flatMap((hour) =>
    schedule.minutes.map((minute) => day + (hour * 60 + minute) * MINUTE_MS),
  );
  const [before = 0, after = 0] = [day - DAY_MS, day + 2 * DAY_MS].map((instant) => clock(instant) - instant);
  // Where the clocks do not change, no time is skipped and none comes twice.
  if (before === after) return walls.map((wall) => wall - before);
  return walls.map((wall) => instantOf(clock, wall)).sort((a, b) => a - b);
}

function dayMatches(schedule: Schedule, day: Date): boolean {
  if (!schedule.months.includes(day.getUTCMonth() + 1)) return false;
  const byDate = schedule.days.includes(day.getUTCDate());
  const byWeekday = schedule.weekdays.includes(day.getUTCDay());
  return schedule.eitherDay ? byDate || byWeekday : byDate && byWeekday;
}

function localDay(clock: WallClock, atMs: number): number {
  const wall = clock(atMs);
  return wall - (((wall % DAY_MS) + DAY_MS) % DAY_MS);
}

/** The first instant at which the clocks show this time; where they skip it, the instant of the skip. */
function instantOf(clock: WallClock, wall: number): number {
  const offsetAt = (instant: number) => clock(instant) - instant;
  const before = offsetAt(wall - DAY_MS);
  const after = offsetAt(wall + DAY_MS);
  const fits = [wall - before, wall - after].filter((instant) => clock(instant) === wall);
  if (fits.length > 0) return Math.min(...fits);
  // Skipped: the clocks change somewhere between these two instants.
  let [early, late] = [wall - after, wall - before];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle) === after) late = middle;
    else early = middle;
  }
  return late;
}

/** What the clocks of a time zone show at an instant, read as if it were UTC, to the second. */
type WallClock = (atMs: number) => number;

/** @throws RangeError when the zone is unknown */
function wallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  };
}
