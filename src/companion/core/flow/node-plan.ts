import type { NodeState } from '../../../shared/contract/node-states.js';
import { labelValue } from '../../../shared/kubernetes/selection/label-selector.js';
import { isPodToMove } from '../drain/pods-to-move.js';
import type { BlockersOf } from '../drain/blockers.js';
import type { Room } from '../drain/room.js';
import type { DrainView } from '../drain/drain-view.js';
import type { DrainOptions } from '../drain/filters.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Maintenances } from '../view/maintenances.js';
import type { Action, ForeignDaemonSet, SnapshotNode, Step, WaitReason } from '../../model/types.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { DRAINED } from '../../model/node-states.js';
import type { DriverView } from '../view/driver-view.js';
import { otherDriver, type NodeView } from '../view/node-view.js';
import type { NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';

/** What the plans of all nodes of a driver share in one decision. */
export interface PlanContext {
  readonly driver: DriverView;
  readonly rollout: Rollout;
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  /** By the policy, or by hand. */
  readonly isPaused: boolean;
  readonly daemonSet: DrainOptions['daemonSet'];
  readonly blockersOf: BlockersOf;
  readonly room: Room;
  /** Undefined while the nodes are planned one by one. Then no upgrade begins. */
  fleet: Fleet | undefined;
  /** What names of resources of virtual functions begin with; undefined: the policy has no `sriovNodeStates`. */
  readonly sriovPrefix: string | undefined;
  /** The Maintenance Operator cordons and drains; undefined: the companion does. */
  readonly maintenances: Maintenances | undefined;
  /** Label prefix of the flow for SR-IOV; undefined: the policy has none. */
  readonly sriovDriver: string | undefined;
  /** Label prefixes of the drivers that the companion upgrades. */
  readonly ownDrivers: ReadonlySet<string>;
  /** The driver for which a node begins in this decision, by the name of the node. */
  readonly begun: Map<string, string>;
  /**
   * By the name of a node that may begin for a driver as soon as there is room: what it waits for. It begins for no other driver before, so that
   * it is taken out once.
   */
  readonly withoutRoom: Map<string, WaitReason>;
  /** The number of evictions that the decision may still name for the driver. The search for pods to evict ends there. */
  readonly evictions: { left: number };
}

/** The working copy of one node: what the snapshot has, and what the patch of the node will change. */
export interface NodePlan {
  readonly context: PlanContext;
  readonly view: NodeView;
  readonly policy: NodeUpgradePolicy;
  state: NodeState;
  readonly annotations: Record<string, string | null>;
  unschedulable: boolean | undefined;
  readonly steps: Step[];
  actions: readonly Action[];
  daemonSetLookups: readonly ForeignDaemonSet[];
  warnings: readonly string[];
  /** It was cordoned before its upgrade, so it stays cordoned after it. */
  cordonKept: boolean;
  waitReason: WaitReason | undefined;
  /** When the next eviction is due, by the clock of the eviction records; undefined: none is left. */
  nextEvictionMs: number | undefined;
  /** Computed on first use, by the state in which their pods are evicted. */
  readonly drains: Partial<Record<NodeState, DrainView>>;
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

/** The state of all nodes of one driver in one decision, and the limits of all drivers. */
export interface Fleet {
  readonly rollout: Rollout;
  /** The budgets of a node, for each driver: that of its policy first, then those of its upgrade pools. */
  readonly budgetsOf: (plan: NodePlan) => readonly Budget[];
  /** The budget of each policy, by its name. */
  readonly policyBudgets: ReadonlyMap<string, readonly Budget[]>;
  readonly paused: boolean;
  readonly window: true | WaitReason;
  readonly failures: true | WaitReason;
  readonly canaries: Canaries;
  /** The canaries of each driver that a node is due for: a node that begins gets all of these drivers. */
  readonly canariesFor: (plan: NodePlan) => readonly Canaries[];
  /** Values of the topology label of nodes in progress for any driver. */
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

export function newNodePlan(context: PlanContext, view: NodeView, policy: NodeUpgradePolicy): NodePlan {
  // All properties are set here, because V8 optimizes objects that have one shape.
  return {
    context,
    view,
    policy,
    state: view.state as NodeState,
    annotations: {},
    unschedulable: undefined,
    steps: [],
    actions: NOTHING,
    daemonSetLookups: NOTHING,
    warnings: NOTHING,
    cordonKept: false,
    waitReason: undefined,
    nextEvictionMs: undefined,
    drains: {},
  };
}

/** An annotation of the node as the patch leaves it. */
export function annotation(plan: NodePlan, key: string): string | undefined {
  const patched = plan.annotations[key];
  if (patched !== undefined) return patched ?? undefined;
  return plan.view.node.annotations[key];
}

/** Removes annotations of the node, if it has them: thousands of nodes may begin at once, and large objects take memory. */
export function removeAnnotations(plan: NodePlan, ...keys: readonly string[]): void {
  for (const key of keys) if (annotation(plan, key) !== undefined) plan.annotations[key] = null;
}

export function isUnschedulable(plan: NodePlan): boolean {
  return plan.unschedulable ?? plan.view.node.unschedulable;
}

/** Whether rows apply to the node now. */
export function canGoOn({ view }: NodePlan): boolean {
  return !view.isFrozen && !view.isHeld;
}

/** Cordoned, in the snapshot or by the patch, or not ready. A node that the Maintenance Operator was asked for may be cordoned at any time. */
export function isUnavailable(plan: NodePlan): boolean {
  const { node } = plan.view;
  return node.unschedulable || isUnschedulable(plan) || node.ready !== 'True' || isAskedFor(plan);
}

function isAskedFor({ view, state, context }: NodePlan): boolean {
  const isAsked = view.state === ASKED || state === ASKED;
  return isAsked && context.maintenances !== undefined;
}

const ASKED: NodeState = 'node-maintenance-required';

/**
 * The node is out for another driver of the companion, and was drained for it: this driver joins, so that the node is taken out once.
 * The cordon is that of the other driver, which waits with the uncordon until no driver needs it.
 */
export function joins({ view: { node }, context }: NodePlan): boolean {
  const other = otherDriver(context.driver.keys, node);
  if (other === undefined || !node.unschedulable || !context.ownDrivers.has(other)) return false;
  return DRAINED.has(node.labels[driverKeys(other).state] ?? '');
}

/** Whether its upgrade moves pods to other nodes. */
export function hasPodsToMove(plan: NodePlan): boolean {
  return !plan.view.isRestartOnly && plan.view.pods.some(isPodToMove(plan.view, plan.context.driver));
}

/** Pods pull the new image before its upgrade begins. Those of `upgrade.prePull` are rendered, so selected DaemonSets have none. */
export function isPrePulled({ context: { rollout, driver } }: NodePlan): boolean {
  return rollout.prePull && driver.policy.daemonSets !== 'selected';
}

export function isSkipped(plan: NodePlan): boolean {
  return plan.view.node.labels[plan.context.driver.keys.skip] === 'true';
}

/** The value of the topology label of a node; all nodes have the same if there is no `topologyKey`. */
export function domainOf({ topologyKey }: Rollout, { labels }: SnapshotNode): string {
  return topologyKey === undefined ? '' : (labelValue(labels, topologyKey) ?? '');
}
