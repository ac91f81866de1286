import type { Construct } from 'constructs';
import type { MadeObject } from '../../shared/kubernetes/made-objects.js';
import type { PodWorkload } from '../../shared/kubernetes/pod-workload.js';

/** A section of the NicClusterPolicy with its own construct. */
export interface SectionPart {
  readonly kind: 'section';
  readonly construct: Construct;
  readonly componentId: string;
  /** The input of the section. */
  readonly values: object;
  /** Adds the objects, from what the section becomes in the configuration of the cluster. */
  build(props: unknown): void;
}

/** An add-on with its own construct: a section of the Cluster. */
export interface AddOnPart {
  readonly kind: 'add-on';
  readonly construct: Construct;
  readonly addOnId: string;
  /** The input of the section. */
  readonly values: object;
  /** Adds the objects, from what the section becomes in the configuration of the cluster. */
  build(props: unknown): void;
}

/** A network with its own construct. */
export interface NetworkPart {
  readonly kind: 'network';
  readonly construct: Construct;
  /** Kind of the document. */
  readonly documentKind: string;
  readonly name: string;
  /** The input `spec` of the document. */
  readonly values: object;
  build(network: unknown): void;
}

/** A policy document with a construct. */
export interface PolicyPart {
  readonly kind: 'policy';
  readonly construct: Construct;
  readonly documentKind: 'NicClusterPolicy' | 'NicNodePolicy';
  readonly name: string;
  readonly values: object;
  build(config: unknown): void;
}

/** A workload that uses a network or a resource, which is checked when the chart is validated. */
interface UsePart {
  readonly kind: 'use';
  /** The network, or the component that offers the resource. */
  readonly construct: Construct;
  readonly workload: PodWorkload;
}

export type ClusterPart = SectionPart | AddOnPart | NetworkPart | PolicyPart | UsePart;

/** A cluster that constructs belong to: the construct `Cluster`. */
export interface ClusterScope {
  /** Adds a construct's part of the configuration. The constructs of this library call it. */
  readonly add: (part: ClusterPart) => void;
  /** The CustomResourceDefinitions of its components and add-ons so far. */
  readonly crds?: readonly MadeObject[];
}

/**
 * The props of a construct, with a cluster.
 *
 * @throws TypeError if a program without types passes none
 */
export function inCluster<P extends InCluster>(id: string, props: P): P {
  const cluster = (props as Partial<InCluster> | undefined)?.cluster;
  if (typeof cluster?.add === 'function') return props;
  throw new TypeError(`\`${id}\` needs \`cluster\`: the construct \`Cluster\` that it belongs to`);
}

/**
 * A component, an add-on or a network in the registry. Its class may require more props than the cluster, which are not
 * read from a cluster that is resolved: TypeScript allows that where the type of a class is that of another.
 */
export declare class RegisteredConstruct extends Construct {
  constructor(scope: Construct, id: string, props: InCluster);
}

/**
 * Creates a construct from what its part became in a configuration.
 *
 * @param cluster the cluster against which workloads that use the construct are checked; absent if there are none
 */
export function buildResolved(
  {
    kind,
    construct: Made,
    props,
  }: { readonly kind: ClusterPart['kind']; readonly construct: typeof RegisteredConstruct; readonly props: unknown },
  scope: Construct,
  id: string,
  cluster?: ClusterScope,
): Construct {
  return new Made(scope, id, { cluster: scopeOf(kind, props, cluster) });
}

/**
 * A cluster whose configuration is already resolved: it builds constructs of one kind from the configuration and
 * delegates all others.
 */
export function scopeOf(kind: ClusterPart['kind'], props: unknown, cluster?: ClusterScope): ClusterScope {
  return {
    add(part) {
      if (part.kind === kind && 'build' in part) part.build(props);
      else cluster?.add(part);
    },
    get crds() {
      return cluster?.crds ?? [];
    },
  };
}

/** Props of every construct that belongs to a cluster. */
export interface InCluster {
  /** The construct `Cluster` with the nodes, the release and the namespace of the cluster. */
  readonly cluster: ClusterScope;
}
