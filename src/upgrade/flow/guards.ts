import { matchesSelector, selectorOf } from '../../kubernetes/label-selector.js';
import { blockersText } from '../drain/blockers.js';
import { isFinished, nameOf } from '../drain/filters.js';
import { currentDriverPod, driverPodFailure, driverPodHold, oldDriverPods } from '../view/driver-pod.js';
import { BEGIN_GUARDS } from './begin-guards.js';
import { drainView, holdersView } from '../drain/drain-view.js';
import type { GuardName } from './transition-row.js';
import {
  annotation,
  isOver,
  isUnschedulable,
  podsOf,
  settled,
  startMs,
  until,
  type DrainView,
  type Guard,
  type Hold,
  type Turn,
} from './node-plan.js';
import type { SnapshotPod } from '../model/types.js';

/** What is missing of the DaemonSets that this node depends on. */
function missingDaemonSet({ view, context: { world } }: Turn): Hold | undefined {
  if (world.notApplied.size === 0) return undefined;
  const owners = view.driverPods.map(({ pod }) => pod.controller?.name ?? '');
  const name = [view.covering?.name ?? '', ...owners].find((one) => world.notApplied.has(one));
  const message = name === undefined ? undefined : world.notApplied.get(name);
  return message === undefined ? undefined : { kind: 'daemon-set', message };
}

/** What is missing of any DaemonSet of the driver: until then nobody can say what is to cover a node. */
function anyMissingDaemonSet({ context: { world } }: Turn): Hold | undefined {
  for (const message of world.notApplied.values()) return { kind: 'daemon-set', message };
  return undefined;
}

const DRIVER_POD_GUARDS = {
  driverPodOutdated: (turn) => {
    const missing = missingDaemonSet(turn);
    if (missing !== undefined) return missing;
    return turn.view.driverPods.some(({ pod, status }) => status === 'outdated' && pod.deletionMs === undefined);
  },
  driverPodRetired: (turn) =>
    turn.view.driverPods.some(({ status }) => status === 'retired') && (anyMissingDaemonSet(turn) ?? true),
  driverPodInSync: (turn) => currentDriverPod(turn.view) !== undefined && missingDaemonSet(turn) === undefined,
  driverPodReady: (turn) => currentDriverPod(turn.view)?.ready === true || driverPodHold(turn),
  driverPodFailing: (turn) => {
    const pod = currentDriverPod(turn.view);
    return pod !== undefined && driverPodFailure(pod, turn.context.nowMs) !== undefined;
  },
  oldDriverPod: (turn) => oldDriverPods(turn.view).length > 0,
  noOldDriverPod: (turn) => oldDriverPods(turn.view).length === 0,
  noDriverPod: (turn) => turn.view.driverPods.length === 0,
  uncovered: (turn) => turn.view.covering === undefined && (anyMissingDaemonSet(turn) ?? true),
  waitsForSafeLoad: (turn) => (annotation(turn, turn.context.world.keys.safeLoad) ?? '') !== '',
  loadsAtOnce: (turn) => (annotation(turn, turn.context.world.keys.safeLoad) ?? '') === '',
  requested: (turn) => annotation(turn, turn.context.world.keys.requested) === 'true',
  notRequested: (turn) => annotation(turn, turn.context.world.keys.requested) !== 'true',
  becameOutdated: (turn) => annotation(turn, turn.context.world.keys.outdated) === 'true',
  daemonSetApplied: (turn) =>
    (turn.view.covering === undefined ? anyMissingDaemonSet(turn) : missingDaemonSet(turn)) ?? true,
  daemonSetGone: (turn) => {
    const retired = turn.view.driverPods.find(
      ({ pod, status }) => status === 'retired' && pod.controller !== undefined,
    );
    const name = retired?.pod.controller?.name;
    return name === undefined || { kind: 'daemon-set', message: `the retired DaemonSet ${name} is still there` };
  },
} satisfies Partial<Record<GuardName, Guard>>;

function jobsOf(turn: Turn): readonly SnapshotPod[] {
  const { podSelector } = turn.policy.waitForCompletion;
  if (podSelector === '') return [];
  const selector = selectorOf(podSelector);
  return podsOf(turn).filter(
    (pod) => (pod.phase === 'Running' || pod.phase === 'Pending') && matchesSelector(selector, pod.labels),
  );
}

/** What is waited for until the snapshot may be believed about the pods of the node; undefined from then on. */
function notSettled(turn: Turn, start: number | undefined): Hold | undefined {
  const state = settled(turn, start);
  return state === true ? undefined : { kind: 'settle', message: 'its cordon is too young to be sure', wakeMs: state };
}

const JOB_GUARDS = {
  cordonRecorded: (turn) => annotation(turn, turn.context.world.keys.cordoned) === 'true',
  cordonNotRecorded: (turn) => annotation(turn, turn.context.world.keys.cordoned) !== 'true',
  cordonLifted: (turn) => !isUnschedulable(turn),
  /** The API server showed the cordon and the state that this decision starts from: only then are pods touched. */
  cordonSeen: (turn) => turn.view.node.unschedulable && turn.steps.length === 0,
  jobsDone: (turn) => {
    const { podSelector, timeoutSeconds } = turn.policy.waitForCompletion;
    if (podSelector === '') return true;
    const start = startMs(turn, turn.context.world.keys.waitStart);
    const jobs = jobsOf(turn);
    if (jobs.length === 0) return notSettled(turn, start) ?? true;
    return {
      kind: 'jobs',
      message: `waits for ${jobs.length} pods of jobs: ${jobs.slice(0, 3).map(nameOf).join(', ')}`,
      ...(start === undefined ? {} : { sinceMs: start }),
      ...until(start, timeoutSeconds),
      blockers: jobs.slice(0, 10).map((pod) => ({ pod: nameOf(pod), budgets: [], reason: `is ${pod.phase}` })),
    };
  },
  jobsTimedOut: (turn) =>
    turn.view.node.unschedulable &&
    isOver(turn, startMs(turn, turn.context.world.keys.waitStart), turn.policy.waitForCompletion.timeoutSeconds),
  jobsClockMissing: (turn) =>
    turn.policy.waitForCompletion.podSelector !== '' && startMs(turn, turn.context.world.keys.waitStart) === undefined,
} satisfies Partial<Record<GuardName, Guard>>;

/** Whether all that has to leave a node has left, else what it waits for. */
function emptied(
  turn: Turn,
  { leaving, questions }: DrainView,
  start: number | undefined,
  timeoutSeconds: number,
): true | Hold {
  const about = { ...(start === undefined ? {} : { sinceMs: start }), ...until(start, timeoutSeconds) };
  if (leaving.length > 0) {
    const blockers = turn.context.blockersOf(leaving);
    const kind = leaving.every((pod) => pod.deletionMs !== undefined) ? 'termination' : 'evictions';
    return { kind, message: blockersText(blockers, leaving.length), ...about, blockers };
  }
  const [question] = questions;
  if (question === undefined) return true;
  return { kind: 'evictions', message: `is DaemonSet ${nameOf(question)} still there?`, ...about };
}

const DRAIN_GUARDS = {
  podDeletionOn: (turn) => turn.context.world.policy.resourcePrefixes.length > 0,
  podDeletionOff: (turn) => turn.context.world.policy.resourcePrefixes.length === 0,
  podDeletionClockMissing: (turn) => startMs(turn, turn.context.world.keys.podDeletionStart) === undefined,
  holdersGone: (turn) => {
    const start = startMs(turn, turn.context.world.keys.podDeletionStart);
    const young = notSettled(turn, start);
    if (young !== undefined) return young;
    const view = holdersView(turn);
    return view.refusals.length === 0 && emptied(turn, view, start, turn.policy.podDeletion.timeoutSeconds);
  },
  holdersStay: (turn) =>
    notSettled(turn, startMs(turn, turn.context.world.keys.podDeletionStart)) ?? holdersView(turn).refusals.length > 0,
  podDeletionTimedOut: (turn) =>
    isOver(turn, startMs(turn, turn.context.world.keys.podDeletionStart), turn.policy.podDeletion.timeoutSeconds),
  drainOn: (turn) => turn.policy.drain.enable,
  drainOff: (turn) => !turn.policy.drain.enable,
  drainClockMissing: (turn) => startMs(turn, turn.context.world.keys.drainStart) === undefined,
  drained: (turn) => {
    const start = startMs(turn, turn.context.world.keys.drainStart);
    return notSettled(turn, start) ?? emptied(turn, drainView(turn), start, turn.policy.drain.timeoutSeconds);
  },
  drainRefused: (turn) =>
    notSettled(turn, startMs(turn, turn.context.world.keys.drainStart)) ?? drainView(turn).refusals.length > 0,
  drainTimedOut: (turn) =>
    isOver(turn, startMs(turn, turn.context.world.keys.drainStart), turn.policy.drain.timeoutSeconds),
} satisfies Partial<Record<GuardName, Guard>>;

function validationOf(turn: Turn) {
  const validation = turn.context.world.policy.rollout.validation;
  if (validation === undefined) return undefined;
  return validation.resources.length === 0 && validation.podSelector === '' ? undefined : validation;
}

/** What the validation of a node still lacks, in words; undefined when it lacks nothing. */
export function validationLack(turn: Turn): string | undefined {
  const validation = validationOf(turn);
  if (validation === undefined) return undefined;
  const { allocatable } = turn.view.node;
  const resource = validation.resources.find((name) => !isSome(allocatable[name]));
  if (resource !== undefined) return `the node offers no ${resource}`;
  if (validation.podSelector === '') return undefined;
  const selector = selectorOf(validation.podSelector);
  const pods = podsOf(turn).filter((pod) => matchesSelector(selector, pod.labels) && !isFinished(pod));
  if (pods.length === 0) return `no validation pod (${validation.podSelector}) is there`;
  const unready = pods.find((pod) => !pod.ready || pod.deletionMs !== undefined);
  return unready === undefined ? undefined : `validation pod ${nameOf(unready)} is not ready`;
}

/** Extended resources are whole numbers: Kubernetes' API validation of resource quantities. */
function isSome(quantity: string | undefined): boolean {
  return quantity !== undefined && /[1-9]/.test(quantity);
}

const VALIDATION_GUARDS = {
  validationOn: (turn) => validationOf(turn) !== undefined,
  validationOff: (turn) => validationOf(turn) === undefined,
  validated: (turn) => {
    const lack = validationLack(turn);
    if (lack === undefined) return true;
    const start = startMs(turn, turn.context.world.keys.validationStart);
    const since = start === undefined ? {} : { sinceMs: start };
    return { kind: 'validation', message: lack, ...since, ...until(start, validationOf(turn)?.timeoutSeconds ?? 0) };
  },
  validationTimedOut: (turn) =>
    isOver(turn, startMs(turn, turn.context.world.keys.validationStart), validationOf(turn)?.timeoutSeconds ?? 0),
  validationClockMissing: (turn) =>
    validationOf(turn) !== undefined && startMs(turn, turn.context.world.keys.validationStart) === undefined,
  wasSchedulable: (turn) => annotation(turn, turn.context.world.keys.initialState) === undefined,
  wasUnschedulable: (turn) => annotation(turn, turn.context.world.keys.initialState) !== undefined,
} satisfies Partial<Record<GuardName, Guard>>;

/** The answer to every question that a row may ask. */
export const GUARDS: Readonly<Record<GuardName, Guard>> = {
  ...DRIVER_POD_GUARDS,
  ...JOB_GUARDS,
  ...DRAIN_GUARDS,
  ...VALIDATION_GUARDS,
  ...BEGIN_GUARDS,
};
