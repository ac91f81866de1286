import type { Code } from '../../shared/diagnostics/codes.js';
import type { CodeInfo, PathStep } from '../../shared/diagnostics/diagnostic.js';
import type { ImageParts } from '../../shared/kubernetes/image-reference.js';
import type { Taint, Toleration } from '../../shared/kubernetes/selection/taints.js';
import type { ClusterSpec } from './cluster.js';
import type { ConfigMapDocument } from './input.js';
import type { Pins } from '../../shared/kubernetes/image-pins.js';
import type { NodeAffinity } from './shapes/pod.js';
import type { SourceDocument } from '../load/yaml/yaml.js';
import type { At } from '../load/yaml/scalar-place.js';

/** A place in an input document, for violations of rules. */
export interface Origin {
  readonly document: SourceDocument;
  readonly path: readonly PathStep[];
}

/** Nodes of one OS, OS version, architecture and at most one kernel; a pool of the input with several kernels becomes several. */
export interface NodePool {
  readonly name: string;
  readonly osName: string;
  readonly osVersion: string;
  readonly arch: string;
  /** Absent if one driver DaemonSet serves every kernel of the OS version. */
  readonly kernel?: string;
  readonly containerRuntime: string;
  /** Empty if the nodes do not run RHCOS. */
  readonly rhcosVersion: string;
  /** The pool's own labels, and the labels that NFD sets on its nodes. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** @internal */
  readonly origin: Origin;
}

/** The cluster, with all defaults filled in. */
export interface Cluster {
  readonly name: string;
  readonly namespace: string;
  readonly isOpenshift: boolean;
  readonly pools: readonly NodePool[];
  readonly spec: ClusterSpec;
  /** The operator's init container; empty for none. */
  readonly initContainerImage: string;
  /** The image that the companion runs in. */
  readonly companionImage: string;
  /** Whether this image has the companion's program; else a ConfigMap has it. */
  readonly isProgramInImage: boolean;
  /** Images of the release by name, with the registry of the NicClusterPolicy; none without a release. */
  readonly releaseImages: Readonly<Record<string, ImageParts>>;
  /** What `weft.lock` pins; absent without one. */
  readonly pins?: Pins;
  readonly origin: Origin;
}

/** The policy document that owns a component's objects. */
export interface PolicyOwner {
  readonly kind: 'NicClusterPolicy' | 'NicNodePolicy';
  readonly name: string;
  /** Value of the label `ds-owner` (network-operator b06827e0, pkg/state/state_skel.go `dsOwnerValue`). */
  readonly label: string;
}

/** One use of a component by one policy. */
export interface Instance<Spec = unknown> {
  readonly owner: PolicyOwner;
  /** `-<policy name>` for a NicNodePolicy, else empty. */
  readonly nameSuffix: string;
  /** What the names of its DaemonSets end in for a NicNodePolicy: the policy's name or a hash of it. Else empty. */
  readonly daemonSetSuffix: string;
  readonly spec: Spec;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  readonly affinity: NodeAffinity | undefined;
  /** The same for Deployments, which have settings of their own in a NicClusterPolicy. */
  readonly deployment: {
    readonly tolerations: readonly Toleration[];
    readonly affinity: NodeAffinity | undefined;
  };
  /** Pools that the policy selects and whose taints the component's pods tolerate. */
  readonly pools: readonly NodePool[];
  /** The section of the policy. */
  readonly origin: Origin;
}

/** How a gated component's pods wait for the driver: see `driver.gate`. */
export type DriverGate = 'label' | 'ready-file' | 'none';

/** A network document and its spec. */
export interface NetworkInstance<Spec = unknown> {
  readonly kind: string;
  readonly name: string;
  readonly spec: Spec;
  readonly origin: Origin;
}

/** A ConfigMap that policies may name. */
export interface KnownConfigMap {
  readonly name: string;
  /** Those of its text, sorted. */
  readonly keys: readonly string[];
  /** Its document; absent if the ConfigMap is only named in the Cluster, or if the document could not be read. */
  readonly document?: { readonly value: ConfigMapDocument; readonly origin: Origin };
}

/** An input document that is rendered unchanged. */
export interface PassthroughObject {
  /** Folder of the output. */
  readonly folder: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

/** A policy document. */
export interface Policy {
  readonly owner: PolicyOwner;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly pools: readonly NodePool[];
  readonly origin: Origin;
}

/** The complete input of the manifests. Deeply frozen. */
export interface Config {
  readonly cluster: Cluster;
  /** Sorted by kind and name. */
  readonly policies: readonly Policy[];
  /** By component id; instances sorted by owner. */
  readonly instances: ReadonlyMap<string, readonly Instance[]>;
  /** Sorted by kind and name. */
  readonly networks: readonly NetworkInstance[];
  readonly configMaps: ReadonlyMap<string, KnownConfigMap>;
  readonly passthrough: readonly PassthroughObject[];
  /** The sections of the Cluster document that are add-ons, by id. */
  readonly addOns: ReadonlyMap<string, unknown>;
}

/** A violation of a rule; `resolve` turns it into a diagnostic with a position. */
export interface Violation {
  readonly origin: Origin;
  /** A range is a part of the text at the origin. */
  readonly at?: At;
  readonly message: string;
  readonly label?: string;
  readonly help?: string;
  /** Whether the line of the origin must not be shown. Default: false. */
  readonly isSecret?: true;
  /** A second document that conflicts with the first. */
  readonly related?: { readonly origin: Origin; readonly message: string };
}

/** A check that a program makes, too, or that follows from its code. The reference lists them by program. */
export interface ProgramCheck {
  /** The program, in the words of the reference. */
  readonly program: string;
  /** Project, version and file. */
  readonly source: string;
  readonly what: string;
}

/** A rule over the whole configuration. `npm run rules` adds it to the list of rules and its code to the registry of codes. */
export interface Rule extends CodeInfo {
  readonly code: Code;
  /**
   * Whether it checks for objects that are missing in the input. Such a rule does not run if a document could not be
   * read, because that document may be the missing one.
   */
  readonly needsAllDocuments?: boolean;
  /** The programs whose refusals or behaviour the rule knows. */
  readonly checks?: readonly ProgramCheck[];
  readonly check: (config: Config) => Iterable<Violation>;
}

/** The place of a field below another place. */
export function within(origin: Origin, ...steps: readonly PathStep[]): Origin {
  return { document: origin.document, path: [...origin.path, ...steps] };
}
