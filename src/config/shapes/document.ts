import * as z from 'zod';
import { isDnsLabel, isDnsSubdomain } from '../../lib/names.js';
import { textMap } from './text.js';

/** Fields that the API server writes; a policy exported with `kubectl get -o yaml` has them. They are read and ignored. */
const serverFields = {
  creationTimestamp: z.unknown().optional(),
  deletionGracePeriodSeconds: z.unknown().optional(),
  deletionTimestamp: z.unknown().optional(),
  finalizers: z.unknown().optional(),
  generateName: z.unknown().optional(),
  generation: z.unknown().optional(),
  managedFields: z.unknown().optional(),
  ownerReferences: z.unknown().optional(),
  resourceVersion: z.unknown().optional(),
  selfLink: z.unknown().optional(),
  uid: z.unknown().optional(),
};

/** Metadata of an input document. */
export const metadata = z
  .strictObject({
    name: z
      .string()
      .refine(isDnsSubdomain, { error: 'must be lower-case letters, digits, `-` and `.`, at most 253 of them' })
      .describe('Name of the object.'),
    namespace: z
      .string()
      .refine((text) => text === '' || isDnsLabel(text), {
        error: 'must be lower-case letters, digits and `-`, at most 63 of them',
      })
      .optional()
      .describe('Namespace of the object.'),
    labels: textMap.optional().describe('Labels.'),
    annotations: textMap.optional().describe('Annotations.'),
    ...serverFields,
  })
  .describe('Name, labels and annotations.');

/** An input document of one kind. `status` is read and ignored. */
export function documentOf<const V extends string, const K extends string, S extends z.ZodType>(
  apiVersion: V,
  kind: K,
  spec: S,
) {
  return z.strictObject({
    apiVersion: z.literal(apiVersion).describe('Version of the API.'),
    kind: z.literal(kind).describe('Kind of the document.'),
    metadata,
    spec,
    status: z.unknown().optional().describe('Ignored.'),
  });
}
