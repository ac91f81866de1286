import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import type { ComponentCrd, CrdSchema } from '../crds/schema.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { type PassthroughKind, passthroughKinds } from './table.js';

/** A version of a kind, with its definition. */
export interface CrdKind
  extends Pick<ComponentCrd, 'source' | 'specOf'>, Pick<PassthroughKind, 'description' | 'writtenBy' | 'rules'> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly crd: KubernetesObject;
  readonly schema: CrdSchema;
  readonly isInOwnNamespace: boolean;
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: CrdSchema } }[];
}

/** The definitions that components and add-ons bring. */
const definitions: readonly ComponentCrd[] = [
  ...new Set([...allComponents.flatMap(({ crds }) => crds), ...allAddOns.flatMap((addOn) => addOn.definitions)]),
];

/** Every kind of the definitions that components and add-ons bring, in each of its versions. */
export const crdKinds: readonly CrdKind[] = definitions.flatMap(({ crd, source, specOf, isInOwnNamespace = false }) => {
  const { group, names, versions } = crd['spec'] as DefinitionSpec;
  const row = passthroughKinds.find((one) => one.group === group && one.kind === names.kind);
  if (!row) throw new Error(`src/compile/passthrough/table.ts has no row for ${names.kind} of ${group}`);
  const { description, writtenBy, rules } = row;
  return versions.map(({ name, schema }) => ({
    apiVersion: `${group}/${name}`,
    kind: names.kind,
    description,
    writtenBy,
    rules,
    source,
    crd,
    schema: schema.openAPIV3Schema,
    isInOwnNamespace,
    ...(specOf && { specOf }),
  }));
});
