import * as z from 'zod';
import { isDnsLabel, isDnsSubdomain, isQualifiedName } from '../../../shared/kubernetes/names.js';
import type { ObjectMetadataInput } from '../input.js';
import { textMap } from './text.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const written = z.unknown().optional().describe('Written by the API server. Ignored.');

/** Fields that the API server writes; the output of `kubectl get -o yaml` has them. Weft reads and ignores them. */
const serverFields = {
  creationTimestamp: written,
  deletionGracePeriodSeconds: written,
  deletionTimestamp: written,
  generation: written,
  managedFields: written,
  resourceVersion: written,
  selfLink: written,
  uid: written,
};

const describedFields = {
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
};

/** Metadata of an input document that does not become an object: fields that need a live cluster have no meaning. */
const metadata = strictObject(() => ({
  ...describedFields,
  finalizers: z.unknown().optional().describe('Ignored: the document is no object of the cluster.'),
  generateName: z.unknown().optional().describe('Ignored: the document has a name.'),
  ownerReferences: z.unknown().optional().describe('Ignored: the document is no object of the cluster.'),
  ...serverFields,
})).describe('Name, labels and annotations.');

const ownerReference = strictObject(() => ({
  apiVersion: z.string().min(1).describe('Version of the owner’s API.'),
  kind: z.string().min(1).describe('Kind of the owner.'),
  name: z.string().min(1).describe('Name of the owner.'),
  uid: z.string().min(1).describe('UID of the owner.'),
  controller: z.boolean().optional().describe('Whether the owner manages the object.'),
  blockOwnerDeletion: z.boolean().optional().describe('Whether the owner waits for the object’s end.'),
})).describe('An owner: with the last of them the object is deleted.');

/** The metadata fields that users write (apimachinery v0.36, pkg/apis/meta/v1/types.go `ObjectMeta`). */
const writtenFields = {
  ...describedFields,
  finalizers: z
    .array(z.string().refine(isQualifiedName, { error: 'must be a name, with an optional domain and `/` before it' }))
    .optional()
    .describe('What must be done before the object is deleted.'),
  generateName: z.string().optional().describe('Without effect beside `name`.'),
  ownerReferences: z.array(ownerReference).optional().describe('Objects with which this one is deleted.'),
};

/** Metadata of an object that goes to the output. */
export const objectMetadata = strictObject(() => ({ ...writtenFields, ...serverFields })).describe(
  'Name, labels, annotations, finalizers and owners.',
);

/** The part of an object's metadata that goes to the output. */
type WrittenMetadata = z.output<z.ZodObject<typeof writtenFields>>;

/** Metadata without fields that only the API server writes, and without an empty namespace. */
export function writtenMetadata(given: ObjectMetadataInput): WrittenMetadata {
  const isWritten = ([key]: readonly [string, unknown]) =>
    Object.hasOwn(writtenFields, key) && (key !== 'namespace' || given.namespace !== '');
  return Object.fromEntries(Object.entries(given).filter(isWritten)) as WrittenMetadata;
}

/** An input document of one kind. `status` is read and ignored. */
export function documentOf<const V extends string, const K extends string, S extends z.ZodType>(
  apiVersion: V,
  kind: K,
  spec: S,
) {
  return strictObject(() => ({
    apiVersion: z.literal(apiVersion).describe('Version of the API.'),
    kind: z.literal(kind).describe('Kind of the document.'),
    metadata,
    spec,
    status: z.unknown().optional().describe('Ignored.'),
  }));
}
