import * as z from 'zod';
import { parseSelector, textOfStructured } from './selection/label-selector.js';
import { isLabelValue, isQualifiedName } from './names.js';

/** A whole number that is not negative. */
export const count = z.int().min(0);

/** Text that a function checks; it returns the problem as text, or nothing. */
export function checkedText(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `: ${problem}`, input: text });
  });
}

/** A label's value. */
export const labelValue = z.string().refine(isLabelValue, {
  error: 'must be a label value: at most 63 letters, digits, `-`, `_`, `.`',
});

/** A label's key. */
export const labelKey = z
  .string()
  .refine(isQualifiedName, { error: 'must be a label key: an optional domain and `/`, then a name' });

/** Labels of nodes. */
export const labelMap = z.record(labelKey, labelValue);

/** A label selector in the syntax of kubectl; empty text selects everything. */
export const selectorText = checkedText((text) => {
  const parsed = parseSelector(text);
  return 'error' in parsed ? parsed.error : undefined;
});

const labelSelector = z.object({
  matchLabels: labelMap.optional(),
  matchExpressions: z
    .array(z.object({ key: z.string(), operator: z.string(), values: z.array(labelValue).optional() }))
    .optional(),
});

/** A label selector in an object of the Kubernetes API, read as that of kubectl. None selects everything. */
export const labelSelectorText = labelSelector
  .nullish()
  .transform((from) => textOfStructured(from ?? {}))
  .pipe(selectorText);

/** A number or a percentage of nodes. */
export const countOrPercentage = z.union([
  count,
  z.string().regex(/^(?:100|\d{1,2})%$/, { error: 'must be a whole number or a percentage such as `25%`' }),
]);
