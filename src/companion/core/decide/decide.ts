import { driverKeys } from '../../../shared/contract/labels.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { nameOf } from '../../model/pod.js';
import type { Finding } from '../../model/findings.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action, Decision, ForeignDaemonSet, SnapshotNode, Waiting } from '../../model/types.js';
import { blockersIn, budgetBlockersIn, budgetsInTheWay } from '../drain/blockers.js';
import { podBudgetsIn } from '../drain/budgets.js';
import { placementOf } from '../maintenance/placement.js';
import { fleetOf } from '../fleet/fleet.js';
import type { NodeInFleet } from '../fleet/node-in-fleet.js';
import { inOrder } from '../fleet/order.js';
import { countsOf, limitFindings, nodeFindings, nodeWaiting } from '../fleet/report.js';
import { isOutAtRest } from '../maintenance/conditions.js';
import { patchOf } from '../maintenance/act.js';
import { advance } from '../maintenance/engine.js';
import { newPlan, settle } from '../maintenance/settle.js';
import {
  suspendedWait,
  isBackingOff,
  isInMaintenance,
  isRefused,
  isUnavailable,
  refusalOf,
} from '../maintenance/node-facts.js';
import { membersOf, type Mode, type Part, type Participant, type NodePlan, type Shared } from '../maintenance/plan.js';
import { MAINTENANCE, type Row } from '../maintenance/table.js';

/** What a decision is about: the nodes, and what can be due on them. */
interface Situation {
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  readonly rollout: Rollout;
  readonly isPaused: boolean;
  readonly participants: readonly Participant[];
  /** Names of all participants of the policy, also of those that another program has. */
  readonly names: ReadonlySet<string>;
  readonly validationNamespaces: Shared['validationNamespaces'];
  readonly keptByOthers: Shared['keptByOthers'];
  readonly inPlace: Mode;
  readonly newMode: Mode;
  readonly modeOf: Shared['modeOf'];
  readonly hasRequest: (node: string) => boolean;
}

export interface DecideOptions {
  /**
   * The maximum number of evictions. Default: no limit. A caller that sends no more at once saves the search through
   * 100,000 pods.
   */
  readonly mostEvictions?: number;
  /** Tests pass a table without some rows. */
  readonly table?: readonly Row[];
}

/**
 * The next actions for all nodes. A node that needs nothing costs a lookup. The time is linear in the number of nodes and pods.
 *
 * The snapshot must contain the companion's own writes, as their responses returned them. Otherwise the limits do not count a node that has just begun.
 */
export function decideOn(
  situation: Situation,
  { mostEvictions = Infinity, table = MAINTENANCE }: DecideOptions = {},
): Decision {
  const { snapshot, nowMs, participants } = situation;
  const nodes = snapshot.nodes.flatMap((node) => nodeParts(situation, node) ?? []);
  const shared = shareOf(situation, mostEvictions);
  const plans = nodes.flatMap(({ node, parts }) =>
    needsPlan(situation, node, parts) ? newPlan(shared, node, parts) : [],
  );
  const planOf = new Map(plans.map((plan) => [plan.node, plan]));
  for (const plan of plans) if (canGoOn(plan)) settle(plan);
  complete(
    shared,
    nodes.map(({ node, parts }) => inFleet(node, parts, planOf.get(node))),
    plans,
    situation,
  );
  planAll(plans, table);
  const parts = collect(plans);
  // The search ended early, so evictions that it did not find may be due now.
  if (shared.evictions.left === 0) parts.wakes.push(nowMs + 1);
  const findings = participants.flatMap((participant) => {
    const own = participant.fleet(situation.isPaused);
    parts.actions.push(...own.actions);
    return [...limitFindings(participant, shared.fleet, situation.isPaused), ...own.findings];
  });
  const stateOf = ({ node, part }: { readonly node: SnapshotNode; readonly part: Part }): string =>
    planOf.get(node)?.parts.find((one) => one.part === part)?.state ?? part.state;
  const wakes = parts.wakes.filter((wake) => wake > nowMs);
  return {
    actions: parts.actions,
    waiting: parts.waiting,
    findings: [...findings, ...parts.findings],
    daemonSetLookups: [...parts.daemonSetLookups.values()],
    counts: participants.map((participant) => countsOf(participant, shared.fleet, stateOf)),
    ...(wakes.length > 0 && { wakeMs: wakes.reduce((a, b) => Math.min(a, b)) }),
  };
}

interface NodeParts {
  readonly node: SnapshotNode;
  readonly parts: readonly Part[];
}

function nodeParts({ participants, names }: Situation, node: SnapshotNode): NodeParts | undefined {
  const parts: Part[] = [];
  for (const participant of participants) {
    const part = participant.on(node);
    if (part !== undefined) parts.push(part);
  }
  // Where another program has a participant, it may have the node, too.
  const isLeft = participants.length === names.size && hasRecord(node);
  return parts.length > 0 || isLeft ? { node, parts } : undefined;
}

/** Annotations of the companion beside that of the last maintenance. */
function hasRecord({ annotations }: SnapshotNode): boolean {
  for (const key in annotations) if (key.startsWith('weft.dev/') && !key.endsWith('-done')) return true;
  return false;
}

function needsPlan({ snapshot, hasRequest }: Situation, node: SnapshotNode, parts: readonly Part[]): boolean {
  if (!parts.every(({ isQuiet }) => isQuiet) || hasRecord(node)) return true;
  // The request to give the node back may have failed after the patch that ended its maintenance.
  return hasRequest(node.name) || snapshot.refusedPatches?.has(node.name) === true;
}

/** Whether rows apply to the node now. */
function canGoOn(plan: NodePlan): boolean {
  return suspendedWait(plan) === undefined && !isBackingOff(plan);
}

type Draft<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The fleet and the placement of pods need the plans of all nodes, so they are set when these are there. */
function shareOf(situation: Situation, mostEvictions: number): Draft<Shared> {
  const { snapshot, nowMs, rollout, isPaused, participants, names, inPlace, newMode, modeOf } = situation;
  const own = new Set(snapshot.daemonSets.map(nameOf));
  const podBudgets = podBudgetsIn(snapshot);
  const nothing = (): never => {
    throw new Error('the fleet is not known yet');
  };
  return {
    snapshot,
    nowMs,
    rollout,
    isPaused,
    participants,
    names,
    validationNamespaces: situation.validationNamespaces,
    keptByOthers: situation.keptByOthers,
    inPlace,
    newMode,
    modeOf,
    daemonSet: (namespace, name) => {
      const key = nameOf({ namespace, name });
      return own.has(key) ? 'present' : (snapshot.foreignDaemonSets.get(key) ?? 'unknown');
    },
    podBudgets,
    blockersOf: blockersIn(snapshot, podBudgets),
    budgetBlockersOf: budgetBlockersIn(podBudgets),
    isKeptByBudget: (pod) => budgetsInTheWay(podBudgets, pod).length > 0,
    // Also of a driver that is left to its controller now: its users keep their pods from every drain.
    skipLabels: [...names].map((name) => driverKeys(name).skipDrain),
    isOwnPod: (pod) => participants.some(({ isOwnPod }) => isOwnPod(pod)),
    placement: { wait: nothing, take: nothing },
    get fleet(): Shared['fleet'] {
      return nothing();
    },
    evictions: { left: mostEvictions },
  };
}

function complete(
  shared: Draft<Shared>,
  nodes: readonly NodeInFleet[],
  plans: readonly NodePlan[],
  { participants, rollout, snapshot, nowMs }: Situation,
): void {
  const fleet = fleetOf({ participants, nodes, rollout, snapshot, nowMs });
  Object.defineProperty(shared, 'fleet', { value: fleet });
  const inMaintenance = plans.filter(({ seen }) => isInMaintenance(seen));
  shared.placement = placementOf(inMaintenance, shared);
}

/** The policies of all that take part are off, or another program has them. */
function isLeftAlone(plan: NodePlan): boolean {
  const members = membersOf(plan);
  return members.length > 0 && members.every(({ part }) => part.suspended !== undefined);
}

function inFleet(node: SnapshotNode, parts: readonly Part[], plan: NodePlan | undefined): NodeInFleet {
  const isDown = plan === undefined ? node.unschedulable || node.ready !== 'True' : isUnavailable(plan);
  return {
    node,
    parts,
    isActive: plan !== undefined && (isInMaintenance(plan.seen) || isOutAtRest(plan)),
    hasFailed: plan?.seen === 'failed',
    isDown,
    isSuspended: plan !== undefined && isLeftAlone(plan),
    isRefused: plan !== undefined && isRefused(plan),
  };
}

/** Nodes that are taken out come first, so that one which fails now keeps others from beginning. Then nodes begin in their order. */
function planAll(plans: readonly NodePlan[], table: readonly Row[]): void {
  const going = plans.filter(canGoOn);
  for (const plan of going) {
    // It begins or goes back in its turn.
    if (plan.phase === 'due') continue;
    advance(plan, table, false);
    const isFailed = plan.phase === 'failed';
    if (isFailed !== (plan.seen === 'failed')) plan.shared.fleet.noteFailed(plan.node, isFailed);
    if (plan.seen === 'failed' && isInMaintenance(plan.phase)) noteRepaired(plan);
  }
  for (const plan of inOrder(going.filter(({ phase }) => phase === 'due'))) advance(plan, table, true);
}

/** A repaired node is in progress until it is back. */
function noteRepaired(plan: NodePlan): void {
  for (const budget of plan.shared.fleet.budgetsOf(plan)) budget.inProgress += 1;
}

/** The parts of a decision. */
interface DecisionParts {
  readonly actions: Action[];
  readonly waiting: Waiting[];
  readonly findings: Finding[];
  readonly daemonSetLookups: Map<string, ForeignDaemonSet>;
  readonly wakes: number[];
}

function collect(plans: readonly NodePlan[]): DecisionParts {
  const found: DecisionParts = { actions: [], waiting: [], findings: [], daemonSetLookups: new Map(), wakes: [] };
  for (const plan of plans) {
    const patch = patchOf(plan);
    if (patch !== undefined) found.actions.push(patch);
    for (const action of plan.actions) found.actions.push(action);
    for (const one of plan.parts) for (const action of one.answers.objectActions(plan, one)) found.actions.push(action);
    if (canGoOn(plan)) for (const action of plan.shared.modeOf(plan).objectActions(plan)) found.actions.push(action);
    for (const lookup of plan.daemonSetLookups) found.daemonSetLookups.set(nameOf(lookup), lookup);
    report(found, plan);
  }
  return found;
}

/** Adds the reports about a node, and the time of its next decision. */
function report({ waiting, findings, wakes }: DecisionParts, plan: NodePlan): void {
  const waits = nodeWaiting(plan);
  waiting.push(...waits);
  for (const { untilMs } of waits) if (untilMs !== undefined) wakes.push(untilMs);
  findings.push(...nodeFindings(plan));
  for (const { wait } of [plan, ...plan.parts]) if (wait?.wakeMs !== undefined) wakes.push(wait.wakeMs);
  if (isBackingOff(plan)) wakes.push(refusalOf(plan)?.untilMs ?? 0);
  const { evictions } = plan.shared.snapshot;
  if (plan.nextEvictionMs !== undefined) wakes.push(plan.nextEvictionMs + evictions.shiftMs);
}
