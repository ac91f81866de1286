import type { SnapshotNode, WaitReason } from '../../model/types.js';

/** A limit on nodes, and how much of it is used. The numbers grow as nodes begin within one decision. */
export interface Budget {
  readonly name: string;
  /** Infinity: no limit. */
  readonly parallelLimit: number;
  readonly unavailableLimit: number;
  inProgress: number;
  unavailable: number;
}

/** The canaries of one participant. */
export interface Canaries {
  /** Whether the node is a canary. */
  readonly isCanary: (node: SnapshotNode) => boolean;
  readonly wanted: number;
  /** The number of canaries of the policy minus that of possible canaries. */
  readonly missing: number;
  /** Canaries that are done. */
  readonly finished: number;
  /** Canaries that are done, or in maintenance. */
  begun: number;
  /** Why other nodes must wait. */
  readonly wait: WaitReason | undefined;
}

/** The state of all nodes in one decision, and the limits of all policies. */
export interface Fleet {
  /** The budgets of each policy that the node belongs to, and those of its upgrade pools. */
  readonly budgetsOf: (plan: { readonly node: SnapshotNode }) => readonly Budget[];
  /** The budgets of the policies of a participant, by the name of the policy. */
  readonly policyBudgets: (participant: string) => ReadonlyMap<string, Budget>;
  /** Why no node begins: none is in a window; undefined: one is open. */
  readonly window: WaitReason | undefined;
  /** Why no node begins: too many failed. */
  readonly failures: WaitReason | undefined;
  readonly canariesOf: (participant: string) => Canaries;
  /** Values of the topology label of nodes in maintenance. */
  readonly domains: Set<string>;
  /** Whether another node is Ready and not cordoned, whatever its taints. */
  readonly takesPodsOf: (node: SnapshotNode) => boolean;
  /** A node failed in this decision, or does not count as failed any more. */
  readonly noteFailed: (node: SnapshotNode, isFailed: boolean) => void;
}
