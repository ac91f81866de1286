import { type CrdKind, crdKinds } from '../../passthrough/kinds.js';
import type { CrdSchema } from '../../crds/schema.js';
import { type FieldType, kubernetesType, objectMetadata } from '../../../shared/kubernetes/api/field-types.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { memoized } from '../../../shared/lib/memo.js';

/** The type of an object without a schema: only its metadata is checked. */
const UNKNOWN: FieldType = { is: 'mapping', fields: () => ({ metadata: objectMetadata }), isOpen: true };

/**
 * The type of an object: a type of Kubernetes, or from the CustomResourceDefinition of a component. For other kinds
 * only the metadata is known. The result is the same value for all objects of a kind.
 */
export function typeOf({ apiVersion, kind }: KubernetesObject): FieldType {
  const builtIn = kubernetesType(apiVersion, kind);
  if (builtIn) return builtIn;
  const custom = crdKinds.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  return custom ? typeOfKind(custom) : UNKNOWN;
}

const typeOfKind = memoized(({ schema }: CrdKind): FieldType => {
  const own = Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, typeOfSchema(inner)] as const);
  const known = { ...Object.fromEntries(own), metadata: objectMetadata };
  return { is: 'mapping', fields: () => known };
});

/** Lists are not merged, because none of these definitions has keys for one (`x-kubernetes-list-map-keys`). */
function typeOfSchema(schema: CrdSchema): FieldType {
  const { type = 'any', properties, additionalProperties = {}, items = {} } = schema;
  if (schema['x-kubernetes-int-or-string']) return { is: 'amount' };
  if (type === 'array') return { is: 'list', of: () => typeOfSchema(items) };
  if (type !== 'object') return { is: type };
  if (!properties) return { is: 'map', of: () => typeOfSchema(additionalProperties) };
  const fields = () => Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, typeOfSchema(inner)]));
  return { is: 'mapping', fields };
}
