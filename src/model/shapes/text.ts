import * as z from 'zod';
import { durationSeconds } from '../../contract/duration.js';
import { isTimeZone, parseSchedule, scheduleError, WINDOW_SECONDS_MIN } from '../../contract/maintenance-window.js';
import { didYouMean } from '../../diagnostics/suggest.js';
import { isImageReference } from '../../kubernetes/image-reference.js';
import { parseSelector } from '../../kubernetes/label-selector.js';
import { isLabelValue, isQualifiedName } from '../../kubernetes/names.js';
import { parseQuantity } from '../../kubernetes/quantity.js';
import { helpForText, helps } from './help.js';

/** Limits of 32-bit integers, which is what most of Kubernetes' counters are. */
export const MAX_INT32 = 2147483647;

/** An amount such as `500m`, `1Gi` or `2`, as text or as a whole number: the CRDs take no other number (int-or-string). */
export const quantity = z
  .union([z.string(), z.number()])
  .refine((value) => typeof value === 'string' || Number.isSafeInteger(value), {
    error: 'must be a whole number, or an amount in quotes such as `"0.5"`',
  })
  .refine((value) => parseQuantity(value) !== undefined, { error: 'must be a quantity such as `500m` or `1Gi`' })
  .describe('A Kubernetes quantity.')
  .register(helps, helpForText(quantityHelp));

/** Bytes are not written as a unit: `1GB` is `1G`, and what is often meant by it `1Gi`. */
function quantityHelp(text: string): string | undefined {
  const [, amount = '', prefix = '', binary = ''] = /^(\d+(?:\.\d+)?)\s*([KMGTPE])(i?)B?$/i.exec(text) ?? [];
  if (amount === '') return undefined;
  const unit = prefix.toUpperCase();
  const decimal = unit === 'K' ? 'k' : unit;
  return binary === '' ? `write \`${amount}${unit}i\` or \`${amount}${decimal}\`` : `write \`${amount}${unit}i\``;
}

/** A whole number that is not negative. */
export const count = z.int().min(0);

/** A map from text to text: labels, annotations, node selectors. */
export const textMap = z.record(z.string(), z.string());

/** Labels of nodes. */
export const labelMap = z.record(
  z.string().refine(isQualifiedName, { error: 'must be a label key: an optional domain and `/`, then a name' }),
  z.string().refine(isLabelValue, { error: 'must be a label value: at most 63 letters, digits, `-`, `_`, `.`' }),
);

/** Text in which a function may find something wrong: it says what, in words, or nothing. */
function checkedText(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `: ${problem}`, input: text });
  });
}

const DURATION = 'must be a duration such as `30m` or `1h30m`';

/** A time span such as `30m`, `6h` or `1h30m`. */
export const duration = z
  .string()
  .regex(/^(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/, { error: DURATION, abort: true })
  .refine((text) => durationSeconds(text) !== undefined, { error: DURATION, abort: true });

/** How long a maintenance window stays open. */
export const windowDuration = duration.refine((text) => (durationSeconds(text) ?? 0) >= WINDOW_SECONDS_MIN, {
  error: 'must be a minute at least',
});

/** When a maintenance window opens. */
export const windowSchedule = checkedText(scheduleError);

const CRON_MACRO = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every (?:\d+(?:\.\d+)?(?:h|m|s|ms))+)$/;

/** The schedule of a CronJob, whose weekdays end with 6 (robfig/cron v3, spec.go); empty text means none. */
export const cronJobSchedule = checkedText((text) => {
  if (text === '' || CRON_MACRO.test(text)) return undefined;
  const parsed = parseSchedule(text);
  if (typeof parsed === 'string') return parsed;
  const weekday = text.trim().split(/\s+/)[4] ?? '';
  return /(?:^|[,-])7/.test(weekday) ? `\`${weekday}\` is no weekday of a CronJob: Sunday is 0` : undefined;
});

/** An IANA time zone, as nodes and pods know it too. */
export const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'must be an IANA time zone such as `Europe/Oslo`' })
  .register(
    helps,
    helpForText((text) => didYouMean(text, Intl.supportedValuesOf('timeZone'))),
  );

/** A label selector as kubectl takes it; empty text is one that selects everything. */
export const selectorText = checkedText((text) => {
  const parsed = parseSelector(text);
  return 'error' in parsed ? parsed.error : undefined;
});

/** A whole image reference; empty text means none. */
export const imageText = z.string().refine((text) => text === '' || isImageReference(text), {
  error: 'must be an image such as `registry.example.com/path/image:tag`',
});

/** A number of nodes, or a share of them. */
export const countOrPercentage = z.union([
  count,
  z.string().regex(/^(?:100|\d{1,2})%$/, { error: 'must be a whole number or a percentage such as `25%`' }),
]);
