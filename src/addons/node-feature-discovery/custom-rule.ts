import * as z from 'zod';
import { textMap } from '../../model/shapes/text.js';
import { strictObject } from '../../lib/strict-object.js';

/**
 * A rule of `sources.custom` (node-feature-discovery 76e6cc8c, source/custom/api/types.go and expression.go). It
 * differs from the rule of a NodeFeatureRule: the source sets only labels, has fewer operators, and accepts expressions
 * in shorter forms. The worker does not start with an expression that is not valid.
 */
const OPERATORS = [
  'In',
  'NotIn',
  'InRegexp',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
  'GtLt',
  'IsTrue',
  'IsFalse',
] as const;
type Operator = (typeof OPERATORS)[number];

const INTEGER = /^[-+]?\d+$/;

/** The problem of an operator's values; `undefined` if there is none. */
function problemOfValues(op: Operator, values: readonly string[]): string | undefined {
  switch (op) {
    case 'Exists':
    case 'DoesNotExist':
    case 'IsTrue':
    case 'IsFalse':
      return values.length === 0 ? undefined : `must be empty with \`op: ${op}\``;
    case 'Gt':
    case 'Lt':
      return values.length === 1 && values.every((value) => INTEGER.test(value))
        ? undefined
        : `must be one whole number with \`op: ${op}\``;
    case 'GtLt': {
      const [low = '', high = ''] = values;
      const isRange = values.length === 2 && INTEGER.test(low) && INTEGER.test(high) && Number(low) < Number(high);
      return isRange ? undefined : 'must be two whole numbers, the smaller one first, with `op: GtLt`';
    }
    case 'In':
    case 'NotIn':
    case 'InRegexp':
      return values.length > 0 ? undefined : `must have a value with \`op: ${op}\``;
  }
}

const value = z.union([z.string(), z.boolean(), z.number(), z.array(z.string())]);
type Value = z.output<typeof value>;

const valuesOf = (given: Value | undefined): readonly string[] => {
  if (given === undefined) return [];
  return typeof given === 'object' ? given : [String(given)];
};

const expression = () =>
  z.union([
    z.string(),
    z.boolean(),
    z.number(),
    z.array(z.string()),
    strictObject(() => ({
      op: z.enum(OPERATORS).describe('How the value is compared.'),
      value: value.optional().describe('What it is compared with.'),
    })).superRefine(({ op, value: given }, context) => {
      const problem = problemOfValues(op, valuesOf(given));
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['value'], message: problem });
    }),
  ]);

const matchFeatures = () =>
  z.array(
    strictObject(() => ({
      feature: z.string().describe('The feature, such as `pci.device`.'),
      matchExpressions: z
        .union([z.array(z.string()), z.record(z.string(), expression())])
        .optional()
        .describe('Expressions by the name of what they look at, or a list of `name` and `name=value`.'),
      matchName: expression().optional().describe('Expression for the names themselves.'),
    })),
  );

export const customRule = () =>
  strictObject(() => ({
    name: z.string().optional().describe('Its name.'),
    labels: textMap.optional().describe('Labels of the nodes that it matches.'),
    labelsTemplate: z.string().optional().describe('Template that makes labels, one a line.'),
    vars: textMap.optional().describe('Values that later rules see.'),
    varsTemplate: z.string().optional().describe('Template that makes such values, one a line.'),
    matchFeatures: matchFeatures().optional().describe('Terms all of which must match.'),
    matchAny: z
      .array(strictObject(() => ({ matchFeatures: matchFeatures().describe('Terms all of which must match.') })))
      .optional()
      .describe('Groups of terms one of which must match.'),
  }));
