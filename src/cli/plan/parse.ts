import { InvalidArgumentError } from 'commander';
import { durationSeconds } from '../../shared/contract/duration.js';
import { isTimeZone } from '../../shared/contract/maintenance-window.js';
import { readJson } from '../../shared/lib/json.js';
import { DURATION_NAMES } from '../../forecast/plan/types.js';
import type { PlanCommandOptions, PlanFailure, Setting } from './options.js';

/** `driver=4m..9m`, or `driver=5m`. */
export function parseDuration(
  text: string,
  others: PlanCommandOptions['duration'] = {},
): NonNullable<PlanCommandOptions['duration']> {
  const [, name = '', first = '', last = first] = /^([a-z]+)=([^.=]+)(?:\.\.([^.=]+))?$/.exec(text) ?? [];
  const known = DURATION_NAMES.find((one) => one === name);
  const [from, to] = [durationSeconds(first), durationSeconds(last)];
  if (known === undefined || from === undefined || to === undefined || from > to) {
    throw new InvalidArgumentError(
      `It is \`name=from..to\` such as \`driver=4m..9m\`; names are ${DURATION_NAMES.join(', ')}.`,
    );
  }
  return { ...others, [known]: { from, to } };
}

/** `stuck`, `window` or `duration=6h`. */
export function parseFailure(text: string, others: readonly PlanFailure[] = []): readonly PlanFailure[] {
  const parsed = text.split(',').map((one): PlanFailure => {
    if (one === 'stuck' || one === 'window') return { kind: one };
    const seconds = one.startsWith('duration=') ? durationSeconds(one.slice('duration='.length)) : undefined;
    if (seconds === undefined) throw new InvalidArgumentError('Allowed are stuck, window, duration=6h.');
    return { kind: 'duration', seconds };
  });
  return [...others, ...parsed];
}

/** `upgrade.canary.nodes=2`: a field of the Cluster document, or of the kind that the path begins with. */
export function parseSetting(text: string, others: readonly Setting[] = []): readonly Setting[] {
  const at = text.indexOf('=');
  const path = text.slice(0, at).split('.');
  if (at < 1 || path.some((part) => part === '')) {
    throw new InvalidArgumentError('It is `path=value` such as `upgrade.canary.nodes=2`.');
  }
  const [first = ''] = path;
  const isKind = /^[A-Z]/.test(first) && path.length > 1;
  const setting = { kind: isKind ? first : 'Cluster', path: isKind ? path.slice(1) : path, text };
  return [...others, { ...setting, value: valueOf(text.slice(at + 1)) }];
}

/** JSON, or else text. */
function valueOf(text: string): unknown {
  const read = readJson(text);
  return 'value' in read ? read.value : text;
}

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/;

/** An ISO time with its offset, or a local time and a time zone: `2026-12-04 22:00 Europe/Oslo`. */
export function parseAt(text: string): Date {
  const [, local = text, zone] = /^(.*\d) ([A-Za-z][\w/+-]*)$/.exec(text.trim()) ?? [];
  const shownMs = shownOf(local);
  if (zone !== undefined && shownMs !== undefined && isTimeZone(zone)) return fromLocal(shownMs, zone);
  const [, withoutOffset] = /^(.*?)(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/.exec(local) ?? [];
  const isReal = withoutOffset !== undefined && shownOf(withoutOffset) !== undefined;
  const ms = isReal ? Date.parse(local) : NaN;
  if (zone !== undefined || Number.isNaN(ms)) {
    throw new InvalidArgumentError(
      'It is a time with its zone: `2026-12-04 22:00 Europe/Oslo` or `2026-12-04T22:00:00Z`.',
    );
  }
  return new Date(ms);
}

/** A local time as if it were UTC; undefined: no calendar or no clock has it. */
function shownOf(local: string): number | undefined {
  const parts = LOCAL.exec(local);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((one) => Number(one || 0));
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC takes the 31st of February as the third of March.
  const [date = '', time = ''] = new Date(ms).toISOString().split(/[T.]/);
  const isSame = local.startsWith(date) && time.startsWith(local.slice(11));
  return isSame ? ms : undefined;
}

/** The time at which the clocks of a place show this. */
function fromLocal(shownMs: number, zone: string): Date {
  const offset = (ms: number): number => shownIn(ms, zone) - ms;
  const first = shownMs - offset(shownMs);
  return new Date(shownMs - offset(first));
}

/** What the clocks show at a time, as if it were UTC. */
function shownIn(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(new Date(ms)).map(({ type, value }) => [type, Number(value)]));
  const at = (type: string): number => parts.get(type as Intl.DateTimeFormatPartTypes) ?? 0;
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000)
    throw new InvalidArgumentError('It is a number from 1 to 1000.');
  return count;
}
