import { isFinished } from '../../upgrade/model/pod.js';
import type { HostPort } from '../rules/host-ports.js';
import { addTo, type Amounts } from '../rules/resources.js';
import type { Store, StoredPod } from '../store.js';

/** What the pods of a node take. */
interface Usage {
  readonly requests: Amounts;
  readonly hostPorts: readonly HostPort[];
  /** Pods of workloads: those of DaemonSets that belong to the driver do not count. */
  readonly places: number;
}

/** By the name of the node, kept until a pod comes, goes or ends there. */
export type NodeUsage = (node: string) => Usage;

export function createNodeUsage(store: Store): NodeUsage {
  const known = new Map<string, Usage>();
  store.pods.listen((_key, before, after) => {
    if (before !== undefined && after !== undefined && takesTheSame(before, after)) return;
    if (before !== undefined) known.delete(before.nodeName);
    if (after !== undefined) known.delete(after.nodeName);
  });
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const usage = usageOf(store, node);
    known.set(node, usage);
    return usage;
  };
}

function takesTheSame(before: StoredPod, after: StoredPod): boolean {
  return (
    before.nodeName === after.nodeName &&
    isFinished(before) === isFinished(after) &&
    before.lifecycle.kind === after.lifecycle.kind &&
    before.scheduling === after.scheduling
  );
}

function usageOf(store: Store, node: string): Usage {
  const requests: Record<string, number> = {};
  const hostPorts: HostPort[] = [];
  let places = 0;
  let pods = 0;
  for (const pod of store.podsOn(node)) {
    if (isFinished(pod)) continue;
    pods += 1;
    if (pod.lifecycle.kind !== 'driver' && pod.lifecycle.kind !== 'gated') places += 1;
    if (pod.scheduling === undefined) continue;
    addTo(requests, pod.scheduling.requests);
    hostPorts.push(...pod.scheduling.hostPorts);
  }
  return { requests: { ...requests, pods }, hostPorts, places };
}
