import { Cron } from 'croner';
import { thrownTexts } from '../lib/thrown.js';
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
  /** When it closes, or opens next; absent where the schedule names no time. */
  readonly nextChangeMs?: number;
}

/** A window is open for a minute at least, in seconds: nothing could begin in a shorter one. */
export const WINDOW_SECONDS_MIN = 60;

/**
 * What a field of a CronJob's schedule may have (robfig/cron v3, parser.go); croner also reads `L`, `W`, `#` and `+`, and a step
 * without a range.
 */
const FIELD =
  /^(?!\/|.*,\/)(?:[\d*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)+$/i;

/**
 * Whether a window is open at a time. It opens at the times of its schedule on the clocks of its time zone and stays open
 * for its duration in elapsed time. A time that the clocks skip opens it after the skip, unless its hours or minutes have `*`; one
 * that comes twice, the first time.
 */
export function windowState({ schedule, duration, timeZone }: WindowLike, nowMs: number): WindowState {
  const cron = readSchedule(schedule, timeZone);
  if (typeof cron === 'string') return { open: false };
  // The run at the instant itself is included.
  const [opened] = cron.previousRuns(1, new Date(nowMs + 1));
  const closesMs = (opened?.getTime() ?? -Infinity) + durationMs(duration);
  if (nowMs < closesMs) return { open: true, nextChangeMs: closesMs };
  const next = cron.nextRun(new Date(nowMs));
  return next === null ? { open: false } : { open: false, nextChangeMs: next.getTime() };
}

/** What is wrong with the schedule of a window or a CronJob, in words for people; undefined when nothing is. */
export function scheduleError(text: string): string | undefined {
  const cron = readSchedule(text, 'UTC');
  if (typeof cron === 'string') return cron;
  return cron.nextRun(new Date(0)) === null ? `\`${text}\` names a day that no year has` : undefined;
}

/** Whether the clocks of a place are known by this name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A schedule with five fields, or what is wrong with it. */
function readSchedule(text: string, timezone: string): Cron | string {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) return `a schedule has five fields, \`${text}\` has ${fields.length}`;
  const wrong = fields.find((field) => !FIELD.test(field));
  if (wrong !== undefined) return `\`${wrong}\` is no field of a schedule`;
  try {
    return new Cron(fields.join(' '), {
      timezone,
      mode: '5-part',
      paused: true,
      fixedTimeRule: 'no-wildcard',
      sloppyRanges: true,
    });
  } catch (error) {
    return `\`${text}\` is no schedule: ${thrownTexts(error).message.replace(/^CronPattern: /, '')}`;
  }
}
