import { allComponents } from './all.js';
import type { ComponentCrd, CrdSchema } from '../crds/schema.js';

/** A kind that one of the definitions brings. */
export interface CrdKind extends Pick<ComponentCrd, 'specOf'> {
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

/** Every kind of the definitions that components bring, in each of its versions. */
export const crdKinds: readonly CrdKind[] = [...new Set(allComponents.flatMap(({ crds }) => crds))].flatMap(
  ({ crd, specOf, isInOwnNamespace = false }) => {
    const { group, names, versions } = crd['spec'] as DefinitionSpec;
    return versions.map(({ name, schema }) => ({
      apiVersion: `${group}/${name}`,
      kind: names.kind,
      schema: schema.openAPIV3Schema,
      isInOwnNamespace,
      ...(specOf && { specOf }),
    }));
  },
);
