import { crdKinds } from '../components/crd-kinds.js';
import type { CrdSchema } from '../crds/schema.js';
import { type FieldType, kubernetesType, objectMetadata } from '../lib/kubernetes-types.js';
import type { KubernetesObject } from '../lib/kubernetes.js';

/**
 * The type of an object: of Kubernetes itself, or by a definition that a component brings. Of other kinds only the metadata is
 * known, which all objects have.
 */
export function typeOf({ apiVersion, kind }: KubernetesObject): FieldType {
  const builtIn = kubernetesType(apiVersion, kind);
  if (builtIn) return builtIn;
  const custom = crdKinds.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  const fields = custom ? custom.schema.properties : undefined;
  const own = Object.entries(fields ?? {}).map(([key, schema]) => [key, typeOfSchema(schema)] as const);
  const known = { ...Object.fromEntries(own), metadata: objectMetadata };
  return { is: 'mapping', fields: () => known, isOpen: custom === undefined };
}

/** No list is merged: none of these definitions has keys for one (`x-kubernetes-list-map-keys`). */
function typeOfSchema(schema: CrdSchema): FieldType {
  const { type = 'any', properties, additionalProperties = {}, items = {} } = schema;
  if (schema['x-kubernetes-int-or-string']) return { is: 'amount' };
  if (type === 'array') return { is: 'list', of: () => typeOfSchema(items) };
  if (type !== 'object') return { is: type };
  if (!properties) return { is: 'map', of: () => typeOfSchema(additionalProperties) };
  const fields = () => Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, typeOfSchema(inner)]));
  return { is: 'mapping', fields };
}
