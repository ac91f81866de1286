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

/** Canaries of one participant. */
export interface Canaries {
  /** Whether a node that waits for them is one itself. */
  readonly isCanary: (node: SnapshotNode) => boolean;
  /** The policy selects them. */
  readonly isChosen: boolean;
  readonly desired: number;
  /** The number of canaries of the policy minus that of possible canaries, where other nodes follow. */
  readonly missing: number;
  /** Canaries that are done. */
  readonly finished: number;
  /** Canaries that are done, in maintenance, or out for another participant while this one is due there. */
  begun: number;
  /** The names of those among them where this one is only due: they do not wait for each other. */
  readonly reserved: Set<string>;
  /** Why other nodes must wait. */
  readonly wait: WaitReason | undefined;
  /** Whose canaries they are, where there are others, to be added to a text. */
  readonly of: string;
}

/** A failure budget is spent. */
export interface Halt {
  /** The nodes that do not begin, to be added to a text; empty: all. */
  readonly reach: string;
  readonly message: string;
}

/** The state of all nodes in one decision, and the limits of all policies. */
export interface Fleet {
  /** The budgets of each policy that the node belongs to, and those of its upgrade pools. */
  readonly budgetsOf: (plan: { readonly node: SnapshotNode }) => readonly Budget[];
  /** The budgets of the policies of a participant, by the name of the policy. */
  readonly policyBudgets: (participant: string) => ReadonlyMap<string, Budget>;
  /** Why the node does not begin: no window is open. */
  readonly windowOf: (node: SnapshotNode) => WaitReason | undefined;
  /** Why the node does not begin: too many failed. */
  readonly haltOf: (node: SnapshotNode) => WaitReason | undefined;
  /** The failure budgets that are spent. */
  readonly halts: readonly Halt[];
  /** The canaries that a node waits for; undefined: none. */
  readonly canariesOf: (participant: string, node: SnapshotNode) => Canaries | undefined;
  readonly allCanariesOf: (participant: string) => readonly Canaries[];
  /** Values of the topology label of nodes in maintenance. */
  readonly domains: Set<string>;
  /** Whether another node is Ready and not cordoned, whatever its taints. */
  readonly takesPodsOf: (node: SnapshotNode) => boolean;
  /** A node failed in this decision, or does not count as failed any more. */
  readonly noteFailed: (node: SnapshotNode, isFailed: boolean) => void;
}
