import { durationMs } from '../../contract/duration.js';
import type { BlockersOf } from '../drain/blockers.js';
import type { DrainOrder } from '../drain/drain-order.js';
import type { DrainOptions } from '../drain/filters.js';
import type { Snapshot } from '../model/snapshot.js';
import type {
  Action,
  Blocker,
  ForeignDaemonSet,
  NodeState,
  SnapshotNode,
  SnapshotPod,
  Step,
  WaitKind,
} from '../model/types.js';
import type { DriverView, NodeView } from '../view/driver-view.js';
import type { NodeUpgradePolicy } from '../../contract/upgrade-policy.js';
import type { Rollout } from '../../contract/upgrade-settings.js';

/** Why a node does not go on. */
export interface WaitReason {
  readonly kind: WaitKind;
  readonly message: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** When to look again, where that is before `untilMs`. */
  readonly wakeMs?: number;
  readonly blockers?: readonly Blocker[];
}

/** The pods of a node as a drain, or the deletion of resource pods, sees them. */
export interface DrainView {
  /** Pods that have to go, those that are ending already included. */
  readonly leaving: readonly SnapshotPod[];
  readonly warningOf: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  /** Why nothing may be touched. */
  readonly refusals: readonly string[];
  readonly daemonSetLookups: readonly ForeignDaemonSet[];
}

/** What one decision shares between the plans of all nodes of a driver. */
export interface PlanContext {
  readonly driver: DriverView;
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  readonly daemonSet: DrainOptions['daemonSet'];
  readonly blockersOf: BlockersOf;
  readonly drainOrder: DrainOrder;
  /** All nodes together; absent while the nodes are planned one by one, and then no node begins. */
  fleet: Fleet | undefined;
  /** How many more evictions the driver may name; the search for pods to evict ends there. */
  readonly evictions: { left: number };
}

/** The working copy of one node while its rows are taken: what the snapshot says, and what the one patch will change. */
export interface NodePlan {
  readonly context: PlanContext;
  readonly view: NodeView;
  readonly policy: NodeUpgradePolicy;
  /** It counts, but no row applies: its policy is off, the maintenance operator has the node, or its state is unknown. */
  readonly frozen: boolean;
  state: NodeState;
  labels: Readonly<Record<string, string | null>>;
  /** Like the steps shared with others until a row is taken. */
  annotations: Record<string, string | null>;
  unschedulable: boolean | undefined;
  steps: Step[];
  actions: readonly Action[];
  daemonSetLookups: readonly ForeignDaemonSet[];
  warnings: readonly string[];
  /** It was cordoned before its upgrade, so it stays cordoned after it. */
  cordonKept: boolean;
  /** This decision undid its drain for lack of room, so the same decision does not begin it again. */
  hasYielded: boolean;
  waitReason: WaitReason | undefined;
  /** When the next eviction is due, by the clock of the snapshot's records; undefined: none is left. */
  nextEvictionMs: number | undefined;
  // What was looked up already.
  hasPodsToMove: boolean | undefined;
  start: { readonly text: string; readonly ms: number | undefined } | undefined;
  drain: DrainView | undefined;
  resourcePods: DrainView | undefined;
}

/** A limit on nodes, and how much of it is used. The numbers grow as nodes begin within one decision. */
export interface Budget {
  readonly name: string;
  readonly total: number;
  /** Infinity: no limit. */
  readonly parallelLimit: number;
  readonly unavailableLimit: number;
  inProgress: number;
  unavailable: number;
  /** Nodes that are cordoned and still have pods to find room for elsewhere. */
  draining: number;
  /** Nodes that pods could go to. */
  schedulable: number;
}

/** What the nodes of one driver are like together, in one decision. */
export interface Fleet {
  readonly rollout: Rollout;
  /** Budgets that a node must fit into: its policy's first, then those of narrowing pools. */
  readonly budgetsOf: (plan: NodePlan) => readonly Budget[];
  /** Those of policies, each once. */
  readonly policyBudgets: readonly Budget[];
  readonly paused: boolean;
  readonly window: true | WaitReason;
  readonly failures: true | WaitReason;
  readonly canaries: Canaries;
  /** Values of the topology label that have nodes in progress. */
  readonly domains: Set<string>;
  /** Pods that came since the first of the nodes in progress began, and that the scheduler finds no node for. */
  readonly unschedulablePods: () => number;
  /** Whether another node of the cluster takes pods: Ready and not cordoned, whatever its taints. */
  readonly takesPodsOf: (node: SnapshotNode) => boolean;
  /** Nodes in progress. */
  begun: number;
  /** Nodes that are cordoned and have pods to find room for elsewhere, and how many may be. */
  draining: number;
  readonly drainingLimit: number;
}

export interface Canaries {
  /** Whether a node goes first. */
  readonly isCanary: (node: SnapshotNode) => boolean;
  readonly wanted: number;
  /** So many fewer nodes can be canaries than the policy asks for. */
  readonly missing: number;
  /** Canaries that are done. */
  readonly finished: number;
  /** Canaries that are done, or in progress. */
  begun: number;
  /** Why nodes that are no canaries must wait. */
  readonly waitReason: WaitReason | undefined;
}

/** True, or why not; false where the answer explains itself. */
export type Guard = (plan: NodePlan) => boolean | WaitReason;

/** The plan of a node; undefined where the node is not managed. */
export type NodePlanOf = (view: NodeView) => NodePlan | undefined;

const NOTHING: readonly never[] = [];
const NO_CHANGES: Record<string, never> = Object.freeze({});
export const NO_STEPS: Step[] = Object.freeze<never[]>([]) as never[];

export function newNodePlan(context: PlanContext, view: NodeView, policy: NodeUpgradePolicy): NodePlan {
  // With what is not known yet: properties that come later make every plan another shape for the compiler.
  return {
    context,
    view,
    policy,
    frozen: view.isFrozen,
    state: view.state as NodeState,
    labels: NO_CHANGES,
    annotations: NO_CHANGES,
    unschedulable: undefined,
    steps: NO_STEPS,
    actions: NOTHING,
    daemonSetLookups: NOTHING,
    warnings: NOTHING,
    cordonKept: false,
    hasYielded: false,
    waitReason: undefined,
    nextEvictionMs: undefined,
    hasPodsToMove: undefined,
    start: undefined,
    drain: undefined,
    resourcePods: undefined,
  };
}

/** All pods that are bound to the node. */
export function podsOf({ view }: NodePlan): readonly SnapshotPod[] {
  return view.pods.all;
}

/** Pods of the driver on the node, and those behind its gate: the flow restarts them itself. */
export function ownPods({ view }: NodePlan): readonly SnapshotPod[] {
  return view.driverPods.length === 0 ? view.gatedPods : [...view.gatedPods, ...view.driverPods.map(({ pod }) => pod)];
}

/** An annotation of the node as the patch leaves it. */
export function annotation(plan: NodePlan, key: string): string | undefined {
  const patched = plan.annotations[key];
  if (patched !== undefined) return patched ?? undefined;
  return plan.view.node.annotations[key];
}

export function isUnschedulable(plan: NodePlan): boolean {
  return plan.unschedulable ?? plan.view.node.unschedulable;
}

/** A start time further ahead than clocks differ was written before the clock was set back: it is taken for missing. */
const CLOCK_SKEW_MS = 300_000;

/** A start time in an annotation, Unix seconds as upstream writes them; undefined where it is missing or no time. */
export function startMs(plan: NodePlan, key: string): number | undefined {
  const text = annotation(plan, key);
  if (text === undefined) return undefined;
  // Many guards ask for the same one.
  if (plan.start?.text !== text) plan.start = { text, ms: timeOf(text, plan.context.nowMs) };
  return plan.start.ms;
}

function timeOf(text: string, nowMs: number): number | undefined {
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(text)) return undefined;
  const start = Number(text) * 1000;
  return start > nowMs + CLOCK_SKEW_MS ? undefined : start;
}

/** Whether more than the time allowed has passed since the start; never with 0, which allows any. */
export function isOver(plan: NodePlan, start: number | undefined, timeoutSeconds: number): boolean {
  return timeoutSeconds > 0 && start !== undefined && plan.context.nowMs > start + timeoutSeconds * 1000;
}

/** When the restart of the driver takes too long, as a part of a WaitReason. */
export function restartDeadline(plan: NodePlan): { untilMs?: number } {
  const { keys, policy } = plan.context.driver;
  return until(startMs(plan, keys.restartStart), durationMs(policy.rollout.driverTimeout) / 1000);
}

/** The deadline as a part of a WaitReason; nothing where there is none. */
export function until(start: number | undefined, timeoutSeconds: number): { untilMs?: number } {
  return timeoutSeconds > 0 && start !== undefined ? { untilMs: start + timeoutSeconds * 1000 + 1 } : {};
}

/** The scheduler and the pod watch may be behind the cordon by this much. */
const OBSERVE_DELAY_MS = 1000;

/**
 * When "there is no such pod" may be believed: the snapshot shows the cordon, and it is a moment old, so that a pod that was
 * bound just before it is in the snapshot as well. True, or the time from which on it holds.
 */
export function cordonObserved(plan: NodePlan, start: number | undefined): true | number {
  if (!plan.view.node.unschedulable || start === undefined) return plan.context.nowMs + OBSERVE_DELAY_MS;
  // Upstream's annotations have whole seconds, so the cordon may be younger than they say by one.
  const observedMs = start + OBSERVE_DELAY_MS + (start % 1000 === 0 ? 1000 : 0);
  return plan.context.nowMs >= observedMs ? true : observedMs;
}
