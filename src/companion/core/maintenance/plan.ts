import type { DriverKeys } from '../../../shared/contract/labels.js';
import type { MaintenanceRecord, NodeBefore } from '../../../shared/contract/maintenance-record.js';
import type { MaintenancePhase, NodeState } from '../../../shared/contract/node-states.js';
import type { NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { labelValue } from '../../../shared/kubernetes/selection/label-selector.js';
import type { Finding } from '../../model/findings.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action, ForeignDaemonSet, SnapshotNode, SnapshotPod, Step, WaitReason } from '../../model/types.js';
import type { BlockersOf, BudgetBlockersOf } from '../drain/blockers.js';
import type { PodBudgets } from '../drain/budgets.js';
import type { DrainRefusal } from '../drain/drain-view.js';
import type { DrainOptions } from '../drain/filters.js';
import type { Fleet } from './limits.js';

/** Whether a maintenance of the node is due for a participant. */
export type Due =
  /** `isOutdated`: for what is installed, so that a revert ends it. */
  | { readonly kind: 'due'; readonly isOutdated: boolean; readonly row: string; readonly message: string }
  /** It has what it is to get. */
  | { readonly kind: 'in-sync' }
  /** Neither, for a reason or without one. */
  | { readonly kind: 'unknown'; readonly wait?: WaitReason | undefined }
  /** Also a label that asks for it is a leftover. */
  | { readonly kind: 'never'; readonly row: string; readonly message: string };

/** How far the restart of a participant is. */
export type Progress =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'at-work';
      readonly wait: WaitReason;
      /** Its time does not run: it waits for something that has a time of its own. */
      readonly isTimeStopped?: boolean;
    };

/** What a participant does in its turn. */
interface Restart {
  readonly actions: readonly Action[];
  /** Why it cannot go on. */
  readonly wait?: WaitReason | undefined;
}

/** What a participant answers about one node while it is planned. Each is asked only where it is needed. */
export interface PartAnswers {
  readonly due: () => Due;
  /** Why its maintenance may not begin. */
  readonly beginWait: (plan: NodePlan, part: PlannedPart) => WaitReason | undefined;
  /** Its maintenance ends no pod. */
  readonly leavesPods: boolean;
  /** It takes nothing away from pods: it may begin outside of windows and although others failed, and takes part before its canaries are done. */
  readonly isHarmless: (plan: NodePlan) => boolean;
  /** Why the pods of the node stay for now: nothing would restart it. */
  readonly hold: (plan: NodePlan) => WaitReason | undefined;
  /** It was restarted, or nothing will restart it, although the node was not drained yet. */
  readonly isOver: boolean;
  /** Its restart has still to begin, or what it replaces is not gone. Pods that must leave have to leave before. */
  readonly isPending: (plan: NodePlan) => boolean;
  /** Its restart takes something away that works, or is doing so: not while another participant has the node for itself. */
  readonly isUnloaded: boolean;
  /** It begins to work on the node: those after it in the order wait, also if it takes no part in the maintenance. */
  readonly isLoading: (plan: NodePlan) => boolean;
  /** In its turn it is given the node for itself, while nothing else is unloaded. */
  readonly takesNode: boolean;
  /**
   * It was told that the node is its own, also if it takes no part in the maintenance: no other participant is unloaded meanwhile, and the cordon
   * is not lifted.
   */
  readonly holdsNode: boolean;
  /** Its restart has begun, so a node that fails now stays out of service. */
  readonly isTouched: boolean;
  readonly progress: (plan: NodePlan) => Progress;
  /** Called in its turn while it is at work, on a node whose cordon is seen. */
  readonly restart: (plan: NodePlan) => Restart;
  /** Annotations that its restart changes, in the patch that begins it too. */
  readonly restartAnnotations: (plan: NodePlan) => Readonly<Record<string, string | null>>;
  /** How long its restart may take; 0: no limit. */
  readonly restartSeconds: (plan: NodePlan) => number;
  /** Pods that must be Ready before the node is validated. */
  readonly validationPodSelectors: readonly string[];
  /** Something that was there before the maintenance is not back; undefined: nothing is missing. */
  readonly validationLack: (plan: NodePlan, before: NodeBefore) => string | undefined;
  /** Whether its validation asks for anything by itself. */
  readonly validates: (before: NodeBefore) => boolean;
  /** The names of the resources that it puts on the node. */
  readonly resources: readonly string[];
  /** Adds what the validation compares. */
  readonly remember: (before: NodeBefore) => NodeBefore;
  /** `<UID> <restarts>` of its pod; undefined: it was never restarted. */
  readonly restartsBefore: string | undefined;
  /** Labels and annotations that the node is to have in its phase, beside those of the maintenance. */
  readonly upkeep: (plan: NodePlan, part: PlannedPart) => NodeKeys;
  /** What an operator that knows nothing of the companion is told about its cordon. */
  readonly aboutCordon: (change: 'begins' | 'lasts') => Readonly<Record<string, string | null>>;
  /** What the node waits for at rest. */
  readonly restWait: (plan: NodePlan) => WaitReason | undefined;
  /** What a failed node waits for before a person has to act. */
  readonly failedWait: (plan: NodePlan, failure: string) => WaitReason | undefined;
  /** Whether a finished maintenance changed anything for it. */
  readonly wasChanged: boolean;
  /** It gets no driver any more: nothing repairs it when it failed. */
  readonly leftText: string | undefined;
  readonly findings: (plan: NodePlan) => readonly (readonly [Finding['kind'], string])[];
  /** Requests about other objects than the node and its pods, from what the snapshot has. */
  readonly objectActions: (plan: NodePlan, part: PlannedPart) => readonly Action[];
}

interface NodeKeys {
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
}

/** A participant on one node. */
export interface Part {
  readonly participant: ParticipantFacts;
  /** Value of its state label, which may be unknown. */
  readonly state: string;
  readonly policy: NodeUpgradePolicy | undefined;
  /** It has the participant, gets it or is in its flow. Other nodes are there for labels only. */
  readonly isManaged: boolean;
  /** It counts where a limit is a percentage. */
  readonly isCounted: boolean;
  /** It has the participant or is to get it. */
  readonly isDriven: boolean;
  /** The participant works on it. */
  readonly isReady: boolean;
  /** It loses the participant. */
  readonly isUninstalled: boolean;
  /** It may be a canary, and what it is to get is known. */
  readonly isCandidate: boolean;
  /** Why no row applies: the companion leaves it as it is. */
  readonly suspended: WaitReason | undefined;
  /** What it is to get; undefined: not known. */
  readonly wants: string | undefined;
  /** Name of the DaemonSet that installs it, or would if it tolerated the node: its nodes have canaries of their own. Undefined: none does. */
  readonly daemonSet?: string | undefined;
  /** Since when it has what it is to get. */
  readonly inSyncSinceMs: () => number | undefined;
  /** It has what this rollout asks for, and was not asked to be taken out for it: it is a canary that is done. */
  readonly isSettled: () => boolean;
  /** The participant should work on it, and does not. */
  readonly isSick: boolean;
  /** Nothing of it changes or waits: it needs no plan. */
  readonly isQuiet: boolean;
  readonly answers: PartAnswers;
}

/** What of a participant does not follow from nodes. */
export interface ParticipantFacts {
  /** The prefix of its labels. */
  readonly name: string;
  readonly keys: DriverKeys;
  /** Those with a lower order are restarted first. */
  readonly order: number;
  /** Names what the nodes get: canaries of another rollout do not count. */
  readonly rollout: string;
  /** What it calls itself in the name of a limit. */
  readonly title: string;
  readonly isPrePulled: boolean;
  /** Pods that hold it by something else than a resource. */
  readonly holdsIt: (pod: SnapshotPod) => boolean;
  /** Why a pod that does not hold it seems to use it: it is named in a warning. */
  readonly useText?: (pod: SnapshotPod) => string | undefined;
  /** Pods of DaemonSets that use its resources are no obstacle. */
  readonly leavesDaemonSets: boolean;
}

/** What can be due on nodes. */
export interface Participant extends ParticipantFacts {
  readonly policies: readonly NodeUpgradePolicy[];
  /** Only its restart ends these pods. */
  readonly isOwnPod: (pod: SnapshotPod) => boolean;
  readonly on: (node: SnapshotNode) => Part | undefined;
  /** All nodes with a part. */
  readonly parts: () => readonly NodePart[];
  /** Whether a canary is proven although no node can be one. */
  readonly isProven: (canaries: readonly SnapshotNode[]) => boolean;
  /** What it does beside maintenances, and what a user should know. */
  readonly fleet: (isPaused: boolean) => { readonly actions: readonly Action[]; readonly findings: readonly Finding[] };
  readonly uncovered: number;
  readonly withoutSuccessor: number;
}

export interface NodePart {
  readonly node: SnapshotNode;
  readonly part: Part;
}

/** How a node is taken out of service and given back. */
export interface Mode {
  /** The state label of a phase, where it is another one than in place. */
  readonly stateOf: (phase: MaintenancePhase) => NodeState | undefined;
  /** Why no node can be taken out now. */
  readonly beginWait: (plan: NodePlan) => WaitReason | undefined;
  /** The node is out already, by this mode: its maintenance begins without a slot. */
  readonly isTaken: (plan: NodePlan) => boolean;
  /** Takes the node out, also again after it came back. */
  readonly take: (plan: NodePlan) => void;
  /** Why the node is not out of service yet. */
  readonly outWait: (plan: NodePlan) => WaitReason | undefined;
  /** The node came back into service too early. */
  readonly isLost: (plan: NodePlan) => boolean;
  /** Why the node may not come back yet, or is not back. */
  readonly returnWait: (plan: NodePlan) => WaitReason | undefined;
  /** The last change of the node. */
  readonly giveBack: (plan: NodePlan) => void;
  /** Leaves the mode: the node failed before anything on it was touched. */
  readonly release: (plan: NodePlan) => void;
  /** The cordon of the node is this mode's, and not the companion's own. */
  readonly ownsCordon: (plan: NodePlan) => boolean;
  /** Pods that no drain evicts. */
  readonly keepsPod: (pod: SnapshotPod) => boolean;
  /** Another program evicts the companion itself like any other pod. */
  readonly evictsCompanion: boolean;
  /** Appended to the reason of a failed node. */
  readonly lostText: (plan: NodePlan) => string | undefined;
  /** Requests about other objects than the node and its pods. */
  readonly objectActions: (plan: NodePlan) => readonly Action[];
}

/** The states in which pods are evicted: first those that use a participant's resources, then the others. */
export type EvictingState = Extract<NodeState, 'pod-deletion-required' | 'drain-required'>;

/** The pods that have to leave a node for all of its members. */
export interface NodeDrain {
  /** Each with the participant that it leaves for. */
  readonly leaving: ReadonlyMap<SnapshotPod, PlannedPart>;
  readonly refusals: readonly DrainRefusal[];
  readonly warnings: readonly string[];
  readonly warningOf: ReadonlyMap<string, string>;
  readonly daemonSetLookups: readonly ForeignDaemonSet[];
}

/**
 * When nodes may start to drain: when the evicted pods of others have nodes, and no other node needs the same PodDisruptionBudget. A node that
 * cannot go on takes no part: one that waits for jobs, whose policy is off, that another program takes out, whose patches are refused, that gets no
 * driver, or that failed.
 */
export interface Placement {
  /** Why the node must wait; undefined if it may start. The node itself never counts. */
  readonly wait: (plan: NodePlan) => WaitReason | undefined;
  /** This decision starts the node. */
  readonly take: (plan: NodePlan) => void;
}

/** What the plans of all nodes share in one decision. */
export interface Shared {
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  readonly rollout: Rollout;
  readonly isPaused: boolean;
  readonly participants: readonly Participant[];
  /** Names of the participants. */
  readonly names: ReadonlySet<string>;
  /** Only pods of these namespaces validate a node. */
  readonly validationNamespaces: ReadonlySet<string>;
  /** Another program has the node for itself, and no label says so. */
  readonly keptByOthers: (node: SnapshotNode) => WaitReason | undefined;
  readonly inPlace: Mode;
  /** How a node that begins now is taken out. */
  readonly newMode: Mode;
  /** How this node was taken out. */
  readonly modeOf: (plan: NodePlan) => Mode;
  readonly daemonSet: DrainOptions['daemonSet'];
  readonly podBudgets: PodBudgets;
  readonly blockersOf: BlockersOf;
  /** The pods whose eviction their budgets would refuse now. */
  readonly budgetBlockersOf: BudgetBlockersOf;
  /** Whether a PodDisruptionBudget would refuse the eviction of a pod now. */
  readonly isKeptByBudget: (pod: SnapshotPod) => boolean;
  /** Labels of pods that no drain evicts. */
  readonly skipLabels: readonly string[];
  /** Pods that only their participant ends. */
  readonly isOwnPod: (pod: SnapshotPod) => boolean;
  /** The pods of nodes that are taken out have other nodes. */
  readonly placement: Placement;
  readonly fleet: Fleet;
  /** The number of evictions that the decision may still name. The search for pods to evict ends there. */
  readonly evictions: { left: number };
}

/** A participant in the plan of a node. */
export interface PlannedPart {
  readonly part: Part;
  readonly name: string;
  readonly answers: PartAnswers;
  /** Value of its label as the patch leaves it. */
  state: NodeState;
  /** It takes part in the maintenance. */
  isMember: boolean;
  /** What it waits for, if that is not what the node waits for. */
  wait: WaitReason | undefined;
}

/** The working copy of one node: what the snapshot has, and what its patch will change. */
export interface NodePlan {
  readonly shared: Shared;
  readonly node: SnapshotNode;
  readonly pods: readonly SnapshotPod[];
  readonly parts: readonly PlannedPart[];
  /** The phase that the snapshot has. */
  readonly seen: MaintenancePhase;
  phase: MaintenancePhase;
  /** The record that the snapshot has. */
  readonly recorded: MaintenanceRecord;
  /** The record as the patch leaves it. */
  record: MaintenanceRecord;
  readonly annotations: Record<string, string | null>;
  readonly labels: Record<string, string | null>;
  unschedulable: boolean | undefined;
  readonly steps: Step[];
  actions: readonly Action[];
  daemonSetLookups: readonly ForeignDaemonSet[];
  warnings: readonly string[];
  /** It was cordoned before its maintenance, so it stays cordoned after it. */
  isCordonKept: boolean;
  wait: WaitReason | undefined;
  /** When the next eviction is due, by the clock of the eviction records. */
  nextEvictionMs: number | undefined;
  /** Computed at the first use, for the members and states that it was computed for. */
  drain: { readonly of: string; readonly drain: NodeDrain } | undefined;
}

/** True if it holds; otherwise a reason to wait, or false. */
export type Condition = (plan: NodePlan) => boolean | WaitReason;

export function membersOf({ parts }: NodePlan): readonly PlannedPart[] {
  return parts.filter(({ isMember }) => isMember);
}

/** An annotation of the node as the patch leaves it. */
export function annotation({ annotations, node }: NodePlan, key: string): string | undefined {
  const patched = annotations[key];
  return patched === undefined ? node.annotations[key] : (patched ?? undefined);
}

/** Removes annotations of the node, if it has them. */
export function removeAnnotations(plan: NodePlan, ...keys: readonly string[]): void {
  for (const key of keys) if (annotation(plan, key) !== undefined) plan.annotations[key] = null;
}

/** Changes the record. `undefined` removes a field. */
export function remember(
  plan: NodePlan,
  change: { [Key in keyof MaintenanceRecord]?: MaintenanceRecord[Key] | undefined },
): void {
  let key: keyof MaintenanceRecord;
  for (key in change) {
    if (plan.record[key] === change[key]) continue;
    plan.record = { ...plan.record, ...change };
    return;
  }
}

export function isUnschedulable(plan: NodePlan): boolean {
  return plan.unschedulable ?? plan.node.unschedulable;
}

export function isSkipped({ node }: Pick<NodePlan, 'node'>, { participant }: Part): boolean {
  return node.labels[participant.keys.skip] === 'true';
}

/** The value of the topology label of a node; all nodes have the same if there is no `topologyKey`. */
export function domainOf({ topologyKey }: Rollout, { labels }: SnapshotNode): string {
  return topologyKey === undefined ? '' : (labelValue(labels, topologyKey) ?? '');
}

/** The first reason that one of these gives. */
export function firstReason<Item>(
  items: readonly Item[],
  reasonOf: (item: Item) => WaitReason | undefined,
): WaitReason | undefined {
  for (const item of items) {
    const reason = reasonOf(item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
