import { unitsOf } from '../../shared/kubernetes/quantity.js';
import { isoSecond } from '../../shared/lib/time.js';
import type { ApiPod } from '../../shared/kubernetes/shapes/pod.js';
import type { StoredNode } from '../simulation/store.js';
import { podGroupOf } from './snapshot/pod-groups.js';
import type { PlannedCluster } from './cluster/planned-cluster.js';
import type { DeletedPod } from './run/outages.js';
import type { RunRecord } from './run/record.js';
import type { EndedPod, PlannedCost } from './types.js';

/** What a run costs. Nodes that stay cordoned are until its end. */
export function costOf(
  { outages: { outages, deletedPods } }: Pick<RunRecord, 'outages'>,
  { nodes, objects }: Pick<PlannedCluster, 'nodes' | 'objects'>,
  endMs: number,
): PlannedCost {
  const gpus = new Map(nodes.map((node) => [node.name, gpusOf(node)]));
  const sum = (weight: (node: string) => number): number =>
    outages.reduce((ms, { node, fromMs, toMs = endMs }) => ms + Math.max(0, toMs - fromMs) * weight(node), 0);
  const isKnown = [...gpus.values()].some((count) => count !== undefined);
  const started = new Map(
    objects.Pod.map(({ metadata, status: { startTime } = {} }) => [
      metadata?.uid ?? '',
      startTime === undefined ? undefined : Date.parse(startTime),
    ]),
  );
  const startOf = ({ uid, createdMs }: DeletedPod) => (started.has(uid) ? started.get(uid) : createdMs);
  const endedPods = deletedPods.map((pod): EndedPod => {
    const startMs = startOf(pod);
    return {
      pod: pod.key,
      node: pod.node,
      job: pod.job ?? null,
      at: isoSecond(pod.atMs),
      ranSeconds: startMs === undefined ? null : Math.max(0, Math.round((pod.atMs - startMs) / 1000)),
    };
  });
  return {
    nodeHours: hoursOf(sum(() => 1)),
    gpuHours: isKnown ? hoursOf(sum((node) => gpus.get(node) ?? 0)) : null,
    endedPods: endedPods.sort((a, b) => (b.ranSeconds ?? -1) - (a.ranSeconds ?? -1)),
    groupPods: groupPods(objects.Pod, new Set(deletedPods.map(({ uid }) => uid))),
  };
}

/** How many running pods of the groups of ended pods do not end themselves. */
function groupPods(pods: readonly ApiPod[], ended: ReadonlySet<string>): number {
  const isEnded = ({ metadata }: ApiPod): boolean => ended.has(metadata?.uid ?? '');
  const groups = new Set(pods.flatMap((pod) => (isEnded(pod) ? (podGroupOf(pod) ?? []) : [])));
  if (groups.size === 0) return 0;
  return pods.filter((pod) => pod.status?.phase === 'Running' && !isEnded(pod) && groups.has(podGroupOf(pod) ?? ''))
    .length;
}

const hoursOf = (ms: number): number => Math.round(ms / 36_000) / 100;

/** A GPU has at most so many slices of MIG. */
const SLICES = 7;
const GPU = 'nvidia.com/gpu';
const MIG = /^nvidia\.com\/mig-(\d)g\./;

/** The GPUs that a node offers; a MIG device is as much of one as it has slices. Undefined: it offers none. */
function gpusOf({ allocatable }: StoredNode): number | undefined {
  const counts = Object.entries(allocatable).flatMap(([name, text]) => {
    const slices = MIG.exec(name)?.[1];
    const count = unitsOf(text) ?? 0;
    if (name === GPU) return [count];
    return slices === undefined ? [] : [(count * Number(slices)) / SLICES];
  });
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
