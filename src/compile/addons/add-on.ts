import * as z from 'zod';
import type { NeededObject } from '../components/component.js';
import type { ComponentCrd, RecordedCrd } from '../crds/schema.js';
import type { SriovDrain } from '../../shared/contract/operator-upgrade-policy.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import type { Capability } from '../model/capability.js';
import type { RegisteredConstruct } from '../model/cluster-scope.js';
import type { Cluster } from '../model/config.js';
import type { ImageVariables } from '../model/image-variables.js';
import type { ChartValues } from './values.js';

/** A NIC that an add-on supports, by its PCI ids. */
export interface SupportedNic {
  readonly vendor: string;
  readonly device: string;
}

/** Virtual functions, whose state on each node is a SriovNetworkNodeState in the namespace of the Cluster. */
export interface VirtualFunctions {
  /** What the names of their resources begin with: `nvidia.com`. */
  readonly resourcePrefix: string;
  /** How the companion drains nodes for a change of them; `undefined` if the add-on drains by itself. */
  readonly drain: SriovDrain | undefined;
}

/** The program of an add-on by whose pods nodes have labels that other programs select. */
export interface NodeLabels {
  /** Name of its DaemonSet. */
  readonly daemonSet: string;
  /** The field of the Cluster document with the tolerations of its pods, below `spec`. */
  readonly tolerations: string;
}

/** The input of `build` in addition to its section. */
export interface AddOnProps<Spec> {
  readonly spec: Spec;
  readonly cluster: Cluster;
  /** The objects of policies, networks and documents of the input, before patches. */
  readonly others: readonly KubernetesObject[];
  /** Names of the CustomResourceDefinitions that come with it. */
  readonly crdNames: readonly string[];
}

/**
 * A program that the operator's chart installs in addition to the operator: a section of the Cluster document. Shared
 * code uses these properties and never an id. Those that take the section are methods, so that the registry can hold all
 * add-ons: see `Component`.
 */
export interface AddOn<Spec> {
  /** Upstream's name in kebab-case: the name of the folder here and in the output. */
  readonly id: string;
  /** The key of the section below `spec`. */
  readonly source: { readonly kind: 'cluster'; readonly path: readonly [string] };
  /** The section, made by `addOnSection`. `.describe()` on each field is the option's documentation. */
  readonly schema: z.ZodType;
  /** Names of its charts, and of its package of the Operator Lifecycle Manager. */
  readonly installedAs: readonly string[];
  /** The CustomResourceDefinitions that may come with it. Objects of their kinds are checked, deployed or not. */
  readonly definitions: readonly ComponentCrd[];
  /** Those that come with what is deployed. */
  crds(this: void, spec: Spec): readonly RecordedCrd[];
  /** Its images, by their paths in the section; `undefined` if neither the section nor the release has one. */
  images(this: void, spec: Spec, cluster: Cluster): Readonly<Record<string, string | undefined>>;
  /** The variables by which its containers get images that they hand on. Default: none. */
  readonly imageVariables?: ImageVariables;
  /**
   * The section for values of the operator's Helm chart, with maps as given; `undefined` if the values do not enable
   * it. Absent if the chart does not install it.
   */
  readonly ofChartValues?: (values: ChartValues) => Readonly<Record<string, unknown>> | undefined;
  /**
   * The section for the image of its Deployment, where the chart made that and its values are not known. Absent if the image alone
   * says too little.
   */
  readonly ofChartImage?: (image: string) => Readonly<Record<string, unknown>>;
  /** What installs it on OpenShift, where `deploy` is refused. Absent if nothing does. */
  readonly inOpenshift?: string;
  /** Capabilities that it provides to networks if it is deployed. Default: none. */
  readonly provides?: readonly Capability[];
  /** A section of older policies that enables it, with its schema. */
  readonly policySection?: { readonly path: readonly [string, string]; readonly schema: z.ZodType };
  /** Whether its pods wait for the label of the driver's gate, if the gate is that label. Default: no. */
  gated?(this: void, spec: Spec): boolean;
  /** The virtual functions that it makes from documents of the input; `undefined` if it is not deployed. */
  virtualFunctions?(this: void, spec: Spec): VirtualFunctions | undefined;
  /** The NICs that it accepts in documents of the input; `undefined` if it is not deployed. */
  supportedNics?(this: void, spec: Spec): readonly SupportedNic[] | undefined;
  /** The program that labels nodes; `undefined` if it is not deployed. */
  nodeLabels?(this: void, spec: Spec): NodeLabels | undefined;
  /** The path at which the section itself selects nodes by the label of the driver's gate. Default: none. */
  gateLabelPath?(this: void, spec: Spec): readonly PathStep[] | undefined;
  /** The objects that its section names and does not create, and without which its pods do not start. Default: none. */
  neededObjects?(this: void, spec: Spec): readonly NeededObject[];
  /** Whether it uses the objects of other add-ons and is built after them. Default: false. */
  readonly servesAddOns?: boolean;
  /** Adds the objects to the tree; none if it is not deployed. */
  readonly construct: typeof RegisteredConstruct;
}

/** An add-on of any section, as the registry holds it. */
export type AnyAddOn = AddOn<unknown>;

/**
 * The schema of a section. A section has hundreds of fields, which zod takes milliseconds to create, so `make` is
 * called only if a document has the section, or to generate documentation or JSON Schema.
 *
 * @param absent the section of a Cluster document without it
 */
export function addOnSection<S extends z.ZodType>(make: () => S, absent: { readonly deploy: false }) {
  let made: S | undefined;
  // zod calls the function each time that a lazy schema is unwrapped or written as JSON Schema.
  return z.lazy(() => (made ??= make())).default(absent as z.util.NoUndefined<z.output<S>>);
}
