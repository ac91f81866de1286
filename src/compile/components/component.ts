import type * as z from 'zod';
import type { OfedUpgradePolicy } from '../../shared/contract/operator-upgrade-policy.js';
import type { Capability } from '../model/capability.js';
import type { ImageVariables } from '../model/image-variables.js';
import type { RegisteredConstruct } from '../model/cluster-scope.js';
import type { Cluster, DriverGate, Instance, KnownConfigMap, NodePool, ProgramCheck } from '../model/config.js';
import type { ComponentCrd } from '../crds/schema.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import type { MinimumKubernetes } from './kubernetes-since.js';

/** Which policy kinds have the section: `cluster` is NicClusterPolicy, `node` is NicNodePolicy. */
export type PolicyScope = 'cluster' | 'node';

/** An image that a component runs. */
export interface ImageKey {
  /** Path of the image specification below the section; empty when the section itself is one. */
  readonly path: readonly string[];
  /** The image's name in the release catalog: the operator's own name for it in its release file. */
  readonly release: string;
  /** Whether `global.version` leaves it alone, because its versions are not those of the other images. */
  readonly hasOwnVersion?: boolean;
  /** The versions that a rule of the component accepts. Default: every tag and digest. */
  readonly versionPattern?: RegExp;
  /** The oldest version that has what is rendered for it, and what older ones lack. */
  readonly oldest?: Pick<ProgramCheck, 'program' | 'source'> & {
    /** Its group is the version that a tag has; other tags are not compared. */
    readonly versionOf: RegExp;
    readonly version: string;
    readonly reason: string;
    /** The field of the section without which older versions do, too. */
    readonly onlyWith?: string;
    /** Tags of another build of the program, and what that lacks. */
    readonly otherBuild?: { readonly tag: RegExp; readonly reason: string };
  };
  /**
   * Whether the component does not run the image but passes its name to other programs: `global` does not apply to it,
   * and without a version it is left out.
   */
  readonly isHandedOn?: boolean;
  /** The reference of the image that nodes of a pool run, where that depends on the pool. */
  ofPool?(this: void, spec: unknown, pool: NodePool, cluster: Cluster): string;
}

/** A resource that pods can request. */
export interface ResourceOffer {
  /** With its prefix. */
  readonly name: string;
  /** The field below the section that names it. */
  readonly path: readonly PathStep[];
  /** Its PCI devices are those that one of these selects; empty where devices are told otherwise. */
  readonly selectors: readonly DeviceSelector[];
  /** How many a node offers at most; `undefined`: that depends on the node. */
  readonly most: number | undefined;
}

/** Which PCI devices of a node a resource has: all that is given must match, and an empty list is not given. */
export interface DeviceSelector {
  readonly vendors: readonly string[];
  readonly ids: readonly string[];
  readonly drivers: readonly string[];
  readonly linkTypes: readonly string[];
  /** Physical functions by interface, as they are written: with `#0-7` only some of their virtual functions. */
  readonly pfNames: readonly string[];
  /** Physical functions by PCI address, as they are written. */
  readonly rootDevices: readonly string[];
  readonly pciAddresses: readonly string[];
  readonly isRdma: boolean;
  /** Whether there is more, which depends on the node: it may leave out each device. */
  readonly hasMore: boolean;
}

/** A ConfigMap that a component's pods mount but the component does not create. */
export interface MountedConfigMap {
  readonly name: string;
  /** The key that they read. */
  readonly key: string;
  /** The field of the section that the text of that key replaces. */
  readonly field: string;
}

/** An object of the namespace of the Cluster that pods need, and that its section does not create. */
export interface NeededObject {
  readonly kind: 'ConfigMap' | 'PersistentVolumeClaim' | 'ServiceAccount';
  readonly name: string;
  /** The field of the section that names it. */
  readonly path: readonly PathStep[];
  /** The key of a ConfigMap that they read; absent: any. */
  readonly key?: string;
}

/** An API group that no component installs, and the field of the section that needs it. */
interface ForeignApi {
  readonly group: string;
  readonly path: readonly string[];
}

/** A driver that a component installs and the companion upgrades. Selectors hold in the namespace of the cluster. */
export interface UpgradedDriver {
  /** What the policy document of the companion calls it. */
  readonly kind: 'ofed';
  /** The prefix of the keys of the upgrade flow. */
  readonly labelPrefix: string;
  readonly daemonSetSelector: string;
  /** The names of its DaemonSets, of any policy and kernel: a regular expression for PromQL. */
  readonly daemonSetNames: string;
  readonly podSelector: string;
  /** The container that is ready when the driver is loaded. */
  readonly containerName: string;
  /** The label of a node that is `"false"` when the driver is loaded. */
  readonly gateLabel: string;
  /** Pods of the controller that upgrades the driver in clusters without Weft. */
  readonly controllerPodSelector: string;
}

/** The input of `build` in addition to the instances. */
export interface BuildContext {
  readonly cluster: Cluster;
  readonly configMaps: ReadonlyMap<string, KnownConfigMap>;
  /** The gate of a gated component's DaemonSet. */
  readonly gateOf: (instance: Instance) => DriverGate;
  /** Names of the CustomResourceDefinitions that come with the component. */
  readonly crdNames: readonly string[];
}

/** The props of a component's construct: its instances and their context. */
export interface ComponentProps<Spec> {
  /** At least one; sorted by owner. */
  readonly instances: readonly Instance<Spec>[];
  readonly context: BuildContext;
}

/**
 * All properties of a component. Shared code uses these and never an id. Those that take the section are methods: TypeScript
 * lets the registry then hold components of all sections, each of which gets the output of its own schema.
 */
export interface Component<Spec> {
  /** Upstream's name in kebab-case: the name of the folder here and in the output. */
  readonly id: string;
  /** Name of the state in the operator's status, verbatim; also the value of the label `nvidia.network-operator.state`. */
  readonly statusName: string;
  readonly source: {
    readonly kind: 'policy';
    readonly path: readonly string[];
    readonly scopes: readonly PolicyScope[];
  };
  /** The section. `.describe()` on each field is the option's documentation. */
  readonly schema: z.ZodType;
  /** Checks of its schema that a program makes, too. */
  readonly checks?: readonly ProgramCheck[];
  readonly imageKeys: readonly ImageKey[];
  /** The variables by which its containers get images that they hand on. Default: none. */
  readonly imageVariables?: ImageVariables;
  /** The key that the section itself had in older versions of the operator. */
  readonly formerKey?: string;
  /** Keys that the section had in older versions of the operator, with help for each. */
  readonly removedKeys?: Readonly<Record<string, string>>;
  /** Names that `containerResources` may use. */
  readonly containers: (cluster: Cluster) => readonly string[];
  /** The CustomResourceDefinitions that come with it. */
  readonly crds: readonly ComponentCrd[];
  /** The oldest Kubernetes that its objects are for; a release may need a newer one. */
  readonly minimumKubernetes: MinimumKubernetes;
  /** Whether its pods must wait for the driver. */
  readonly gated: boolean;
  /** Whether it puts the driver on its pools, which is what gated components wait for. */
  readonly providesDriver: boolean;
  /** Its upgrade policy, if the section has one. */
  upgradePolicy?(this: void, spec: Spec): OfedUpgradePolicy | undefined;
  /** How the companion finds the driver that the component installs. */
  readonly driver?: UpgradedDriver;
  /**
   * The driver DaemonSets of an instance and the pools whose nodes each of them serves; absent if it installs no
   * driver.
   */
  driverDaemonSets?(
    this: void,
    instance: Instance<Spec>,
  ): readonly { readonly name: string; readonly pools: readonly NodePool[] }[];
  /** Whether the names that it offers must differ without their prefixes, too. */
  readonly hasUniqueBareNames?: boolean;
  /** Whether pods share the devices that it offers. Default: each device goes to one pod. */
  readonly sharesDevices?: boolean;
  /** The resources that it offers to pods, in the order of the configuration. */
  offers?(this: void, spec: Spec): readonly ResourceOffer[];
  /** Capabilities that it provides to networks. */
  readonly provides?: readonly Capability[];
  /** APIs that must be installed and that no component installs. */
  foreignApis?(this: void, spec: Spec, cluster: Cluster): readonly ForeignApi[];
  /** The field of the section that needs the operator's init container; `undefined` if it is not set. */
  initContainerField?(this: void, spec: Spec): readonly string[] | undefined;
  /** Whether it prevents pods from using networks of other namespaces. */
  isolatesNamespaces?(this: void, spec: Spec, networkNamespace: string): boolean;
  /** The ConfigMap that its pods mount and that it does not create; `undefined` if it creates it. */
  mountsConfigMap?(this: void, instance: Instance<Spec>): MountedConfigMap | undefined;
  /** The objects that its section names and does not create, and without which its pods do not start. Those of `mountsConfigMap` are left out. */
  neededObjects?(this: void, spec: Spec): readonly NeededObject[];
  /** Adds the objects of all instances to the tree: shared ones once, then instance by instance. */
  readonly construct: typeof RegisteredConstruct;
}

/** A component of any section, as the registry holds it. */
export type AnyComponent = Component<unknown>;
