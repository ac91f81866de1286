import { durationMs } from '../../contract/duration.js';
import type { BlockersOf } from '../drain/blockers.js';
import type { Room } from '../drain/room.js';
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

/** Why a node waits. */
export interface WaitReason {
  readonly kind: WaitKind;
  readonly message: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Time of the next decision, if it is before `untilMs`. */
  readonly wakeMs?: number;
  readonly blockers?: readonly Blocker[];
}

/** The pods of a node as a drain, or the deletion of resource pods, sees them. */
export interface DrainView {
  /** Pods that must leave the node, including terminating pods. */
  readonly leaving: readonly SnapshotPod[];
  readonly warningOf: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  /** Why no pod of the node may be evicted. */
  readonly refusals: readonly string[];
  readonly daemonSetLookups: readonly ForeignDaemonSet[];
}

/** What the plans of all nodes of a driver share in one decision. */
export interface PlanContext {
  readonly driver: DriverView;
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  readonly daemonSet: DrainOptions['daemonSet'];
  readonly blockersOf: BlockersOf;
  readonly room: Room;
  /** Undefined while the nodes are planned one by one. Then no upgrade begins. */
  fleet: Fleet | undefined;
  /** The number of evictions that the decision may still name for the driver. The search for pods to evict ends there. */
  readonly evictions: { left: number };
}

/** The working copy of one node: what the snapshot has, and what the patch of the node will change. */
export interface NodePlan {
  readonly context: PlanContext;
  readonly view: NodeView;
  readonly policy: NodeUpgradePolicy;
  /** The node counts, but no row applies: its policy is off, the maintenance operator upgrades it, or its state is unknown. */
  readonly frozen: boolean;
  state: NodeState;
  labels: Readonly<Record<string, string | null>>;
  /** Shared with other plans until a row is taken, like `steps`. */
  annotations: Record<string, string | null>;
  unschedulable: boolean | undefined;
  steps: Step[];
  actions: readonly Action[];
  daemonSetLookups: readonly ForeignDaemonSet[];
  warnings: readonly string[];
  /** It was cordoned before its upgrade, so it stays cordoned after it. */
  cordonKept: boolean;
  waitReason: WaitReason | undefined;
  /** When the next eviction is due, by the clock of the eviction records; undefined: none is left. */
  nextEvictionMs: number | undefined;
  // Computed on first use.
  hasPodsToMove: boolean | undefined;
  start: { readonly text: string; readonly ms: number | undefined } | undefined;
  drain: DrainView | undefined;
  resourcePods: DrainView | undefined;
}

/** A limit on nodes, and how much of it is used. The numbers grow as nodes begin within one decision. */
export interface Budget {
  readonly name: string;
  /** Infinity: no limit. */
  readonly parallelLimit: number;
  readonly unavailableLimit: number;
  inProgress: number;
  unavailable: number;
}

/** The state of all nodes of one driver in one decision. */
export interface Fleet {
  readonly rollout: Rollout;
  /** The budgets of a node: that of its policy first, then those of its upgrade pools. */
  readonly budgetsOf: (plan: NodePlan) => readonly Budget[];
  /** One budget per policy. */
  readonly policyBudgets: readonly Budget[];
  readonly paused: boolean;
  readonly window: true | WaitReason;
  readonly failures: true | WaitReason;
  readonly canaries: Canaries;
  /** Values of the topology label of nodes in progress. */
  readonly domains: Set<string>;
  /** Whether another node is Ready and not cordoned, whatever its taints. */
  readonly takesPodsOf: (node: SnapshotNode) => boolean;
}

export interface Canaries {
  /** Whether the node is a canary. */
  readonly isCanary: (node: SnapshotNode) => boolean;
  readonly wanted: number;
  /** The number of canaries of the policy minus that of possible canaries. */
  readonly missing: number;
  /** Canaries that are done. */
  readonly finished: number;
  /** Canaries that are done, or in progress. */
  begun: number;
  /** Why other nodes must wait. */
  readonly waitReason: WaitReason | undefined;
}

/** True if the guard holds; otherwise the reason, or false if no reason is needed. */
export type Guard = (plan: NodePlan) => boolean | WaitReason;

/** The plan of a node; undefined if the node is not managed. */
export type NodePlanOf = (view: NodeView) => NodePlan | undefined;

const NOTHING: readonly never[] = [];
const NO_CHANGES: Record<string, never> = Object.freeze({});
export const NO_STEPS: Step[] = Object.freeze<never[]>([]) as never[];

export function newNodePlan(context: PlanContext, view: NodeView, policy: NodeUpgradePolicy): NodePlan {
  // All properties are set here, because V8 optimizes objects that have one shape.
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

/** Driver pods and gated pods of the node. The flow restarts them itself. */
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

/** A start time that is further in the future counts as missing, because it was written before the clock was set back. */
const CLOCK_SKEW_MS = 300_000;

/** The start time in an annotation, as Unix seconds like upstream's; undefined if it is missing or invalid. */
export function startMs(plan: NodePlan, key: string): number | undefined {
  const text = annotation(plan, key);
  if (text === undefined) return undefined;
  // Many guards read the same annotation.
  if (plan.start?.text !== text) plan.start = { text, ms: timeOf(text, plan.context.nowMs) };
  return plan.start.ms;
}

/** A time in Unix seconds, as an annotation has it; undefined if it is not valid, or ahead of the clock. */
export function timeOf(text: string, nowMs: number): number | undefined {
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(text)) return undefined;
  const start = Number(text) * 1000;
  return start > nowMs + CLOCK_SKEW_MS ? undefined : start;
}

/** Whether the time-out is over; 0 is no time-out. */
export function isOver(plan: NodePlan, start: number | undefined, timeoutSeconds: number): boolean {
  return timeoutSeconds > 0 && start !== undefined && plan.context.nowMs > start + timeoutSeconds * 1000;
}

/** What a driver may need beyond its startup probe: to pull its image, and to become ready. */
const AFTER_STARTUP_SECONDS = 600;

/** How long the restart of the driver may take: `driverTimeout`, or what its startup probe allows if that is more. */
export function driverTimeoutSeconds({ context, policy }: NodePlan): number {
  const timeoutSeconds = durationMs(context.driver.policy.rollout.driverTimeout) / 1000;
  // 0 is no time-out.
  return timeoutSeconds === 0 ? 0 : Math.max(timeoutSeconds, policy.startupSeconds + AFTER_STARTUP_SECONDS);
}

/** The deadline of the driver's restart, as a part of a WaitReason. */
export function restartDeadline(plan: NodePlan): { untilMs?: number } {
  return until(startMs(plan, plan.context.driver.keys.restartStart), driverTimeoutSeconds(plan));
}

/** The deadline as a part of a WaitReason; empty if there is none. */
export function until(start: number | undefined, timeoutSeconds: number): { untilMs?: number } {
  return timeoutSeconds > 0 && start !== undefined ? { untilMs: start + timeoutSeconds * 1000 + 1 } : {};
}

/** The maximum lag of the scheduler and of the pod watch behind a cordon. */
const OBSERVE_DELAY_MS = 1000;

/**
 * Whether the pod cache includes every pod that was bound before the cordon: the snapshot has the cordon, and the cordon is old
 * enough. True, or the time from which on it does.
 */
export function cordonObserved(plan: NodePlan, start: number | undefined): true | number {
  if (!plan.view.node.unschedulable || start === undefined) return plan.context.nowMs + OBSERVE_DELAY_MS;
  // Upstream's annotations have whole seconds, so the cordon may be up to a second younger.
  const observedMs = start + OBSERVE_DELAY_MS + (start % 1000 === 0 ? 1000 : 0);
  return plan.context.nowMs >= observedMs ? true : observedMs;
}
