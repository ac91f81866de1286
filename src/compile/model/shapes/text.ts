import * as z from 'zod';
import { scheduleError } from '../../../shared/contract/maintenance-window.js';
import { checkedText } from '../../../shared/kubernetes/fields.js';
import { isImageReference } from '../../../shared/kubernetes/image-reference.js';
import { parseQuantity } from '../../../shared/kubernetes/quantity.js';
import { helpForText, helps } from './help.js';

/** Limits of 32-bit integers, the type of most counters in Kubernetes. */
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

/** Quantities have no unit for bytes: `1GB` is written `1G`, and often `1Gi` is meant. */
function quantityHelp(text: string): string | undefined {
  const [, amount = '', prefix = '', binary = ''] = /^(\d+(?:\.\d+)?)\s*([KMGTPE])(i?)B?$/i.exec(text) ?? [];
  if (amount === '') return undefined;
  const unit = prefix.toUpperCase();
  const decimal = unit === 'K' ? 'k' : unit;
  return binary === '' ? `write \`${amount}${unit}i\` or \`${amount}${decimal}\`` : `write \`${amount}${unit}i\``;
}

/** A map of strings: labels, annotations, node selectors. */
export const textMap = z.record(z.string(), z.string());

const CRON_MACRO = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every (?:\d+(?:\.\d+)?(?:h|m|s|ms))+)$/;

/** The schedule of a CronJob, whose weekdays are 0 to 6 in this order (robfig/cron v3, spec.go); empty text means none. */
export const cronJobSchedule = checkedText((text) => {
  if (text === '' || CRON_MACRO.test(text)) return undefined;
  const error = scheduleError(text);
  if (error !== undefined) return error;
  const weekday = text.trim().split(/\s+/)[4] ?? '';
  return /(?:^|[,-])7|-sun/i.test(weekday) ? `\`${weekday}\` is no weekday of a CronJob: Sunday is 0` : undefined;
});

/** A whole image reference; empty text means none. */
export const imageText = z.string().refine((text) => text === '' || isImageReference(text), {
  error: 'must be an image such as `registry.example.com/path/image:tag`',
});
