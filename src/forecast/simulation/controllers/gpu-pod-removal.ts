import { driverKeys } from '../../../shared/contract/labels.js';
import { isFinished } from '../../../companion/model/pod.js';
import { evictPod } from '../api.js';
import type { SimulatedCluster } from '../simulated-cluster.js';
import { keyOf, type StoredPod } from '../store.js';

/** Which pods the GPU operator evicts, and how: k8s-operator-libs 11e747a, `pkg/upgrade/pod_manager.go` and `drain_manager.go`. */
interface PodRemoval {
  /** Only pods that hold a GPU. */
  readonly ofGpu: boolean;
  readonly force: boolean;
  readonly deleteEmptyDir: boolean;
  /** 0: no time-out. */
  readonly timeoutSeconds: number;
  /** The process that evicts still runs. */
  readonly isAlive: () => boolean;
}

/** kubectl's drain asks again after so long when a budget refuses an eviction. */
const AGAIN_MS = 5000;

/** Evicts the pods that are on the node now, and says whether all went; nothing if its process ends before. */
export function removePods(
  cluster: SimulatedCluster,
  node: string,
  removal: PodRemoval,
  ended: (isDone: boolean) => void,
): void {
  const pods = [...cluster.store.podsOn(node)].filter((pod) => isAsked(pod, removal));
  const untilMs = removal.timeoutSeconds === 0 ? Infinity : cluster.events.now() + removal.timeoutSeconds * 1000;
  const isRefused = pods.some((pod) => !mayEvict(pod, removal));
  const pass = (): void => {
    if (!removal.isAlive()) return;
    const left = pods.filter((pod) => cluster.store.pods.get(keyOf(pod))?.uid === pod.uid);
    if (isRefused || left.length === 0 || cluster.events.now() >= untilMs)
      return ended(!isRefused && left.length === 0);
    for (const pod of left) evictPod(cluster, pod, 'gpu-operator');
    cluster.events.after(AGAIN_MS, pass);
  };
  cluster.events.after(100, pass);
}

function isAsked(pod: StoredPod, { ofGpu }: PodRemoval): boolean {
  const { mirror, controller, resourceNames, lifecycle } = pod;
  if (mirror || controller?.kind === 'DaemonSet' || lifecycle.kind === 'operator') return false;
  if (!ofGpu) return pod.labels[driverKeys('gpu').skipDrain] !== 'true';
  return !isFinished(pod) && resourceNames.some((name) => name.startsWith('nvidia.com/gpu'));
}

function mayEvict(pod: StoredPod, { force, deleteEmptyDir }: PodRemoval): boolean {
  return isFinished(pod) || ((force || pod.controller !== undefined) && (deleteEmptyDir || !pod.emptyDir));
}
