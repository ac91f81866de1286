import type { Construct } from 'constructs';
import * as z from 'zod';
import type { RecordedCrd } from '../crds/schema.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import type { Cluster } from '../model/config.js';

/** What `build` may look at besides its own section. */
export interface AddOnProps<Spec> {
  readonly spec: Spec;
  readonly cluster: Cluster;
  /** What policies, networks and documents of the input became, before patches. */
  readonly others: readonly KubernetesObject[];
}

/**
 * What the operator's chart installs beside the operator: a section of the Cluster document. Shared code never asks for an id; it
 * asks for these properties.
 */
export interface AddOn<Spec> {
  /** Upstream's name in kebab-case: the name of the folder here and in the output. */
  readonly id: string;
  /** The key of the section below `spec`. */
  readonly source: { readonly kind: 'cluster'; readonly path: readonly [string] };
  /** The section, made by `addOnSection`. `.describe()` on each field is the option's documentation. */
  readonly schema: z.ZodType;
  /** The CustomResourceDefinitions that come with it. */
  readonly crds: (spec: Spec) => readonly RecordedCrd[];
  /** Adds the objects to the tree; none where nothing of it is wanted. */
  readonly build: (scope: Construct, props: AddOnProps<Spec>) => void;
}

/** An add-on of any section, as the registry holds it. */
export type AnyAddOn = Omit<AddOn<never>, 'build' | 'crds'> & {
  readonly crds: (spec: never) => readonly RecordedCrd[];
  readonly build: (scope: Construct, props: AddOnProps<never>) => void;
};

/**
 * The schema of a section. A section has hundreds of fields, and zod takes milliseconds to make them: `make` is called when a
 * document has the section, or when a document or JSON Schema is generated from it.
 *
 * @param absent what a Cluster document without the section means
 */
export function addOnSection<S extends z.ZodType>(make: () => S, absent: { readonly deploy: false }) {
  return z.lazy(make).default(absent as never);
}
