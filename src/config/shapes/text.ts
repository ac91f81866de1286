import * as z from 'zod';
import { durationSeconds } from '../../contract/duration.js';
import { isLabelValue, isQualifiedName } from '../../lib/names.js';
import { parseQuantity } from '../../lib/quantity.js';

/** Limits of 32-bit integers, which is what most of Kubernetes' counters are. */
export const MAX_INT32 = 2147483647;

/** An amount such as `500m`, `1Gi` or `2`, as text or as a whole number: the CRDs take no other number (int-or-string). */
export const quantity = z
  .union([z.string(), z.number()])
  .refine((value) => typeof value === 'string' || Number.isSafeInteger(value), {
    error: 'must be a whole number, or an amount in quotes such as `"0.5"`',
  })
  .refine((value) => parseQuantity(value) !== undefined, { error: 'must be a quantity such as `500m` or `1Gi`' })
  .describe('A Kubernetes quantity.');

/** A whole number that is not negative. */
export const count = z.int().min(0);

/** A map from text to text: labels, annotations, node selectors. */
export const textMap = z.record(z.string(), z.string());

/** Labels of nodes. */
export const labelMap = z.record(
  z.string().refine(isQualifiedName, { error: 'must be a label key: an optional domain and `/`, then a name' }),
  z.string().refine(isLabelValue, { error: 'must be a label value: at most 63 letters, digits, `-`, `_`, `.`' }),
);

/** A time span such as `30m`, `6h` or `1h30m`. */
export const duration = z
  .string()
  .regex(/^(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/, { error: 'must be a duration such as `30m` or `1h30m`' })
  .refine((text) => durationSeconds(text) !== undefined, { error: 'must be a duration such as `30m` or `1h30m`' });

/** A number of nodes, or a share of them. */
export const countOrPercentage = z.union([
  count,
  z.string().regex(/^(?:100|\d{1,2})%$/, { error: 'must be a whole number or a percentage such as `25%`' }),
]);
