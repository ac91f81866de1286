import { legacyKeys } from '../../../shared/contract/legacy-keys.js';
import { driverKeys, REVISION_LABEL } from '../../../shared/contract/labels.js';
import { isFinished } from '../../../companion/model/pod.js';
import type { NodePatch } from '../api.js';
import type { GpuOperator, SimulatedCluster } from '../simulated-cluster.js';
import type { StoredDaemonSet, StoredNode, StoredPod, StoredRevision } from '../store.js';

const KEYS = driverKeys('gpu');
/** The library's time-out of a validation. */
const VALIDATION_MS = 600_000;
/** `isDriverPodFailing`. */
const MOST_RESTARTS = 10;
/** Label `app` of the pods that validate a driver. */
export const GPU_VALIDATOR = 'nvidia-operator-validator';

/** A driver pod of a node, and its DaemonSet. */
export interface Driver {
  readonly node: StoredNode;
  readonly pod: StoredPod;
  readonly set: StoredDaemonSet;
}

export type Write = readonly [node: string, patch: NodePatch];

export const to = (state: string | null): NodePatch => ({ labels: { [KEYS.state]: state } });

export const isInSync = ({ pod, set }: Driver): boolean => pod.labels[REVISION_LABEL] === set.hash;

/** `shouldRestartOnly`: the template installs what the pod has installed, so no pod leaves the node. */
function isRestartOnly({ store }: SimulatedCluster, { pod, set }: Driver): boolean {
  const isOwn = ({ ownerUid, hash }: StoredRevision): boolean =>
    ownerUid === set.uid && hash === pod.labels[REVISION_LABEL];
  const configDigest = [...store.revisions.values()].find(isOwn)?.configDigest;
  return configDigest !== undefined && configDigest === set.configDigest;
}

function isReady({ pod }: Driver): boolean {
  return pod.phase === 'Running' && pod.containers.length > 0 && pod.containers.every(({ ready }) => ready);
}

/** `ApplyState` for one node: each state has its own step. */
export function writesOf(
  cluster: SimulatedCluster,
  operator: Pick<GpuOperator, 'failing'>,
  driver: Driver,
): readonly Write[] {
  const { name, labels, annotations, unschedulable } = driver.node;
  const write = (...patches: readonly NodePatch[]): readonly Write[] => patches.map((patch) => [name, patch]);
  const isRequested = annotations[KEYS.requested] === 'true';
  const state = labels[KEYS.state] ?? '';
  switch (state) {
    case '':
    case 'upgrade-done': {
      if (isInSync(driver) && !isRequested) return state === '' ? write(to('upgrade-done')) : [];
      const initial = { annotations: { [KEYS.initialState]: 'true' } };
      return write(...(unschedulable ? [initial] : []), to('upgrade-required'));
    }
    case 'upgrade-required': {
      const request = isRequested ? write({ annotations: { [KEYS.requested]: null } }) : [];
      const begins = unschedulable && labels[KEYS.skip] !== 'true';
      const next = !isRequested && isRestartOnly(cluster, driver) ? 'pod-restart-required' : 'cordon-required';
      return [...request, ...(begins ? write(to(next)) : [])];
    }
    case 'cordon-required':
      return write(...(unschedulable ? [] : [{ unschedulable: true }]), to('wait-for-jobs-required'));
    case 'wait-for-jobs-required':
      return write(to('pod-deletion-required'));
    case 'pod-restart-required':
      return write(...restarted(driver));
    case 'validation-required':
      return write(...validated(cluster, operator, driver));
    case 'uncordon-required':
      return write({ unschedulable: false }, to('upgrade-done'));
    case 'upgrade-failed':
      return isInSync(driver) && isReady(driver) ? write(...finished(driver)) : [];
    default:
      // Pods are deleted and drained beside the reconciles.
      return [];
  }
}

function restarted(driver: Driver): readonly NodePatch[] {
  if (!isInSync(driver)) return [];
  if (isReady(driver)) return [to('validation-required')];
  const { initContainers, containers } = driver.pod;
  const isFailing = [...initContainers, ...containers].some(
    ({ ready, restarts }) => !ready && restarts > MOST_RESTARTS,
  );
  return isFailing ? [to('upgrade-failed')] : [];
}

function validated(
  { store, events }: SimulatedCluster,
  operator: Pick<GpuOperator, 'failing'>,
  driver: Driver,
): readonly NodePatch[] {
  const { name, annotations } = driver.node;
  const pods = [...store.podsOn(name)].filter((pod) => pod.labels['app'] === GPU_VALIDATOR && !isFinished(pod));
  if (pods.length === 0) return [];
  const key = legacyKeys('gpu').validationStart;
  const isOver = pods.every(({ ready }) => ready) && !operator.failing.has(name);
  const start = annotations[key];
  const clear = start === undefined ? [] : [{ annotations: { [key]: null } }];
  if (isOver) return [...clear, ...finished(driver)];
  const seconds = Math.floor(events.now() / 1000);
  if (start === undefined) return [{ annotations: { [key]: String(seconds) } }];
  return seconds > Number(start) + VALIDATION_MS / 1000 ? [to('upgrade-failed'), ...clear] : [];
}

/** `updateNodeToUncordonOrDoneState`: a cordon from before the upgrade stays. */
function finished({ node: { annotations } }: Driver): readonly NodePatch[] {
  return KEYS.initialState in annotations
    ? [to('upgrade-done'), { annotations: { [KEYS.initialState]: null } }]
    : [to('uncordon-required')];
}
