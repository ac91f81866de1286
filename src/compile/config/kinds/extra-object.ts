import * as z from 'zod';
import { crdKinds, type CrdKind } from '../../passthrough/kinds.js';
import { zodOf } from '../../crds/schema.js';
import { type FieldType, kubernetesType } from '../../../shared/kubernetes/api/field-types.js';
import { objectMetadata } from '../../model/shapes/document.js';
import { builtInFields, COMMON_FIELDS } from '../../../shared/kubernetes/api/object-schema.js';
import type { DocumentKind } from './kinds.js';
import { memoized } from '../../../shared/lib/memo.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/** A Kubernetes object of any kind. It goes to the output unchanged; the API server checks its fields. */
const extraObject = z.looseObject({
  apiVersion: z
    .string()
    .regex(/^(?:[a-z0-9][a-z0-9.-]*\/)?[a-z0-9]+$/, { error: 'must be a version, or `group/version`' }),
  kind: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,62}$/, { error: 'must be a kind: letters and digits' }),
  // Names of RBAC objects may have more characters than others; the API server checks them.
  metadata: objectMetadata.extend({
    // No kind allows path separators or invisible characters.
    name: z.string().regex(/^(?!\.{1,2}$)[^/\\%\s\p{C}]{1,253}$/u, { error: 'must be a name' }),
  }),
});
export type ExtraObject = z.output<typeof extraObject>;

/** An object of a kind whose definition Weft has. The fields that the API server writes are read and ignored. */
function customResource(known: CrdKind): z.ZodType {
  const { apiVersion, kind, description, schema, specOf } = known;
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).filter(([key]) => !COMMON_FIELDS.includes(key));
  const own = fields.map(([key, inner]): [string, z.ZodType] => {
    const field = key === 'spec' && specOf ? specOf(zodOf(inner)) : zodOf(inner);
    return [key, required.includes(key) ? field : field.optional()];
  });
  return strictObject(() => ({
    apiVersion: z.literal(apiVersion).describe('Version of the API.'),
    kind: z.literal(kind).describe('Kind of the object.'),
    metadata: objectMetadata,
    status: z.unknown().optional().describe('Written by a controller. Ignored.'),
    ...Object.fromEntries(own),
  })).describe(description);
}

/** An object of Kubernetes itself. */
function builtInObject(type: FieldType): z.ZodType {
  const { apiVersion, kind, metadata } = extraObject.shape;
  return strictObject(() => ({ apiVersion, kind, metadata, status: z.unknown().optional(), ...builtInFields(type) }));
}

const schemaOfCustom = memoized(customResource);
const schemaOfBuiltIn = memoized(builtInObject);

function customKind(known: CrdKind): DocumentKind {
  const { apiVersion, kind, isInOwnNamespace } = known;
  return { apiVersion, kind, role: 'object', schema: schemaOfCustom(known), isInOwnNamespace };
}

/** Every kind of custom resource that is checked, in each of its versions; those that users write come first. */
export function customKinds(): readonly DocumentKind[] {
  const byPeople = crdKinds.filter(({ writtenBy }) => writtenBy === 'people');
  const byPrograms = crdKinds.filter(({ writtenBy }) => writtenBy === 'programs');
  return [...byPeople, ...byPrograms].map(customKind);
}

/** The kind of such an object. */
export function extraObjectKind(apiVersion: string, kind: string): DocumentKind {
  const custom = crdKinds.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  if (custom) return customKind(custom);
  const type = kubernetesType(apiVersion, kind);
  return { apiVersion, kind, role: 'object', schema: type ? schemaOfBuiltIn(type) : extraObject };
}
