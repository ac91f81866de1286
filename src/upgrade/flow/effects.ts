import { hasForeignCordon } from './begin-guards.js';
import { nameOf } from '../drain/filters.js';
import { currentDriverPod, driverPodFailure, oldDriverPods } from '../view/driver-pod.js';
import { evictionsDue } from '../drain/evictions.js';
import { hasPodsToMove, isUnavailable } from '../fleet/fleet.js';
import { validationLack } from './guards.js';
import type { EffectName } from './transition-row.js';
import { drainView, holdersView } from '../drain/drain-view.js';
import { annotation, isUnschedulable, type DrainView, type Turn } from './node-plan.js';
import type { EvictPod } from '../model/types.js';
import { blockersText } from '../drain/blockers.js';

type Effect = (turn: Turn) => void;

/** Unix seconds, whole, as upstream writes and reads them. */
const wholeSeconds = (turn: Turn) => String(Math.floor(turn.context.nowMs / 1000));
const exactSeconds = (turn: Turn) => (turn.context.nowMs / 1000).toFixed(3);

function forget(turn: Turn, ...keys: readonly string[]): void {
  // Of what is not there nothing needs to be said: thousands of nodes begin at once, and objects of many keys are large.
  for (const key of keys) if (annotation(turn, key) !== undefined) turn.annotations[key] = null;
}

function forgetClocks(turn: Turn): void {
  const { waitStart, podDeletionStart, drainStart, validationStart } = turn.context.world.keys;
  forget(turn, waitStart, podDeletionStart, drainStart, validationStart);
}

/** So much fits into an annotation that people read. */
const FAILURE_CHARACTERS = 500;

function fail(turn: Turn, reason: string): void {
  forgetClocks(turn);
  turn.annotations[turn.context.world.keys.failure] = reason.slice(0, FAILURE_CHARACTERS);
}

const CORDON_EFFECTS = {
  rememberInitialCordon: (turn) => {
    const { initialState } = turn.context.world.keys;
    if (hasForeignCordon(turn)) turn.annotations[initialState] = 'true';
    else forget(turn, initialState);
  },
  rememberOutdated: (turn) => {
    turn.annotations[turn.context.world.keys.outdated] = 'true';
  },
  request: (turn) => {
    turn.annotations[turn.context.world.keys.requested] = 'true';
  },
  forgetStart: (turn) => {
    const { initialState, outdated, requested, failure } = turn.context.world.keys;
    forget(turn, initialState, outdated, requested, failure);
  },
  forgetRequest: (turn) => forget(turn, turn.context.world.keys.requested),
  takeSlot: (turn) => {
    const { requested, outdated, failure } = turn.context.world.keys;
    takeSlot(turn);
    CORDON_EFFECTS.rememberInitialCordon(turn);
    forgetClocks(turn);
    forget(turn, requested, outdated, failure);
  },
  cordon: (turn) => {
    const { cordoned, initialState } = turn.context.world.keys;
    if (isUnschedulable(turn)) return;
    turn.unschedulable = true;
    turn.annotations[cordoned] = 'true';
    // Whoever cordoned the node before lifted that cordon since: this one is ours.
    forget(turn, initialState);
    // The drain begins anew: what came meanwhile has to go as well.
    forgetClocks(turn);
  },
  uncordon: (turn) => {
    turn.unschedulable = false;
  },
  finish: (turn) => {
    const { initialState, cordoned, failure, outdated, done } = turn.context.world.keys;
    forgetClocks(turn);
    forget(turn, initialState, cordoned, failure, outdated);
    turn.annotations[done] = `${turn.context.world.rollout} ${wholeSeconds(turn)}`;
  },
} satisfies Partial<Record<EffectName, Effect>>;

function takeSlot(turn: Turn): void {
  const { view } = turn;
  const { fleet } = turn.context;
  if (fleet === undefined) return;
  const already = isUnavailable(turn);
  const moving = hasPodsToMove(turn);
  for (const budget of fleet.budgetsOf(turn)) {
    budget.inProgress += 1;
    if (moving) budget.emptying += 1;
    if (already) continue;
    budget.unavailable += 1;
    budget.schedulable -= 1;
  }
  fleet.begun += 1;
  if (fleet.canaries.isCanary(view.node)) fleet.canaries.begun += 1;
  const key = fleet.rollout.topologyKey;
  if (key !== undefined) fleet.domains.add(view.node.labels[key] ?? '');
}

const CLOCK_EFFECTS = {
  startWaiting: (turn) => {
    if (turn.policy.waitForCompletion.podSelector !== '')
      turn.annotations[turn.context.world.keys.waitStart] = wholeSeconds(turn);
  },
  startPodDeletion: (turn) => {
    forget(turn, turn.context.world.keys.waitStart);
    turn.annotations[turn.context.world.keys.podDeletionStart] = exactSeconds(turn);
  },
  startDrain: (turn) => {
    forget(turn, turn.context.world.keys.waitStart);
    if (turn.policy.drain.enable) turn.annotations[turn.context.world.keys.drainStart] = exactSeconds(turn);
  },
  startValidation: (turn) => {
    turn.annotations[turn.context.world.keys.validationStart] = wholeSeconds(turn);
  },
  unblockLoading: (turn) => forget(turn, turn.context.world.keys.safeLoad),
} satisfies Partial<Record<EffectName, Effect>>;

const POD_EFFECTS = {
  evictHolders: (turn) => evict(turn, holdersView(turn)),
  evictPods: (turn) => evict(turn, drainView(turn)),
  deleteOldDriverPods: (turn) => {
    const old = oldDriverPods(turn.view).map(({ pod }) => pod);
    turn.actions = old
      .filter(({ deletionMs }) => deletionMs === undefined)
      .map((pod) => ({ kind: 'deletePod', ...target(turn, pod), reason: 'driver-restart' }));
    turn.hold = { kind: 'termination', message: `waits for its old driver pod ${old.map(nameOf).join(', ')} to end` };
  },
} satisfies Partial<Record<EffectName, Effect>>;

function target(turn: Turn, pod: { readonly namespace: string; readonly name: string; readonly uid: string }) {
  const { namespace, name, uid } = pod;
  return { driver: turn.context.world.policy.labelPrefix, node: turn.view.node.name, namespace, name, uid };
}

/** Evicts what is due; nothing while anything on the node forbids it or is not known yet. */
function evict(turn: Turn, view: DrainView): void {
  turn.questions = view.questions;
  turn.warnings = [...view.warnings, ...view.warningOf.values()];
  if (view.refusals.length > 0 || view.questions.length > 0) return;
  const driver = turn.context.world.policy.labelPrefix;
  const node = turn.view.node.name;
  const { byNode, shiftMs } = turn.context.snapshot.evictions;
  const { due, nextMs } = evictionsDue(
    view.leaving,
    byNode.get(node),
    turn.context.nowMs - shiftMs,
    turn.context.evictions.left,
  );
  turn.context.evictions.left -= due.length;
  turn.actions = due.map(({ namespace, name, uid }): EvictPod => {
    const warning = view.warningOf.get(uid);
    // Written out: without a limit there may be a hundred thousand, and a spread makes each of them twice.
    return warning === undefined
      ? { kind: 'evictPod', driver, node, namespace, name, uid }
      : { kind: 'evictPod', driver, node, namespace, name, uid, warning };
  });
  turn.nextEvictionMs = nextMs;
}

const FAIL_EFFECTS = {
  failHolders: (turn) => fail(turn, `${holdersView(turn).refusals.join('; ')}; drain is off`),
  failPodDeletion: (turn) => fail(turn, `deleting pods took too long: ${leavingText(turn, holdersView(turn))}`),
  failDrainRefused: (turn) => fail(turn, drainView(turn).refusals.join('; ')),
  failDrainTimedOut: (turn) => fail(turn, `draining took too long: ${leavingText(turn, drainView(turn))}`),
  failDriverPod: (turn) => {
    const pod = currentDriverPod(turn.view);
    fail(turn, (pod && driverPodFailure(pod, turn.context.nowMs)) ?? 'its driver pod fails');
  },
  failValidation: (turn) =>
    fail(turn, `validation took too long: ${validationLack(turn) ?? 'the driver pod is not ready'}`),
} satisfies Partial<Record<EffectName, Effect>>;

function leavingText(turn: Turn, { leaving }: DrainView): string {
  return blockersText(turn.context.blockersOf(leaving), leaving.length);
}

/** What each effect does to the working copy of a node. */
export const EFFECTS: Readonly<Record<EffectName, Effect>> = {
  ...CORDON_EFFECTS,
  ...CLOCK_EFFECTS,
  ...POD_EFFECTS,
  ...FAIL_EFFECTS,
};
