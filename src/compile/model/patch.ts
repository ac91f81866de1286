import * as z from 'zod';
import { parseSelector } from '../../shared/kubernetes/selection/label-selector.js';
import { strictObject } from '../../shared/lib/strict-object.js';

const pointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { error: 'must be a JSON pointer such as `/spec/template/spec/hostNetwork`' });

const operation = strictObject(() => ({
  op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']).describe('What is done.'),
  path: pointer.describe('Where: a JSON pointer such as `/spec/template/spec/hostNetwork`.'),
  from: pointer.optional().describe('For `move` and `copy`: from where.'),
  value: z.unknown().optional().describe('For `add`, `replace` and `test`: what.'),
}))
  .refine(({ op, from }) => (op !== 'move' && op !== 'copy') || from !== undefined, {
    path: ['from'],
    error: 'is needed for `move` and `copy`',
  })
  .refine((given) => !['add', 'replace', 'test'].includes(given.op) || given.value !== undefined, {
    path: ['value'],
    error: 'is needed for `add`, `replace` and `test`',
  })
  .describe('An operation of a JSON patch (RFC 6902).');
export type JsonOperation = z.output<typeof operation>;

/** A change of components' objects, for fields without an option. */
export const patch = strictObject(() => ({
  target: strictObject(() => ({
    kind: z.string().optional().describe('Kind of the objects.'),
    name: z.string().optional().describe('Name of the object.'),
    namespace: z.string().optional().describe('Namespace of the objects.'),
    labelSelector: z
      .string()
      .refine((text) => 'selector' in parseSelector(text), { error: 'must be a label selector such as `app=x`' })
      .optional()
      .describe('Labels of the objects, as kubectl takes them.'),
  }))
    .refine((target) => Object.values(target).some((value) => value !== undefined), {
      error: 'needs one of `kind`, `name`, `namespace`, `labelSelector`',
    })
    .describe('Which objects are changed: those for which all of it holds.'),
  patch: z
    .union([z.record(z.string(), z.unknown()), z.array(operation).min(1)])
    .describe(
      'A strategic merge patch (a mapping; lists of custom resources are replaced), or a JSON patch (a list of operations).',
    ),
})).describe('A change to objects that components make. Applied last; one that changes no object is an error.');
export type Patch = z.output<typeof patch>;
