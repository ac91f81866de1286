import type { Construct } from 'constructs';
import type * as z from 'zod';
import type { ClusterScope } from '../model/cluster-scope.js';
import type { NetworkInstance, Rule } from '../model/config.js';

/** All properties of a kind of network, which becomes a NetworkAttachmentDefinition. */
export interface NetworkKind<Spec> {
  /** Folder here and in the output, for instance `macvlan-network`. */
  readonly id: string;
  /** Name of the state in the operator's status, verbatim; also the value of the label `nvidia.network-operator.state`. */
  readonly statusName: string;
  /** Kind of the document. */
  readonly kind: string;
  /** The whole document. `.describe()` on each field is the option's documentation. */
  readonly schema: z.ZodType;
  /** Ids of the capabilities that nodes always need for the network. */
  readonly requires: readonly string[];
  /** Full names of the resources of its devices. */
  readonly usesResources?: (spec: Spec) => readonly string[];
  readonly rules: readonly Rule[];
  /** Adds the network's objects to the tree; attached workloads are checked against `cluster`. */
  readonly build: (scope: Construct, network: NetworkInstance<Spec>, cluster?: ClusterScope) => Construct;
}

/** A network of any kind, as the registry holds it. */
export type AnyNetworkKind = Omit<NetworkKind<never>, 'build'> & {
  readonly build: (scope: Construct, network: NetworkInstance<never>, cluster?: ClusterScope) => Construct;
};
