import type { PodRefusal } from '../../../shared/contract/maintenance-record.js';
import { drainVerdict, type DrainOptions } from './filters.js';
import { nameOf } from '../../model/pod.js';
import type { ForeignDaemonSet, SnapshotPod } from '../../model/types.js';

/** Why no pod of a node may be evicted; the message names the pod. */
export interface DrainRefusal extends PodRefusal {
  readonly message: string;
}

/** The pods of a node as a drain, or the deletion of resource pods, sees them. */
export interface DrainView {
  /** Pods that must leave the node, including terminating pods. */
  readonly leaving: readonly SnapshotPod[];
  readonly warningOf: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  /** Why no pod of the node may be evicted. */
  readonly refusals: readonly DrainRefusal[];
  readonly daemonSetLookups: readonly ForeignDaemonSet[];
}

/** What a drain with these options, or the deletion of resource pods, does with the pods of a node. */
export function drainViewOf(pods: readonly SnapshotPod[], options: DrainOptions): DrainView {
  const leaving: SnapshotPod[] = [];
  const warnings: string[] = [];
  const refusals: DrainRefusal[] = [];
  const daemonSetLookups: ForeignDaemonSet[] = [];
  const warningOf = new Map<string, string>();
  for (const pod of pods) {
    const verdict = drainVerdict(pod, options);
    switch (verdict.kind) {
      case 'evict':
        leaving.push(pod);
        if (verdict.warning !== undefined) warningOf.set(pod.uid, verdict.warning);
        break;
      case 'leave':
        if (verdict.warning !== undefined) warnings.push(verdict.warning);
        // Upstream compares the number of pods that it may delete with that of resource pods, and continues only if they are equal
        // (`pkg/upgrade/pod_manager.go`): a resource pod that keeps running keeps the driver busy.
        if (options.holdsResource !== undefined && verdict.keepsRunning === true && options.leavesDaemonSets !== true) {
          const message = `pod ${nameOf(pod)} uses the resource and keeps running: ${verdict.reason}`;
          refusals.push({ kind: 'keeps-running', pod: nameOf(pod), message });
        }
        break;
      case 'refuse':
        refusals.push({ kind: verdict.why, pod: nameOf(pod), message: verdict.reason });
        break;
      case 'ask':
        daemonSetLookups.push({ namespace: verdict.namespace, name: verdict.name });
        break;
    }
  }
  return { leaving, warningOf, warnings, refusals, daemonSetLookups };
}
