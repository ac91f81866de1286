import type { NodeState } from '../../../shared/contract/node-states.js';
import { controllerNamespaces } from '../../../shared/contract/controller-namespaces.js';
import { driverKeys, GPU_UPGRADE_ENABLED_ANNOTATION } from '../../../shared/contract/labels.js';
import { NETWORK_OPERATOR_LEASE } from '../../../shared/contract/network-operator.js';
import type { UpgradePolicy, DriverPolicy } from '../../../shared/contract/upgrade-policy.js';
import { once } from '../../../shared/lib/memo.js';
import { blockersIn } from '../drain/blockers.js';
import { roomOf } from '../drain/room.js';
import { finding, type Finding } from '../../model/findings.js';
import { isFinished, nameOf } from '../../model/pod.js';
import { dateMark, tellOfCordon } from '../flow/cordon.js';
import { nodeMaintenanceChange } from '../flow/node-maintenance.js';
import { sriovAnswer } from '../flow/sriov.js';
import { clearRecords, recordWanted } from '../flow/records.js';
import { patchOf, rowsByState, planNode, type RowsByState } from '../flow/engine.js';
import { countsOf, driverFindings, nodeFindings, nodeWaiting } from '../fleet/findings.js';
import { fleetsOf, type DriverPlans } from '../fleet/fleet.js';
import { gatedPodDeletions, gateLabels } from '../view/gate.js';
import { inOrder } from '../fleet/order.js';
import { podMatcher } from '../../model/pod-index.js';
import { retire } from '../fleet/retire.js';
import { TRANSITIONS } from '../flow/transitions.js';
import type { TransitionRow } from '../flow/transition-row.js';
import { IN_PROGRESS, NEEDS_CORDON } from '../../model/node-states.js';
import { canGoOn, newNodePlan, type NodePlan, type PlanContext } from '../flow/node-plan.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action, Decision, DriverCounts, ForeignDaemonSet, Waiting, WaitReason } from '../../model/types.js';
import { driverView } from '../view/driver-view.js';
import { maintenancesIn } from '../view/maintenances.js';
import { otherDriver, type NodeView } from '../view/node-view.js';

/** The parts of a decision. Each driver adds its own. */
interface DecisionParts {
  readonly actions: Action[];
  /** Names of the nodes that an action patches. */
  readonly patched: Set<string>;
  /** Names of the nodes whose NodeMaintenance an action changes. */
  readonly maintained: Set<string>;
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
  const parts: DecisionParts = {
    actions: [],
    patched: new Set(),
    maintained: new Set(),
    waiting: [],
    findings: [],
    daemonSetLookups: [],
    wakes: [],
    counts: [],
  };
  const ours = policy.drivers.filter((one) => {
    const controller = runningController(one, snapshot);
    if (controller !== undefined) refuse(parts, one, controller, snapshot);
    return controller === undefined;
  });
  const maintenances = maintenancesIn(snapshot, policy);
  const drivers = ours.map((one) => driverView(one, snapshot, nowMs, policy));
  const isPaused = policy.paused || snapshot.paused;
  const shared = {
    isPaused,
    rollout: policy.rollout,
    ownDrivers: new Set(ours.map(({ labelPrefix }) => labelPrefix)),
    snapshot,
    nowMs,
    daemonSet: daemonSets(snapshot),
    blockersOf: blockersIn(snapshot),
    sriovPrefix: policy.sriovNodeStates?.resourcePrefix,
    maintenances,
    sriovDriver: ours.find(({ api }) => api === 'sriov')?.labelPrefix,
    room: roomOf(drivers, snapshot, nowMs),
    begun: new Map<string, string>(),
    withoutRoom: new Map<string, WaitReason>(),
  };
  const planned = drivers.map((driver) =>
    planDriver({ ...shared, driver, evictions: { left: mostEvictions }, fleet: undefined }, rows),
  );
  const fleets = fleetsOf(planned, isPaused);
  planned.forEach(({ context }, at) => (context.fleet = fleets[at]));
  begin(planned, rows);
  for (const one of planned) {
    addDriver(parts, one);
    // The search ended early, so evictions that it did not find may be due now.
    if (one.context.evictions.left === 0) parts.wakes.push(nowMs + 1);
  }
  const wakes = parts.wakes.filter((wake) => wake > nowMs);
  return {
    actions: parts.actions,
    waiting: parts.waiting,
    findings: parts.findings,
    daemonSetLookups: withoutDuplicates(parts.daemonSetLookups),
    counts: parts.counts,
    ...(wakes.length === 0 ? {} : { wakeMs: wakes.reduce((a, b) => Math.min(a, b)) }),
  };
}

/**
 * What shows that the controller of a driver runs: a pod that has not finished, including terminating pods, or a Lease that is renewed. Its pods are
 * those in its namespaces with the label of the policy, and those that its other labels or its image show. A pod of any other namespace is a
 * tenant's, whatever it says of itself.
 */
function runningController(
  { api, namespace, controllerPodSelector }: DriverPolicy,
  { pods, operatorLeaseHolder = '' }: Snapshot,
): string | undefined {
  if (controllerPodSelector === '') return undefined;
  const namespaces = controllerNamespaces(api, namespace);
  const isSelected = podMatcher([controllerPodSelector]);
  const controllersOn = pods.onNodeThat(
    `controller ${api} ${namespace} ${controllerPodSelector}`,
    (pod) => namespaces.includes(pod.namespace) && (pod.controllerOf === api || isSelected(pod)) && !isFinished(pod),
  );
  for (const node of pods.byNode.keys()) for (const pod of controllersOn(node)) return `the pod ${nameOf(pod)} runs`;
  if (api !== 'network-operator' || operatorLeaseHolder === '') return undefined;
  return `${operatorLeaseHolder} renews the Lease ${NETWORK_OPERATOR_LEASE}`;
}

/** Decides on no action, and names the nodes that are in progress or failed. */
function refuse(parts: DecisionParts, { labelPrefix }: DriverPolicy, controller: string, snapshot: Snapshot): void {
  const message = `${controller}: its controller owns the ${labelPrefix} driver`;
  const about = { driver: labelPrefix, kind: 'foreign-flow', message, blockers: [] } as const;
  const key = driverKeys(labelPrefix).state;
  for (const { name, labels } of snapshot.nodes) {
    const state = labels[key] ?? '';
    if (IN_PROGRESS.has(state) || state === 'upgrade-required' || state === 'upgrade-failed')
      parts.waiting.push({ ...about, node: name, state: state as NodeState });
  }
  parts.findings.push(finding(labelPrefix, 'controller-runs', message));
}

/** Whether a DaemonSet exists. Those of the drivers' namespaces are in the snapshot; others were looked up. */
function daemonSets({ daemonSets: own, foreignDaemonSets }: Snapshot): PlanContext['daemonSet'] {
  const names = new Set(own.map(nameOf));
  return (namespace, name) => {
    const key = nameOf({ namespace, name });
    return names.has(key) ? 'present' : (foreignDaemonSets.get(key) ?? 'unknown');
  };
}

interface PlannedDriver extends DriverPlans {
  /** In the order of `driver.nodes`; undefined if the node is not managed. */
  readonly plans: readonly (NodePlan | undefined)[];
}

/** Plans every node on its own. */
function planDriver(context: PlanContext, rows: RowsByState): PlannedDriver {
  const plans = context.driver.nodes.map((view): NodePlan | undefined => {
    if (view.policy === undefined || !view.isManaged) return undefined;
    const plan = newNodePlan(context, view, view.policy);
    if (canGoOn(plan)) planNode(plan, rows);
    return plan;
  });
  const all = plans.filter((plan) => plan !== undefined);
  // Built on first use, because most decisions do not need it.
  const byView = once(() => new Map(all.map((plan) => [plan.view, plan])));
  return { context, plans, all, withoutDriver: withoutDriver(context), planOf: (view) => byView().get(view) };
}

function addDriver(parts: DecisionParts, { context, plans, all }: PlannedDriver): void {
  const { driver, fleet } = context;
  if (fleet === undefined) return;
  const retired = retire(driver, fleet.paused);
  parts.actions.push(...retired.actions);
  parts.findings.push(...driverFindings(context, fleet), ...retired.findings);
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

/** Starts the upgrade of nodes in their order, for whatever driver, as far as the limits allow. */
function begin(planned: readonly PlannedDriver[], rows: RowsByState): void {
  const candidates = planned.flatMap(({ all, context: { fleet } }) =>
    all.flatMap((plan) => (fleet && canGoOn(plan) && plan.state === 'upgrade-required' ? { plan, fleet } : [])),
  );
  for (const plan of inOrder(candidates)) {
    planNode(plan, rows);
    if (plan.waitReason?.kind === 'room') plan.context.withoutRoom.set(plan.view.node.name, plan.waitReason);
  }
}

/** Adds the patch of one node with the gate label, the actions on its pods, and its messages. */
function addNode(parts: DecisionParts, context: PlanContext, view: NodeView, known: NodePlan | undefined): void {
  const { driver } = context;
  const plan = known ?? (view.policy === undefined ? undefined : newNodePlan(context, view, view.policy));
  for (const deletion of gatedPodDeletions(driver, view)) parts.actions.push(deletion);
  if (plan === undefined) return;
  if (canGoOn(plan)) {
    clearRecords(plan);
    recordWanted(plan);
    dateMark(plan);
    tellOfCordon(plan);
  }
  keepDriverManagerQuiet(plan);
  const patch = view.isHeld ? undefined : patchOf(plan, gateLabels(driver, view, plan.state));
  // If two drivers patch a node, the precondition of the second patch would fail, so it waits for the next decision. A driver that begins
  // goes first: another one may be about to lift the cordon that it joins.
  const begun = context.begun.get(view.node.name);
  const isSecond = parts.patched.has(view.node.name) || (begun !== undefined && begun !== driver.policy.labelPrefix);
  if (patch !== undefined && isSecond) plan.waitReason ??= SECOND_PATCH;
  else if (patch !== undefined) {
    parts.actions.push(patch);
    parts.patched.add(patch.node);
  }
  for (const action of plan.actions) parts.actions.push(action);
  const answer = canGoOn(plan) ? sriovAnswer(plan) : undefined;
  if (answer !== undefined) parts.actions.push(answer);
  addNodeMaintenance(parts, plan);
  if (known === undefined) return;
  addReport(parts, known);
}

/** Drivers that need the node at the same time have one NodeMaintenance. */
function addNodeMaintenance({ actions, maintained }: DecisionParts, plan: NodePlan): void {
  const { name } = plan.view.node;
  const change = canGoOn(plan) && !maintained.has(name) ? nodeMaintenanceChange(plan) : undefined;
  if (change === undefined) return;
  actions.push(change);
  maintained.add(name);
}

/**
 * Tells k8s-driver-manager, the init container of a GPU driver pod, that something else moves the pods off the node, as the GPU operator
 * does while its upgrade controller is on.
 */
function keepDriverManagerQuiet({ annotations, view, state, policy, context: { driver } }: NodePlan): void {
  if (driver.policy.api !== 'gpu-operator' || view.operatorState !== undefined || view.covering === undefined) return;
  // An upgrade that has begun ends as it began, and another driver may need the cordon.
  const isOut = IN_PROGRESS.has(state) || otherDriver(driver.keys, view.node, NEEDS_CORDON) !== undefined;
  if (policy.autoUpgrade) annotations[GPU_UPGRADE_ENABLED_ANNOTATION] = 'true';
  else if (!isOut) annotations[GPU_UPGRADE_ENABLED_ANNOTATION] = null;
}

const SECOND_PATCH = {
  kind: 'other-driver',
  message: 'the patch of the node for another driver is sent first',
} as const;

/** Adds the reports about a node, and the time of its next decision. */
function addReport(parts: DecisionParts, plan: NodePlan): void {
  for (const lookup of plan.daemonSetLookups) parts.daemonSetLookups.push(lookup);
  const waiting = nodeWaiting(plan);
  if (waiting !== undefined) parts.waiting.push(waiting);
  if (waiting?.untilMs !== undefined) parts.wakes.push(waiting.untilMs);
  for (const finding of nodeFindings(plan)) parts.findings.push(finding);
  const { wakeMs } = plan.waitReason ?? {};
  if (plan.view.isHeld && plan.view.refusal !== undefined) parts.wakes.push(plan.view.refusal.untilMs);
  if (wakeMs !== undefined) parts.wakes.push(wakeMs);
  if (plan.nextEvictionMs !== undefined)
    parts.wakes.push(plan.nextEvictionMs + plan.context.snapshot.evictions.shiftMs);
}

function withoutDuplicates(daemonSetLookups: readonly ForeignDaemonSet[]): readonly ForeignDaemonSet[] {
  return [...new Map(daemonSetLookups.map((one) => [`${one.namespace}/${one.name}`, one])).values()];
}
