import type { NodeConstraints, NodeSelectorTerm } from '../../../shared/kubernetes/selection/node-placement.js';
import type { HostPort } from './host-ports.js';
import type { AntiAffinityTerm } from './pod-affinity.js';
import type { Amounts } from './resources.js';
import type { SpreadConstraint } from './topology-spread.js';

/** What a pod's `spec` says about the nodes that it may run on. */
export interface PodScheduling {
  readonly requests: Amounts;
  readonly constraints: NodeConstraints;
  readonly antiAffinity: readonly AntiAffinityTerm[];
  readonly spread: readonly SpreadConstraint[];
  readonly hostPorts: readonly HostPort[];
  /** The node affinity of each volume that has one. */
  readonly volumes: readonly (readonly NodeSelectorTerm[])[];
  /** It holds a GPU by a ResourceClaim. Default: false. */
  readonly hasGpuClaim?: true;
  /** It has more requirements than are read, so none of them is here. Default: false. */
  readonly hasTooMany?: true;
  /** Its namespace has so many pods with an anti-affinity that none of their terms is here. Default: false. */
  readonly hasManyPeers?: true;
}
