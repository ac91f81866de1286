import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import type { ComponentCrd, CrdSchema } from '../crds/schema.js';

/** A kind that one of the definitions brings. */
export interface CrdKind extends Pick<ComponentCrd, 'source' | 'specOf'> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: CrdSchema;
  readonly isInOwnNamespace: boolean;
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: CrdSchema } }[];
}

const definitions = new Set([
  ...allComponents.flatMap(({ crds }) => crds),
  ...allAddOns.flatMap((addOn) => addOn.definitions),
]);

/** Every kind of the definitions that components and add-ons bring, in each of its versions. */
export const crdKinds: readonly CrdKind[] = [...definitions].flatMap(
  ({ crd, source, specOf, isInOwnNamespace = false }) => {
    const { group, names, versions } = crd['spec'] as DefinitionSpec;
    return versions.map(({ name, schema }) => ({
      apiVersion: `${group}/${name}`,
      kind: names.kind,
      source,
      schema: schema.openAPIV3Schema,
      isInOwnNamespace,
      ...(specOf && { specOf }),
    }));
  },
);
