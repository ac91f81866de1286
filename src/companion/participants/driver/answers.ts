import { durationMs } from '../../../shared/contract/duration.js';
import { PRE_PULL_DIGEST_LABEL, PRE_PULL_LABEL } from '../../../shared/contract/labels.js';
import type { NodeBefore } from '../../../shared/contract/maintenance-record.js';
import { driverSeconds } from '../../core/maintenance/clock.js';
import { hasPodsToMove } from '../../core/maintenance/pods-to-move.js';
import {
  type Due,
  type PartAnswers,
  type Progress,
  type NodePlan,
  type PlannedPart,
  annotation,
} from '../../core/maintenance/plan.js';
import { isInTurn } from '../../core/maintenance/turns.js';
import { isFinished, nameOf } from '../../model/pod.js';
import type { DeletePod, SnapshotPod, WaitReason } from '../../model/types.js';
import { suspendedFindings } from '../suspended.js';
import { currentDriverPod, oldDriverPods, restartsOf } from './driver-pod.js';
import type { DriverNode } from './driver-node.js';
import type { DriverFacts } from './driver-view.js';
import { gatedPodDeletions, gatedPodLack, gateLabels } from './gate.js';
import { driverFailure, driverPodWait } from './pod-wait.js';
import {
  anyMissingDaemonSet,
  daemonSetWait,
  keptDaemonSet,
  missingDaemonSet,
  podsKept,
  successorWait,
  uninstalled,
} from './successor.js';

/** The answers about a node whose driver pod the companion restarts. */
export function driverAnswers(driver: DriverFacts, view: DriverNode): PartAnswers {
  const { keys } = driver;
  const waitsForLoad = (plan: NodePlan): boolean => (annotation(plan, keys.safeLoad) ?? '') !== '';
  const isNotReady = () => !view.driverPods.some(({ pod }) => pod.ready);
  return {
    ...commonAnswers(driver, view),
    due: () => dueOf(driver, view),
    beginWait: (plan) => beginWait(driver, view, plan),
    leavesPods: false,
    isHarmless: (plan) => waitsForLoad(plan) && !hasPodsToMove(plan) && isNotReady(),
    hold: (plan) => podsKept(driver, view, plan),
    isOver: false,
    isPending: (plan) => waitsForLoad(plan) || oldDriverPods(view).length > 0,
    // A driver that does not work takes nothing away.
    isUnloaded: oldDriverPods(view).some(({ pod }) => pod.ready || pod.deletionMs !== undefined),
    isLoading: (plan) =>
      view.daemonSet !== undefined && isNotReady() && driverFailure(driver, view, plan) === undefined,
    isTouched: view.driverPods.some(({ pod }) => pod.deletionMs !== undefined),
    progress: (plan) => progressOf(driver, view, plan),
    restart: (plan) => restart(driver, view, plan),
    restartAnnotations: (plan) =>
      waitsForLoad(plan) && currentDriverPod(view) !== undefined && oldDriverPods(view).length === 0
        ? { [keys.safeLoad]: null }
        : NO_KEYS,
    restartSeconds: (plan) => driverSeconds(plan, view.policy?.startupSeconds ?? 0),
  };
}

const NO_KEYS: Readonly<Record<string, string | null>> = {};

/** What all drivers answer, whoever restarts them. */
export function commonAnswers(driver: DriverFacts, view: DriverNode) {
  const { validationPodSelector = '' } = driver.policy;
  return {
    validationPodSelectors: validationPodSelector === '' ? [] : [validationPodSelector],
    validationLack: (plan: NodePlan, before: NodeBefore) =>
      plan.shared.rollout.validation?.gatedPods === true ? gatedPodLack(driver, view, before.gatedPods) : undefined,
    validates: () => false,
    resources: [],
    remember: (before: NodeBefore): NodeBefore => {
      const pods = view.gatedPods.filter((pod) => !isFinished(pod)).length;
      return driver.policy.gate === undefined ? before : { ...before, gatedPods: Math.max(pods, before.gatedPods) };
    },
    restartsBefore: restartsBefore(view),
    upkeep: (plan: NodePlan, part: PlannedPart) => {
      const isRestarted = part.isMember && plan.phase === 'restart' && isInTurn(plan, part);
      const isClosed = isRestarted && successorWait(driver, view, plan) === undefined;
      return { labels: gateLabels(driver, view, isClosed), annotations: NO_KEYS };
    },
    aboutCordon: () => NO_KEYS,
    holdsNode: false,
    takesNode: false,
    restWait: () => undefined,
    failedWait: () => undefined,
    wasChanged: true,
    leftText:
      view.isDriven || driver.notApplied.size > 0
        ? undefined
        : `it gets no driver: ${view.noDriver?.message ?? 'its driver is uninstalled'}; to free it, uncordon it and remove its label ${driver.keys.state}`,
    findings: () => suspendedFindings(view.state, view.suspended),
    objectActions: () => gatedPodDeletions(driver, view),
  } satisfies Partial<PartAnswers>;
}

function restartsBefore(view: DriverNode): string | undefined {
  const pod = currentDriverPod(view);
  const restarts = pod === undefined ? 0 : restartsOf(pod);
  return pod === undefined || restarts === 0 ? undefined : `${pod.uid} ${restarts}`;
}

const OUTDATED: Due = {
  kind: 'due',
  isOutdated: true,
  row: 'due',
  message: 'its driver is not the one that the policy wants',
};

function dueOf(driver: DriverFacts, view: DriverNode): Due {
  const { annotations } = view.node;
  const asked = (message: string): Due => ({ kind: 'due', isOutdated: false, row: 'due', message });
  const isLeftover = !view.isDriven;
  const outdated = isOutdated(driver, view);
  if (outdated === true) return OUTDATED;
  // Without a driver, and with none to come, nothing would ever answer what an annotation asks for.
  if (!isLeftover && (annotations[driver.keys.safeLoad] ?? '') !== '') return asked('its driver waits for a safe load');
  if (!isLeftover && annotations[driver.keys.requested] === 'true') return asked('an upgrade was requested');
  if (isLeftover && driver.notApplied.size === 0)
    return { kind: 'never', row: 'not-due', message: 'it has no driver, and no DaemonSet is to install one' };
  if (outdated !== false) return { kind: 'unknown', wait: outdated };
  const isInSync = currentDriverPod(view) !== undefined && oldDriverPods(view).length === 0;
  return isInSync && missingDaemonSet(driver, view) === undefined ? { kind: 'in-sync' } : { kind: 'unknown' };
}

function isOutdated(driver: DriverFacts, view: DriverNode): boolean | WaitReason {
  const missing = missingDaemonSet(driver, view);
  if (missing !== undefined) return missing;
  const { driverPods } = view;
  if (driverPods.some(({ pod, status }) => status === 'outdated' && pod.deletionMs === undefined)) return true;
  const isRetired = driverPods.some(({ status }) => status === 'retired');
  return isRetired && (anyMissingDaemonSet(driver) ?? keptDaemonSet(driver, view) ?? true);
}

function beginWait(driver: DriverFacts, view: DriverNode, plan: NodePlan): WaitReason | undefined {
  return successorWait(driver, view, plan) ?? imageWait(driver, view, plan);
}

/** The image of the new driver is not on the node, and the time-out of the pull is not over. */
function imageWait(driver: DriverFacts, view: DriverNode, plan: NodePlan): WaitReason | undefined {
  const { rollout, nowMs } = plan.shared;
  const { daemonSet } = view;
  // The pods of `upgrade.prePull` are rendered, so selected DaemonSets have none.
  if (!rollout.prePull || driver.policy.kind !== 'ofed' || daemonSet === undefined) return undefined;
  const pod = prePullPod(driver, plan, daemonSet.digest);
  const { prePull } = plan.record;
  const sinceMs = prePull === undefined ? pod?.createdMs : prePull * 1000;
  // No pod pulls the image for a node that the operator or a request put into this state, so the wait would never end.
  if (sinceMs === undefined || pod?.ready === true) return undefined;
  const untilMs = sinceMs + durationMs(rollout.prePullTimeout) + 1;
  return nowMs >= untilMs ? undefined : { kind: 'image', message: 'the new image is being pulled', sinceMs, untilMs };
}

/** The pod on the node that pulls the image of a DaemonSet. It is Ready as soon as the node has the image. */
function prePullPod({ policy }: DriverFacts, { pods }: NodePlan, digest: string): SnapshotPod | undefined {
  const { namespace, labelPrefix } = policy;
  return pods.find(
    (pod) =>
      pod.namespace === namespace &&
      pod.labels[PRE_PULL_LABEL] === labelPrefix &&
      pod.labels[PRE_PULL_DIGEST_LABEL] === digest,
  );
}

function progressOf(driver: DriverFacts, view: DriverNode, plan: NodePlan): Progress {
  if (uninstalled(driver, view, plan) === true) return { kind: 'done' };
  // A lost DaemonSet is no reason to fail: GitOps applies it.
  const isTimeStopped = daemonSetWait(driver, view) !== undefined;
  const old = oldDriverPods(view);
  if (old.length > 0) return { kind: 'at-work', wait: endingWait(old.map(({ pod }) => pod)), isTimeStopped };
  const pod = currentDriverPod(view);
  if ((annotation(plan, driver.keys.safeLoad) ?? '') === '' || pod === undefined) {
    const reason = driverFailure(driver, view, plan);
    if (reason !== undefined) return { kind: 'failed', reason };
    if (pod?.ready === true) return { kind: 'done' };
  }
  const wait = podsKept(driver, view, plan) ?? driverPodWait(driver, view, plan);
  return { kind: 'at-work', wait, isTimeStopped };
}

function endingWait(pods: readonly SnapshotPod[]): WaitReason {
  return { kind: 'termination', message: `waits for its old driver pod ${pods.map(nameOf).join(', ')} to end` };
}

function restart(driver: DriverFacts, view: DriverNode, plan: NodePlan): ReturnType<PartAnswers['restart']> {
  const wait = successorWait(driver, view, plan);
  const old = oldDriverPods(view).filter(({ pod }) => pod.deletionMs === undefined);
  if (wait !== undefined && old.length > 0) return { actions: [], wait };
  const actions = old.map(({ pod: { namespace, name, uid } }): DeletePod => {
    const driverName = driver.policy.labelPrefix;
    return {
      kind: 'deletePod',
      driver: driverName,
      node: view.node.name,
      namespace,
      name,
      uid,
      reason: 'driver-restart',
    };
  });
  return { actions };
}
