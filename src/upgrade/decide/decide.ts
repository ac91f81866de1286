import { driverKeys } from '../../contract/labels.js';
import type { UpgradePolicy, DriverPolicy } from '../../contract/upgrade-policy.js';
import { once } from '../../lib/memo.js';
import { blockersIn } from '../drain/blockers.js';
import { roomOf } from '../drain/room.js';
import { isFinished } from '../drain/filters.js';
import { dateMark } from '../flow/cordon.js';
import { clearRecords, recordWanted } from '../flow/records.js';
import { patchOf, rowsByState, planNode, type RowsByState } from '../flow/engine.js';
import { countsOf, driverFindings, nodeFindings, nodeWaiting } from '../fleet/findings.js';
import { fleetOf } from '../fleet/fleet.js';
import { gatedPodActions, gateValue } from '../view/gate.js';
import { inOrder } from '../fleet/order.js';
import { podMatcher, type PodIndex } from '../model/pod-index.js';
import { retire } from '../fleet/retire.js';
import { TRANSITIONS } from '../flow/transitions.js';
import type { TransitionRow } from '../flow/transition-row.js';
import { IN_PROGRESS } from '../model/node-states.js';
import { newNodePlan, type Fleet, type NodePlan, type PlanContext } from '../flow/node-plan.js';
import type { Snapshot } from '../model/snapshot.js';
import type {
  Action,
  Decision,
  DriverCounts,
  Finding,
  ForeignDaemonSet,
  NodeState,
  PatchNode,
  Waiting,
} from '../model/types.js';
import { driverView, type NodeView } from '../view/driver-view.js';

/** The parts of a decision. Each driver adds its own. */
interface DecisionParts {
  readonly actions: Action[];
  readonly waiting: Waiting[];
  readonly findings: Finding[];
  readonly daemonSetLookups: ForeignDaemonSet[];
  readonly wakes: number[];
  readonly counts: DriverCounts[];
}

interface DecideOptions {
  /**
   * The maximum number of evictions per driver. Default: no limit. A caller that sends no more at once saves the search through
   * 100,000 pods.
   */
  readonly mostEvictions?: number;
}

/**
 * Returns the next actions for all nodes. It is a pure function.
 *
 * The snapshot must contain the companion's own writes, as their responses returned them. If a controller of a driver has just
 * stopped, it must also contain the last writes of that controller (`controllerLeft`). Otherwise the budgets do not count a node
 * that has just started. The time is linear in the number of nodes and pods.
 *
 * Tests pass a `table` without some rows.
 */
export function decide(
  snapshot: Snapshot,
  policy: UpgradePolicy,
  nowMs: number,
  table: readonly TransitionRow[] = TRANSITIONS,
  { mostEvictions = Infinity }: DecideOptions = {},
): Decision {
  const rows = rowsByState(table);
  const blockersOf = blockersIn(snapshot);
  const daemonSet = daemonSets(snapshot);
  const parts: DecisionParts = { actions: [], waiting: [], findings: [], daemonSetLookups: [], wakes: [], counts: [] };
  const ours = policy.drivers.filter((one) => !controllerRuns(one, snapshot.pods));
  for (const one of policy.drivers) if (!ours.includes(one)) refuse(parts, one, snapshot);
  const drivers = ours.map((one) => driverView(one, snapshot, nowMs));
  const room = roomOf(drivers, snapshot, nowMs);
  for (const driver of drivers) {
    const evictions = { left: mostEvictions };
    const context = { driver, snapshot, nowMs, daemonSet, blockersOf, room, evictions, fleet: undefined };
    addDriver(parts, context, policy.paused || snapshot.paused, rows);
    // The search ended early, so evictions that it did not find may be due now.
    if (context.evictions.left === 0) parts.wakes.push(nowMs + 1);
  }
  const wakes = parts.wakes.filter((wake) => wake > nowMs);
  const { now, deferred } =
    policy.drivers.length > 1 ? onePatchPerNode(parts.actions) : { now: parts.actions, deferred: [] };
  return {
    actions: now,
    waiting: waitingForPatches(deferred, parts.waiting),
    findings: parts.findings,
    daemonSetLookups: withoutDuplicates(parts.daemonSetLookups),
    counts: parts.counts,
    ...(wakes.length === 0 ? {} : { wakeMs: wakes.reduce((a, b) => Math.min(a, b)) }),
  };
}

/** A controller counts as running while it has a pod that has not finished, including terminating pods. */
function controllerRuns({ controllerPodSelector }: DriverPolicy, pods: PodIndex): boolean {
  if (controllerPodSelector === '') return false;
  const isOfController = podMatcher([controllerPodSelector]);
  for (const pod of pods) if (isOfController(pod) && !isFinished(pod)) return true;
  return false;
}

/** Decides on no action, and names the nodes that are in progress. */
function refuse(parts: DecisionParts, driver: DriverPolicy, snapshot: Snapshot): void {
  const about = { driver: driver.labelPrefix };
  const message = `pods with ${driver.controllerPodSelector} run: their controller owns the ${driver.labelPrefix} driver`;
  const key = driverKeys(driver.labelPrefix).state;
  for (const { name, labels } of snapshot.nodes) {
    const state = labels[key] ?? '';
    if (!IN_PROGRESS.has(state) && state !== 'upgrade-required') continue;
    parts.waiting.push({
      ...about,
      node: name,
      state: state as NodeState,
      kind: 'foreign-flow',
      message,
      blockers: [],
    });
  }
  parts.findings.push({ ...about, kind: 'controller-runs', severity: 'error', message });
}

/**
 * One patch of a node at a time: if two drivers patch a node, the precondition of the second patch would fail, so it waits for the
 * next decision.
 */
function onePatchPerNode(actions: readonly Action[]): {
  readonly now: readonly Action[];
  readonly deferred: readonly DeferredPatch[];
} {
  const firsts = new Map<string, PatchNode>();
  const deferred: DeferredPatch[] = [];
  const now = actions.filter((action) => {
    if (action.kind !== 'patchNode') return true;
    const first = firsts.get(action.node);
    if (first === undefined) firsts.set(action.node, action);
    else deferred.push({ patch: action, first });
    return first === undefined;
  });
  return { now, deferred };
}

/** A patch that waits for the next decision, and the patch of the same node that is sent first. */
interface DeferredPatch {
  readonly patch: PatchNode;
  readonly first: PatchNode;
}

/** Adds a wait for each node whose patch was deferred, because a node whose plan ended waits for nothing. */
function waitingForPatches(deferred: readonly DeferredPatch[], waiting: readonly Waiting[]): readonly Waiting[] {
  if (deferred.length === 0) return waiting;
  const known = new Set(waiting.map(({ driver, node }) => `${driver}/${node}`));
  const more = deferred.flatMap(({ patch: { driver, node, steps }, first }): Waiting[] => {
    const [step] = steps;
    if (step === undefined || known.has(`${driver}/${node}`)) return [];
    const message = `the patch of the node for the ${first.driver} driver is sent first`;
    return [{ driver, node, state: step.from, kind: 'other-driver', message, blockers: [] }];
  });
  return [...waiting, ...more];
}

/** Whether a DaemonSet exists. Those of the drivers' namespaces are in the snapshot; others were looked up. */
function daemonSets({ daemonSets: own, foreignDaemonSets }: Snapshot): PlanContext['daemonSet'] {
  const known = new Map<string, Map<string, 'present' | 'absent' | 'unknown'>>();
  const note = (namespace: string, name: string, state: 'present' | 'absent' | 'unknown') => {
    const there = known.get(namespace) ?? new Map<string, typeof state>();
    known.set(namespace, there.set(name, state));
  };
  for (const [key, state] of foreignDaemonSets) {
    const slash = key.indexOf('/');
    note(key.slice(0, slash), key.slice(slash + 1), state);
  }
  for (const { namespace, name } of own) note(namespace, name, 'present');
  return (namespace, name) => known.get(namespace)?.get(name) ?? 'unknown';
}

function addDriver(parts: DecisionParts, context: PlanContext, paused: boolean, rows: RowsByState): void {
  const { driver } = context;
  // In the order of `driver.nodes`; undefined if the node is not managed.
  const plans = driver.nodes.map((view): NodePlan | undefined => {
    if (view.policy === undefined || !view.isManaged) return undefined;
    const plan = newNodePlan(context, view, view.policy);
    if (canGoOn(plan)) planNode(plan, rows);
    return plan;
  });
  const all = plans.filter((plan) => plan !== undefined);
  // Built on first use, because most decisions do not need it.
  const byView = once(() => new Map(all.map((plan) => [plan.view, plan])));
  const planOf = (view: NodeView): NodePlan | undefined => byView().get(view);
  const fleet = fleetOf(context, { all, withoutDriver: withoutDriver(context) }, planOf, paused);
  context.fleet = fleet;
  begin(all, fleet, rows);

  const retired = retire(driver, planOf, paused);
  parts.actions.push(...retired.actions);
  parts.findings.push(...driverFindings(driver, fleet), ...retired.findings);
  parts.counts.push(countsOf(driver, all, fleet));
  driver.nodes.forEach((view, place) => addNode(parts, context, view, plans[place]));
}

/** Nodes whose driver was uninstalled. They count for the budgets, because one that does not become ready again is unavailable. */
function withoutDriver(context: PlanContext): readonly NodePlan[] {
  const gone = context.driver.nodes.filter(
    ({ isManaged, isUninstalled, state }) => isUninstalled && !isManaged && state === 'upgrade-done',
  );
  return gone.flatMap((view) => (view.policy === undefined ? [] : newNodePlan(context, view, view.policy)));
}

/** Whether rows apply to the node now. */
function canGoOn({ frozen, view }: NodePlan): boolean {
  return !frozen && !view.isHeld;
}

/** Starts the upgrade of nodes in their order, as far as the budgets allow. */
function begin(plans: readonly NodePlan[], fleet: Fleet, rows: RowsByState): void {
  const candidates = plans.filter((plan) => canGoOn(plan) && plan.state === 'upgrade-required');
  for (const plan of inOrder(candidates, fleet)) planNode(plan, rows);
}

/** Adds the patch of one node with the gate label, the actions on its pods, and its messages. */
function addNode(parts: DecisionParts, context: PlanContext, view: NodeView, known: NodePlan | undefined): void {
  const { driver, nowMs } = context;
  const plan = known ?? (view.policy === undefined ? undefined : newNodePlan(context, view, view.policy));
  const gate = gatedPodActions(driver, view, nowMs);
  for (const action of gate.actions) parts.actions.push(action);
  if (gate.wakeMs !== undefined) parts.wakes.push(gate.wakeMs);
  if (plan === undefined) return;
  const value = gateValue(driver, view, plan.state);
  if (value !== undefined && driver.policy.gate !== undefined)
    plan.labels = { ...plan.labels, [driver.policy.gate.label]: value };
  if (canGoOn(plan)) {
    clearRecords(plan);
    recordWanted(plan);
    dateMark(plan);
  }
  const patch = view.isHeld ? undefined : patchOf(plan);
  if (patch !== undefined) parts.actions.push(patch);
  for (const action of plan.actions) parts.actions.push(action);
  if (known === undefined) return;
  addReport(parts, known);
}

/** Adds the reports about a node, and the time of its next decision. */
function addReport(parts: DecisionParts, plan: NodePlan): void {
  for (const lookup of plan.daemonSetLookups) parts.daemonSetLookups.push(lookup);
  const waiting = nodeWaiting(plan);
  if (waiting !== undefined) parts.waiting.push(waiting);
  for (const finding of nodeFindings(plan)) parts.findings.push(finding);
  const { wakeMs, untilMs } = plan.waitReason ?? {};
  if (plan.view.isHeld && plan.view.refusal !== undefined) parts.wakes.push(plan.view.refusal.untilMs);
  if (wakeMs !== undefined) parts.wakes.push(wakeMs);
  if (untilMs !== undefined) parts.wakes.push(untilMs);
  if (plan.nextEvictionMs !== undefined)
    parts.wakes.push(plan.nextEvictionMs + plan.context.snapshot.evictions.shiftMs);
}

function withoutDuplicates(daemonSetLookups: readonly ForeignDaemonSet[]): readonly ForeignDaemonSet[] {
  return [...new Map(daemonSetLookups.map((one) => [`${one.namespace}/${one.name}`, one])).values()];
}
