import { driverKeys } from '../contract/labels.js';
import type { UpgradePolicy, DriverPolicy } from '../contract/upgrade-policy.js';
import { matchesSelector, selectorOf } from '../lib/label-selector.js';
import { blockersIn } from './blockers.js';
import { isFinished } from './drain-filters.js';
import { patchOf, rowsByState, runTurn, type RowsByState } from './engine.js';
import { countsOf, driverFindings, isForeignFlow, nodeFindings, nodeWaiting } from './findings.js';
import { fleetOf } from './fleet.js';
import { gatedPodActions, gateValue } from './gate.js';
import { inOrder } from './order.js';
import { retire } from './retire.js';
import { TRANSITIONS } from './states.js';
import type { TransitionRow } from './transition-row.js';
import { IN_PROGRESS, NODE_STATES } from './node-states.js';
import { newTurn, type Fleet, type Turn, type TurnContext } from './turn.js';
import type {
  Action,
  Decision,
  DriverCounts,
  Finding,
  ForeignDaemonSet,
  NodeState,
  PatchNode,
  Snapshot,
  SnapshotPod,
  Waiting,
} from './types.js';
import { driverWorld, podsByNode, type DriverWorld, type NodeWorld } from './world.js';

/** What drivers add to a decision, one after the other. */
interface Part {
  readonly actions: Action[];
  readonly waiting: Waiting[];
  readonly findings: Finding[];
  readonly questions: ForeignDaemonSet[];
  readonly wakes: number[];
  readonly counts: DriverCounts[];
}

/**
 * Decides what to do next for every node: pure, total and the only place that decides.
 *
 * The snapshot has to contain the companion's own writes (what their responses said) and, where a controller of a driver left,
 * the last ones of that controller (`controllerLeft`), or a node that began a moment ago is missing in the budgets. It is linear in nodes and pods. `table` is a parameter so that tests can take rows away.
 */
export function decide(
  snapshot: Snapshot,
  policy: UpgradePolicy,
  nowMs: number,
  table: readonly TransitionRow[] = TRANSITIONS,
): Decision {
  const rows = rowsByState(table);
  const podsOfNode = podsByNode(snapshot.pods);
  const blockersOf = blockersIn(snapshot);
  const daemonSet = daemonSets(snapshot);
  const part: Part = { actions: [], waiting: [], findings: [], questions: [], wakes: [], counts: [] };
  for (const { driver, pods, controllerRuns } of siftPods(policy.drivers, snapshot.pods)) {
    if (controllerRuns) refuse(part, driver, snapshot);
    else {
      const world = driverWorld(driver, snapshot, nowMs, pods);
      const context = { world, snapshot, nowMs, daemonSet, podsOfNode, blockersOf };
      addDriver(part, context, policy.paused || snapshot.paused, rows);
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

/** What a driver needs of all pods. */
interface Sifted {
  readonly driver: DriverPolicy;
  /** Those of its namespace. */
  readonly pods: SnapshotPod[];
  /** A controller that owns the driver acts as long as one of its pods may still run, one that is ending included. */
  controllerRuns: boolean;
}

/** Looks at all pods once, for all drivers: there may be a hundred thousand, and most are no business of theirs. */
function siftPods(drivers: readonly DriverPolicy[], pods: readonly SnapshotPod[]): readonly Sifted[] {
  const sieves = drivers.map((driver) => {
    const controllers = driver.controllerPodSelector === '' ? undefined : selectorOf(driver.controllerPodSelector);
    const sifted: Sifted = { driver, pods: [], controllerRuns: false };
    return { controllers, sifted };
  });
  for (const pod of pods) {
    for (const { controllers, sifted } of sieves) {
      if (pod.namespace === sifted.driver.namespace) sifted.pods.push(pod);
      if (controllers !== undefined && matchesSelector(controllers, pod.labels) && !isFinished(pod)) {
        sifted.controllerRuns = true;
      }
    }
  }
  return sieves.map(({ sifted }) => sifted);
}

/** Nothing is done, but what stands half-way is named. */
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

/** A node whose turn ended waits for nothing, until its patch is the one that is left for later. */
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
function daemonSets({ daemonSets: own, foreignDaemonSets }: Snapshot): TurnContext['daemonSet'] {
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

function addDriver(part: Part, context: TurnContext, paused: boolean, rows: RowsByState): void {
  const { world } = context;
  const turns = new Map<NodeWorld, Turn>();
  for (const view of world.nodes) {
    if (view.policy === undefined || !isManaged(world, view)) continue;
    const turn = newTurn(context, view, view.policy, isFrozen(world, view));
    turns.set(view, turn);
    if (!turn.frozen) runTurn(turn, rows);
  }
  const all = [...turns.values()];
  const fleet = fleetOf(context, turns, paused);
  begin(all, fleet, rows);

  const retired = retire(world, turns, paused);
  part.actions.push(...retired.actions);
  part.findings.push(...driverFindings(world, fleet), ...retired.findings);
  part.counts.push(countsOf(world, all, fleet));
  for (const view of world.nodes) addNode(part, context, view, turns.get(view));
}

/** Nodes that could begin do so in their order, until the budgets are used up. */
function begin(turns: readonly Turn[], fleet: Fleet, rows: RowsByState): void {
  const candidates = turns.filter((turn) => !turn.frozen && turn.state === 'upgrade-required');
  for (const turn of inOrder(candidates, fleet)) {
    turn.fleet = fleet;
    runTurn(turn, rows);
  }
}

/**
 * The node has to do with the driver, now, in its flow, or by a cordon that a flow left; others are only there for the gate
 * label.
 */
function isManaged(world: DriverWorld, { node, covering, driverPods, state }: NodeWorld): boolean {
  if (covering !== undefined || driverPods.length > 0) return true;
  return state === '' ? node.annotations[world.keys.cordoned] === 'true' : state !== 'upgrade-done';
}

/** No row is looked at: the policy is off, the maintenance operator has the node, or nobody knows its state. */
function isFrozen(world: DriverWorld, view: NodeWorld): boolean {
  return view.policy?.autoUpgrade !== true || isForeignFlow(world, view) || !NODE_STATES.has(view.state);
}

/** What becomes of one node: its patch, the gate label in it, pods, words. */
function addNode(part: Part, context: TurnContext, view: NodeWorld, known: Turn | undefined): void {
  const { world, nowMs } = context;
  const turn = known ?? (view.policy === undefined ? undefined : newTurn(context, view, view.policy, true));
  const gate = gatedPodActions(world, view, nowMs);
  part.actions.push(...gate.actions);
  if (gate.wakeMs !== undefined) part.wakes.push(gate.wakeMs);
  if (turn === undefined) return;
  const value = gateValue(world, view, turn.state);
  if (value !== undefined && world.policy.gate !== undefined) turn.labels[world.policy.gate.label] = value;
  const patch = patchOf(turn);
  if (patch !== undefined) part.actions.push(patch);
  for (const action of turn.actions) part.actions.push(action);
  if (known === undefined) return;
  for (const question of known.questions) part.questions.push(question);
  const waiting = nodeWaiting(known);
  if (waiting !== undefined) part.waiting.push(waiting);
  part.findings.push(...nodeFindings(known));
  const { wakeMs, untilMs } = known.hold ?? {};
  if (wakeMs !== undefined) part.wakes.push(wakeMs);
  if (untilMs !== undefined) part.wakes.push(untilMs);
}

function withoutDoubles(questions: readonly ForeignDaemonSet[]): readonly ForeignDaemonSet[] {
  return [...new Map(questions.map((one) => [`${one.namespace}/${one.name}`, one])).values()];
}
