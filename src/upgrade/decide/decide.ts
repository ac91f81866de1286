import { driverKeys } from '../../contract/labels.js';
import type { UpgradePolicy, DriverPolicy } from '../../contract/upgrade-policy.js';
import { blockersIn } from '../drain/blockers.js';
import { drainOrderOf } from '../drain/drain-order.js';
import { isFinished } from '../drain/filters.js';
import { dateMark } from '../flow/cordon.js';
import { clearRecords, recordRollout } from '../flow/records.js';
import { patchOf, rowsByState, planNode, type RowsByState } from '../flow/engine.js';
import { countsOf, driverFindings, nodeFindings, nodeWaiting } from '../fleet/findings.js';
import { fleetOf, once } from '../fleet/fleet.js';
import { gatedPodActions, gateValue } from '../view/gate.js';
import { inOrder } from '../fleet/order.js';
import type { PodIndex } from '../model/pod-index.js';
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
import { driverView, podFinders, type NodeView, type PodFinders } from '../view/driver-view.js';

/** What drivers add to a decision, one after the other. */
interface Part {
  readonly actions: Action[];
  readonly waiting: Waiting[];
  readonly findings: Finding[];
  readonly questions: ForeignDaemonSet[];
  readonly wakes: number[];
  readonly counts: DriverCounts[];
}

/** How much is asked of one decision. */
interface DecideOptions {
  /**
   * So many evictions are named for each driver, the first of those that are due; default: all. A caller that sends no more at
   * once saves the search through a hundred thousand pods, and loses nothing.
   */
  readonly mostEvictions?: number;
}

/**
 * Decides what to do next for every node: pure, total, and the only place that decides.
 *
 * The snapshot has to contain the companion's own writes (what their responses said) and, where a controller of a driver left,
 * the last ones of that controller (`controllerLeft`), or a node that began a moment ago is missing in the budgets. It is
 * linear in nodes, in pods of nodes that changed, and in pods of nodes that are drained.
 *
 * `table` is a parameter so that tests can take rows away.
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
  const part: Part = { actions: [], waiting: [], findings: [], questions: [], wakes: [], counts: [] };
  const drivers = policy.drivers.map((one) => ({ one, finders: podFinders(one, snapshot.pods) }));
  for (const { one, finders } of drivers) {
    if (controllerRuns(finders, snapshot.pods)) refuse(part, one, snapshot);
    else {
      const driver = driverView(one, snapshot, nowMs, finders);
      const evictions = { left: mostEvictions };
      const drainOrder = drainOrderOf(driver, snapshot, nowMs);
      if (drainOrder.wakeMs !== undefined) part.wakes.push(drainOrder.wakeMs);
      const context = { driver, snapshot, nowMs, daemonSet, blockersOf, drainOrder, evictions, fleet: undefined };
      addDriver(part, context, policy.paused || snapshot.paused, rows);
      // The search ended early, so evictions that it did not find may be due at any time.
      if (context.evictions.left === 0) part.wakes.push(nowMs + 1);
    }
  }
  const wakes = part.wakes.filter((wake) => wake > nowMs);
  const { now, later } = policy.drivers.length > 1 ? onePatchPerNode(part.actions) : { now: part.actions, later: [] };
  return {
    actions: now,
    waiting: waitingForPatches(later, part.waiting),
    findings: part.findings,
    questions: withoutDoubles(part.questions),
    counts: part.counts,
    ...(wakes.length === 0 ? {} : { wakeMs: wakes.reduce((a, b) => Math.min(a, b)) }),
  };
}

/** A controller that owns the driver acts as long as one of its pods may still run, one that is ending included. */
function controllerRuns({ controller }: PodFinders, { byNode }: PodIndex): boolean {
  if (controller === undefined) return false;
  for (const here of byNode.values()) for (const pod of controller(here)) if (!isFinished(pod)) return true;
  return false;
}

/** Decides on no action, and names the nodes that are in progress. */
function refuse(part: Part, driver: DriverPolicy, snapshot: Snapshot): void {
  const about = { driver: driver.labelPrefix };
  const message = `pods with ${driver.controllerPodSelector} run: their controller owns the ${driver.labelPrefix} driver`;
  const key = driverKeys(driver.labelPrefix).state;
  for (const { name, labels } of snapshot.nodes) {
    const state = labels[key] ?? '';
    if (!IN_PROGRESS.has(state) && state !== 'upgrade-required') continue;
    part.waiting.push({
      ...about,
      node: name,
      state: state as NodeState,
      kind: 'foreign-flow',
      message,
      blockers: [],
    });
  }
  part.findings.push({ ...about, kind: 'controller-runs', severity: 'error', message });
}

/**
 * One patch of a node at a time: where two drivers have one each, the second would fail by its precondition, so it is left for
 * the decision that follows the first.
 */
function onePatchPerNode(actions: readonly Action[]): {
  readonly now: readonly Action[];
  readonly later: readonly Later[];
} {
  const firsts = new Map<string, PatchNode>();
  const later: Later[] = [];
  const now = actions.filter((action) => {
    if (action.kind !== 'patchNode') return true;
    const first = firsts.get(action.node);
    if (first === undefined) firsts.set(action.node, action);
    else later.push({ patch: action, first });
    return first === undefined;
  });
  return { now, later };
}

/** A patch that is left for the next decision, and the one that goes first. */
interface Later {
  readonly patch: PatchNode;
  readonly first: PatchNode;
}

/** A node whose plan ended waits for nothing, until its patch is the one that is left for later. */
function waitingForPatches(later: readonly Later[], waiting: readonly Waiting[]): readonly Waiting[] {
  if (later.length === 0) return waiting;
  const known = new Set(waiting.map(({ driver, node }) => `${driver}/${node}`));
  const more = later.flatMap(({ patch: { driver, node, steps }, first }): Waiting[] => {
    const [step] = steps;
    if (step === undefined || known.has(`${driver}/${node}`)) return [];
    const message = `what changes on the node for the ${first.driver} driver is written first`;
    return [{ driver, node, state: step.from, kind: 'other-driver', message, blockers: [] }];
  });
  return [...waiting, ...more];
}

/** Whether a DaemonSet exists: those of the drivers' namespaces are in the snapshot, others were asked for. */
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

function addDriver(part: Part, context: PlanContext, paused: boolean, rows: RowsByState): void {
  const { driver } = context;
  // One for each node, at the same place; undefined where the node is not managed.
  const plans = driver.nodes.map((view): NodePlan | undefined => {
    if (view.policy === undefined || !view.isManaged) return undefined;
    const plan = newNodePlan(context, view, view.policy);
    if (!plan.frozen) planNode(plan, rows);
    return plan;
  });
  const all = plans.filter((plan) => plan !== undefined);
  // Few decisions ask.
  const byView = once(() => new Map(all.map((plan) => [plan.view, plan])));
  const planOf = (view: NodeView): NodePlan | undefined => byView().get(view);
  const fleet = fleetOf(context, { all, withoutDriver: withoutDriver(context) }, planOf, paused);
  context.fleet = fleet;
  begin(all, fleet, rows);

  const retired = retire(driver, planOf, paused);
  part.actions.push(...retired.actions);
  part.findings.push(...driverFindings(driver, fleet), ...retired.findings);
  part.counts.push(countsOf(driver, all, fleet));
  driver.nodes.forEach((view, place) => addNode(part, context, view, plans[place]));
}

/** Nodes that lost the driver while it is uninstalled: one that does not come back is out of service as one in progress is. */
function withoutDriver(context: PlanContext): readonly NodePlan[] {
  const { policy, nodes } = context.driver;
  if (!policy.uninstall) return [];
  const gone = nodes.filter(({ isManaged, state }) => !isManaged && state === 'upgrade-done');
  return gone.flatMap((view) => (view.policy === undefined ? [] : newNodePlan(context, view, view.policy)));
}

/** Nodes that could begin do so in their order, until the budgets are used up. */
function begin(plans: readonly NodePlan[], fleet: Fleet, rows: RowsByState): void {
  const candidates = plans.filter((plan) => !plan.frozen && !plan.hasYielded && plan.state === 'upgrade-required');
  for (const plan of inOrder(candidates, fleet)) planNode(plan, rows);
}

/** Adds what is decided for one node: its patch with the gate label, actions on its pods, and its messages. */
function addNode(part: Part, context: PlanContext, view: NodeView, known: NodePlan | undefined): void {
  const { driver, nowMs } = context;
  const plan = known ?? (view.policy === undefined ? undefined : newNodePlan(context, view, view.policy));
  const gate = gatedPodActions(driver, view, nowMs);
  for (const action of gate.actions) part.actions.push(action);
  if (gate.wakeMs !== undefined) part.wakes.push(gate.wakeMs);
  if (plan === undefined) return;
  const value = gateValue(driver, view, plan.state);
  if (value !== undefined && driver.policy.gate !== undefined)
    plan.labels = { ...plan.labels, [driver.policy.gate.label]: value };
  if (!plan.frozen) {
    clearRecords(plan);
    recordRollout(plan);
    dateMark(plan);
  }
  const patch = patchOf(plan);
  if (patch !== undefined) part.actions.push(patch);
  for (const action of plan.actions) part.actions.push(action);
  if (known === undefined) return;
  addReport(part, known);
}

/** Adds what the decision reports about a node, and when the node is to be decided on again. */
function addReport(part: Part, plan: NodePlan): void {
  for (const question of plan.questions) part.questions.push(question);
  const waiting = nodeWaiting(plan);
  if (waiting !== undefined) part.waiting.push(waiting);
  for (const finding of nodeFindings(plan)) part.findings.push(finding);
  const { wakeMs, untilMs } = plan.waitReason ?? {};
  if (wakeMs !== undefined) part.wakes.push(wakeMs);
  if (untilMs !== undefined) part.wakes.push(untilMs);
  if (plan.nextEvictionMs !== undefined) part.wakes.push(plan.nextEvictionMs + plan.context.snapshot.evictions.shiftMs);
}

function withoutDoubles(questions: readonly ForeignDaemonSet[]): readonly ForeignDaemonSet[] {
  return [...new Map(questions.map((one) => [`${one.namespace}/${one.name}`, one])).values()];
}
