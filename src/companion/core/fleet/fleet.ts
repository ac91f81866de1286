import { durationMs } from '../../../shared/contract/duration.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { windowState } from '../../../shared/contract/maintenance-window.js';
import { uninstallOf } from '../../../shared/contract/uninstall.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { hasEntries } from '../../../shared/lib/has-entries.js';
import { listed } from '../../../shared/lib/listed.js';
import { once } from '../../../shared/lib/memo.js';
import { isoSecond } from '../../../shared/lib/time.js';
import { currentDriverPod } from '../view/driver-pod.js';
import { IN_PROGRESS } from '../../model/node-states.js';
import type { Snapshot } from '../../model/snapshot.js';
import { asksForDrain } from '../../model/sriov.js';
import type { SnapshotNode, WaitReason } from '../../model/types.js';
import type { DriverView } from '../view/driver-view.js';
import { cannotBegin, type NodeView } from '../view/node-view.js';
import { timeOf } from '../flow/clock.js';
import { policiesSettledMs } from '../flow/sriov.js';
import {
  canGoOn,
  domainOf,
  isSkipped,
  isUnavailable,
  type Budget,
  type Canaries,
  type Fleet,
  type NodePlan,
  type PlanContext,
  type NodePlanOf,
} from '../flow/node-plan.js';

/** The plans of one driver, after every node was planned on its own. */
export interface DriverPlans {
  readonly context: PlanContext;
  /** Of all managed nodes. */
  readonly all: readonly NodePlan[];
  /** Of nodes whose driver was uninstalled. They count for the limits on unavailable nodes. */
  readonly withoutDriver: readonly NodePlan[];
  readonly planOf: NodePlanOf;
}

/** The state of the fleet for each driver. A node that is out of service for one driver counts in the limits of all. */
export function fleetsOf(drivers: readonly DriverPlans[], paused: boolean): readonly Fleet[] {
  const plansOf = drivers.map(({ all, withoutDriver }) => [...all, ...withoutDriver]);
  const isActive = isNodeOf(plansOf, isInProgress);
  const isDown = isNodeOf(plansOf, isUnavailable);
  const limits = drivers.map((one) => budgetsFor(one, drivers.length > 1, isActive, isDown));
  const byName = plansOf.map((plans) => once(() => new Map(plans.map((plan) => [plan.view.node.name, plan]))));
  const budgetsOf = (plan: NodePlan): readonly Budget[] =>
    limits.flatMap((one, at) => {
      const here = byName[at]?.().get(plan.view.node.name);
      return here === undefined || (here !== plan && !here.policy.autoUpgrade) ? [] : one.budgetsOf(here);
    });
  const [first] = drivers;
  if (first === undefined) return [];
  const { rollout, nowMs } = first.context;
  const all = drivers.flatMap((one) => one.all);
  // Other domains do not wait for a frozen node in progress.
  const active = plansOf.flatMap((plans) => plans.filter((plan) => isInProgress(plan) && !plan.view.isFrozen));
  const shared = {
    rollout,
    paused,
    window: windowReason(rollout, nowMs),
    failures: failureReason(all, rollout),
    domains: new Set(active.map(({ view }) => domainOf(rollout, view.node))),
    takesPodsOf: othersThatTakePods(first.context),
  };
  const canaries = drivers.map(({ context, planOf }) => canariesOf(context, planOf, isActive));
  const canariesFor = (plan: NodePlan): readonly Canaries[] =>
    canaries.filter((_, at) => {
      const here = byName[at]?.().get(plan.view.node.name);
      return here === plan || (here !== undefined && isDue(here));
    });
  return drivers.map((_, at): Fleet => ({
    ...shared,
    budgetsOf: limits.length === 1 && limits[0] !== undefined ? limits[0].budgetsOf : budgetsOf,
    policyBudgets: limits[at]?.policyBudgets ?? new Map(),
    canaries: canaries[at] ?? withoutCanaries(),
    canariesFor: canaries.length === 1 ? () => canaries : canariesFor,
  }));
}

/** It waits for its upgrade, which this decision may begin. */
function isDue(plan: NodePlan): boolean {
  return plan.state === 'upgrade-required' && canGoOn(plan) && !isSkipped(plan);
}

/** Whether a plan of any driver for the same node is one of these. */
function isNodeOf(plansOf: readonly (readonly NodePlan[])[], isOne: IsOne): IsOne {
  const names = new Set(plansOf.flatMap((plans) => plans.filter(isOne).map(({ view }) => view.node.name)));
  return ({ view }) => names.has(view.node.name);
}

function namesOf(plans: readonly NodePlan[]): ReadonlySet<string> {
  return new Set(plans.map(({ view }) => view.node.name));
}

/** In progress in the snapshot or in the patch: a slot is free only after the API server has the patch that ends an upgrade. */
export function isInProgress(plan: NodePlan): boolean {
  return IN_PROGRESS.has(plan.view.state) || IN_PROGRESS.has(plan.state);
}

/**
 * Nodes that have a driver or get one. Another node counts only while it is unavailable, or in progress although others lifted its cordon, so
 * it makes no limit in per cent larger.
 */
function countsForBudgets(plan: NodePlan): boolean {
  const { noDriver, driverPods } = plan.view;
  return noDriver === undefined || driverPods.length > 0 || isUnavailable(plan) || isInProgress(plan);
}

/** A number of nodes, or a percentage of them: rounded up, as upstream reads `maxUnavailable`, unless another rounding is given. */
function amountOf(amount: number | string | undefined, total: number, rounded = Math.ceil): number {
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  return typeof amount === 'number' ? amount : rounded((total * Number.parseInt(amount, 10)) / 100);
}

/** The lower one of two limits: `maxParallelUpgrades` of a policy, and `maxUnavailable` of an SR-IOV pool, which is rounded down. */
function parallelLimit({ parallel, share }: Limits, total: number): number {
  return Math.min(parallel === 0 ? Number.POSITIVE_INFINITY : parallel, amountOf(share, total, Math.floor));
}

type IsOne = (plan: NodePlan) => boolean;

function budgetsFor(
  { context: { driver, rollout }, all, withoutDriver }: DriverPlans,
  isNamed: boolean,
  isActive: IsOne,
  isDown: IsOne,
): Pick<Fleet, 'budgetsOf' | 'policyBudgets'> {
  const plans = [...all.filter(countsForBudgets), ...withoutDriver];
  const suffix = isNamed ? ` of the ${driver.policy.labelPrefix} driver` : '';
  const budgetOf = (name: string, members: readonly NodePlan[], limits: Limits): Budget => ({
    name: `${name}${suffix}`,
    parallelLimit: parallelLimit(limits, members.length),
    unavailableLimit: amountOf(limits.unavailable, members.length),
    inProgress: count(members, isActive),
    unavailable: count(members, isDown),
  });
  // Nodes of one policy share one list if they are in no upgrade pool.
  const lists = new Map(
    // By name: an SR-IOV pool has one policy for a reboot, and one for other changes.
    [...groupBy(plans, (plan) => plan.policy.name)].map(([name, members]) => {
      const { maxParallelUpgrades, maxUnavailable, maxInProgress } = (members[0] as NodePlan).policy;
      const limits = { parallel: maxParallelUpgrades, unavailable: maxUnavailable, share: maxInProgress };
      return [name, [budgetOf(`policy ${name}`, members, limits)]] as const;
    }),
  );
  const poolBudgets = rollout.pools.map((pool) => {
    const members = plans.filter((plan) => hasEntries(plan.view.node.labels, pool.nodeSelector));
    const limits = { parallel: pool.maxParallelUpgrades ?? 0, unavailable: pool.maxUnavailable };
    return { pool, budget: budgetOf(`pool ${pool.name}`, members, limits) };
  });
  const budgetsOf = (plan: NodePlan): readonly Budget[] => {
    const own = lists.get(plan.policy.name) ?? [];
    if (poolBudgets.length === 0) return own;
    const narrowed = poolBudgets.filter(({ pool }) => hasEntries(plan.view.node.labels, pool.nodeSelector));
    return [...own, ...narrowed.map(({ budget }) => budget)];
  };
  return { budgetsOf, policyBudgets: lists };
}

interface Limits {
  /** 0: no limit. */
  readonly parallel: number;
  readonly unavailable: number | string | undefined;
  /** A number, or a percentage that is rounded down; undefined: no limit. */
  readonly share?: number | string | undefined;
}

/** Counts without allocating a list. */
export function count<Item>(items: readonly Item[], isOne: (item: Item) => boolean): number {
  let found = 0;
  for (const item of items) if (isOne(item)) found += 1;
  return found;
}

function windowReason({ maintenanceWindows }: Rollout, nowMs: number): true | WaitReason {
  if (maintenanceWindows.length === 0) return true;
  const states = maintenanceWindows.map((window) => windowState(window, nowMs));
  if (states.some(({ open }) => open)) return true;
  const opens = states.flatMap(({ nextChangeMs }) => (nextChangeMs === undefined ? [] : [nextChangeMs]));
  if (opens.length === 0) return { kind: 'window', message: 'no maintenance window ever opens' };
  const untilMs = Math.min(...opens);
  return {
    kind: 'window',
    message: `the next maintenance window opens at ${isoSecond(untilMs)}`,
    untilMs,
  };
}

function failureReason(plans: readonly NodePlan[], { failureBudget }: Rollout): true | WaitReason {
  // Skipped nodes and nodes without a driver do not count against the failure budget.
  const counts = (plan: NodePlan): boolean => !plan.view.isFrozen && !isSkipped(plan) && plan.view.isDriven;
  const failed = namesOf(plans.filter((plan) => plan.state === 'upgrade-failed' && counts(plan)));
  const allowed = Math.max(1, amountOf(failureBudget, namesOf(plans).size));
  if (failed.size < allowed) return true;
  return { kind: 'halt', message: `${failed.size} failed (${listed([...failed], 3)}) of at most ${allowed}` };
}

const withoutCanaries = (): Canaries => ({
  isCanary: () => true,
  wanted: Infinity,
  missing: 0,
  finished: 0,
  begun: 0,
  waitReason: undefined,
});

function canariesOf({ driver, rollout, snapshot, nowMs }: PlanContext, planOf: NodePlanOf, isActive: IsOne): Canaries {
  const { canary } = rollout;
  if (canary === undefined) return withoutCanaries();
  const { nodes, nodeSelector, soak } = canary;
  const isCanary = (node: SnapshotNode) => nodeSelector === undefined || hasEntries(node.labels, nodeSelector);
  // A node whose driver was removed in this rollout has no plan, but counts as a finished canary. A node that keeps its driver, because
  // no DaemonSet would put another one there, would keep all others waiting.
  const pool = driver.nodes.filter(
    (view) =>
      isCanary(view.node) &&
      view.node.labels[driver.keys.skip] !== 'true' &&
      !cannotBegin(view) &&
      ((planOf(view)?.policy.autoUpgrade === true && view.noDriver === undefined) ||
        doneMs(driver, view, nowMs, false) !== undefined),
  );
  const asked = nodes ?? (nodeSelector === undefined ? 1 : pool.length);
  const wanted = Math.min(asked, pool.length);
  const finished = pool
    .filter((view) => (planOf(view)?.state ?? view.state) === 'upgrade-done')
    .map((view) => ({
      view,
      doneMs:
        doneMs(driver, view, nowMs, nodeSelector !== undefined) ??
        (nodeSelector === undefined ? undefined : sriovInSyncMs(view, snapshot, nowMs)),
    }))
    .filter((one): one is Finished => one.doneMs !== undefined)
    .sort((a, b) => a.doneMs - b.doneMs)
    .slice(0, wanted);
  // A node that is out for another driver gets this one before it returns.
  const active = pool
    .flatMap((view) => planOf(view) ?? [])
    .filter((plan) => isInProgress(plan) || (isActive(plan) && isDue(plan)));
  const isProven = wanted === 0 && lostTheirDriver(driver, snapshot.nodes.filter(isCanary));
  const waitReason = isProven ? undefined : canaryReason(finished, wanted, durationMs(soak), nowMs);
  const begun = finished.length + active.length;
  return { isCanary, wanted, missing: asked - wanted, finished: finished.length, begun, waitReason };
}

/** An uninstalled driver is gone from all its canaries, and the companion did not remove it in this rollout. */
function lostTheirDriver({ nodes, policy }: DriverView, canaries: readonly SnapshotNode[]): boolean {
  const viewOf = new Map(nodes.map((view) => [view.node, view]));
  const uninstallFor = uninstallOf(policy);
  // A node without a driver that has lost its state label, too, or that is new, has no view.
  const uninstalled = canaries.filter((node) => viewOf.get(node)?.isUninstalled ?? uninstallFor(node) !== undefined);
  return uninstalled.length > 0 && uninstalled.every((node) => (viewOf.get(node)?.driverPods ?? []).length === 0);
}

interface Finished {
  readonly view: NodeView;
  readonly doneMs: number;
}

function canaryReason(
  finished: readonly Finished[],
  wanted: number,
  soakMs: number,
  nowMs: number,
): WaitReason | undefined {
  if (wanted === 0)
    return { kind: 'canary-missing', message: 'no node that is upgraded matches the selector of the canaries' };
  if (finished.length < wanted) {
    return { kind: 'canary', message: `${finished.length} of ${wanted} canaries are done` };
  }
  const sick = finished.find(({ view }) => view.covering !== undefined && currentDriverPod(view)?.ready !== true);
  if (sick !== undefined)
    return { kind: 'canary', message: `the driver of canary ${sick.view.node.name} is not ready` };
  const untilMs = Math.max(...finished.map((one) => one.doneMs)) + soakMs;
  if (nowMs >= untilMs) return undefined;
  return { kind: 'soak', message: `the canaries soak until ${isoSecond(untilMs)}`, untilMs };
}

/**
 * When a node was done in this rollout. With `countsInSync` a node whose driver needed no upgrade counts from when it was ready. So
 * does a node whose record is ahead of the clock, because it was written before the clock was set back; if its driver is not ready, it
 * soaks from now on.
 */
function doneMs(driver: DriverView, view: NodeView, nowMs: number, countsInSync: boolean): number | undefined {
  if (view.state !== 'upgrade-done') return undefined;
  const [rollout, seconds = ''] = (view.node.annotations[driver.keys.done] ?? '').split(' ');
  const isOfThis = rollout === driver.rollout;
  const recorded = isOfThis ? timeOf(seconds, nowMs) : undefined;
  if (recorded !== undefined) return recorded;
  const pod = isOfThis || countsInSync ? currentDriverPod(view) : undefined;
  if (pod?.ready === true) return pod.readyChangedMs;
  return isOfThis ? nowMs : undefined;
}

/** Since when a node has the virtual functions of the policies: no change of them asks for a drain of this canary. */
function sriovInSyncMs({ sriov, state }: NodeView, snapshot: Snapshot, nowMs: number): number | undefined {
  if (state !== 'upgrade-done' || sriov === undefined || sriov.syncStatus !== 'Succeeded' || asksForDrain(sriov))
    return undefined;
  const settledMs = policiesSettledMs(snapshot);
  return nowMs < settledMs ? undefined : settledMs;
}

function othersThatTakePods({ snapshot }: PlanContext): Fleet['takesPodsOf'] {
  const open = once(() => snapshot.nodes.filter(({ unschedulable, ready }) => !unschedulable && ready === 'True'));
  return ({ name }) => open().some((node) => node.name !== name);
}
