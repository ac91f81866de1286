import type { SimulatedCluster } from '../../simulation/simulated-cluster.js';
import { keyOf, type StoredPod } from '../../simulation/store.js';
import { isFinished, isOfJob } from '../../../companion/model/pod.js';

/** A node that is cordoned, since when and until when. */
interface Outage {
  readonly node: string;
  readonly fromMs: number;
  /** Absent: until the end. */
  readonly toMs?: number;
}

/** A pod that is deleted while it runs. */
export interface DeletedPod {
  readonly key: string;
  readonly node: string;
  readonly uid: string;
  readonly job?: string;
  readonly createdMs: number;
  readonly atMs: number;
}

export interface Outages {
  readonly outages: readonly Outage[];
  readonly deletedPods: readonly DeletedPod[];
}

/**
 * Notes which nodes a run cordons, and which pods it ends before they are done, whoever does it.
 *
 * @param begun nodes that are in progress at the start, and cordoned for that
 */
export function watchOutages({ store, events }: SimulatedCluster, begun: ReadonlySet<string>): () => Outages {
  const outages: Outage[] = [];
  const since = new Map<string, number>();
  for (const name of begun) if (store.nodes.get(name)?.unschedulable === true) since.set(name, events.now());
  store.nodes.listen((name, before, after) => {
    const [was, is] = [before?.unschedulable === true, after?.unschedulable === true];
    if (is && !was) since.set(name, events.now());
    const fromMs = since.get(name);
    if (!was || is || fromMs === undefined) return;
    since.delete(name);
    outages.push({ node: name, fromMs, toMs: events.now() });
  });
  const deletedPods: DeletedPod[] = [];
  store.pods.listen((_key, before, after) => {
    const isDeleted = after === undefined || after.deletionMs !== undefined;
    if (before === undefined || before.deletionMs !== undefined || !isDeleted || !canBeCutShort(before)) return;
    const { controller, namespace, nodeName, uid, createdMs } = before;
    deletedPods.push({
      key: keyOf(before),
      node: nodeName,
      uid,
      createdMs,
      atMs: events.now(),
      ...(controller && { job: `${namespace}/${controller.name}` }),
    });
  });
  return () => ({ outages: [...outages, ...[...since].map(([node, fromMs]) => ({ node, fromMs }))], deletedPods });
}

/** The pods of other controllers serve without an end. */
function canBeCutShort(pod: StoredPod): boolean {
  const { controller, mirror, phase } = pod;
  if (phase !== 'Running' || isFinished(pod) || mirror) return false;
  return controller === undefined || isOfJob(pod);
}
