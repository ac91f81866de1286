import { isFinished } from '../../../companion/model/pod.js';
import type { HostPort } from '../rules/host-ports.js';
import { plus, type Amounts } from '../rules/resources.js';
import type { Store, StoredPod } from '../store.js';

/** What the pods of a node take. */
interface Usage {
  readonly requests: Amounts;
  readonly hostPorts: readonly HostPort[];
  /** Pods of workloads: those of DaemonSets that belong to the driver do not count. */
  readonly places: number;
}

/** By the name of the node, kept until a pod goes or ends there. */
export type NodeUsage = (node: string) => Usage;

export function createNodeUsage(store: Store): NodeUsage {
  const known = new Map<string, Usage>();
  store.pods.listen((_key, before, after) => {
    if (before !== undefined && after !== undefined && takesTheSame(before, after)) return;
    if (before !== undefined) known.delete(before.nodeName);
    if (after === undefined) return;
    const usage = known.get(after.nodeName);
    if (usage !== undefined) known.set(after.nodeName, withPod(usage, after));
  });
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const usage = [...store.podsOn(node)].reduce(withPod, NOTHING);
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

const NOTHING: Usage = { requests: { pods: 0 }, hostPorts: [], places: 0 };

function withPod(usage: Usage, pod: StoredPod): Usage {
  if (isFinished(pod)) return usage;
  const { kind } = pod.lifecycle;
  const { requests = {}, hostPorts = [] } = pod.scheduling ?? {};
  return {
    requests: plus(usage.requests, { ...requests, pods: 1 }),
    hostPorts: [...usage.hostPorts, ...hostPorts],
    places: usage.places + (kind === 'driver' || kind === 'gated' ? 0 : 1),
  };
}
