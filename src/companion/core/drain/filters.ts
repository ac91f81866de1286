import type { PodRefusal } from '../../../shared/contract/maintenance-record.js';
import { matchesSelector, type Selector } from '../../../shared/kubernetes/selection/label-selector.js';
import { isFinished, nameOf } from '../../model/pod.js';
import type { SnapshotPod } from '../../model/types.js';

/** What a drain does with one pod, and why. */
type Verdict =
  /** The pod is evicted; `warning` names what is lost with it. */
  | { readonly kind: 'evict'; readonly warning?: string }
  /** The drain skips the pod. `keepsRunning`: the pod, or one that replaces it at once, keeps running on the node. */
  | {
      readonly kind: 'leave';
      readonly reason: string;
      readonly warning?: string | undefined;
      readonly keepsRunning?: true;
    }
  /** No pod of the node may be evicted because of it; the reason names the option that would allow it. */
  | { readonly kind: 'refuse'; readonly why: PodRefusal['kind']; readonly reason: string }
  /** Whether its DaemonSet exists must be looked up. */
  | { readonly kind: 'ask'; readonly namespace: string; readonly name: string };

export interface DrainOptions {
  readonly force: boolean;
  readonly deleteEmptyDir: boolean;
  /** Only pods that match; empty: all. */
  readonly selector: Selector;
  /** Label of pods that are never drained, with the value `true`. */
  readonly skipLabels: readonly string[];
  /** Driver pods and gated pods. The flow restarts them itself. */
  readonly isOurs: (pod: SnapshotPod) => boolean;
  /** Only pods that use the driver's resources; absent for a drain, which evicts all pods. */
  readonly holdsResource?: (pod: SnapshotPod) => boolean;
  /** Why a pod that does not use the resource may still use the driver. */
  readonly useText?: ((pod: SnapshotPod) => string | undefined) | undefined;
  /** Pods of DaemonSets that use the resource are no obstacle: the SR-IOV operator ignores them, `pkg/drain/drainer.go`. */
  readonly leavesDaemonSets?: boolean;
  /** The kubelet of the node does not report, so its pods cannot terminate. */
  readonly unreachable: boolean;
  /** Whether a DaemonSet exists. */
  readonly daemonSet: (namespace: string, name: string) => 'present' | 'absent' | 'unknown';
  /** Start of the drain. Pods created later are skipped. Absent: not started. */
  readonly startMs?: number | undefined;
  readonly nowMs: number;
}

/** One filter: returns a verdict, which ends the chain, or a warning, or nothing. */
interface DrainFilter {
  readonly name: string;
  readonly apply: (pod: SnapshotPod, options: DrainOptions) => Verdict | string | undefined;
}

const EVICT: Verdict = { kind: 'evict' };

const leave = (reason: string, warning?: string): Verdict => ({ kind: 'leave', reason, warning });

/**
 * The filters in their order; the first verdict counts. The order and the meaning of those from `daemon-set` on are kubectl's,
 * `pkg/drain/filters.go` of v1.34. Differences: the drain waits for every terminating pod, and warnings are not lost. A finished pod stays, because
 * it holds nothing of the node: kubectl deletes it and waits, for days where a finalizer keeps it (Kueue's `kueue.x-k8s.io/managed`, until the whole
 * group has ended).
 */
export const DRAIN_FILTERS: readonly DrainFilter[] = [
  {
    name: 'ours',
    apply: (pod, { isOurs }) => (isOurs(pod) ? leave('it belongs to the driver') : undefined),
  },
  { name: 'finished', apply: (pod) => (isFinished(pod) ? leave('it has finished') : undefined) },
  {
    name: 'skip-label',
    apply: (pod, { skipLabels }) => {
      const label = skipLabels.find((one) => pod.labels[one] === 'true');
      return label === undefined ? undefined : leave(`label ${label}`);
    },
  },
  {
    name: 'selector',
    apply: (pod, { selector }) => (matchesSelector(selector, pod.labels) ? undefined : leave('not selected')),
  },
  {
    name: 'resource',
    apply: (pod, { holdsResource, useText }) =>
      holdsResource === undefined || holdsResource(pod) ? undefined : leave('holds no resource', useText?.(pod)),
  },
  {
    name: 'cannot-end',
    apply: (pod, { unreachable, nowMs }) =>
      unreachable && pod.deletionMs !== undefined && pod.deletionMs <= nowMs
        ? leave(
            'deleted, and no kubelet can end it',
            `pod ${nameOf(pod)} was deleted on a node whose kubelet does not report`,
          )
        : undefined,
  },
  {
    name: 'arrived-later',
    apply: (pod, { startMs }) =>
      startMs !== undefined && pod.toleratesUnschedulable && pod.createdMs > startMs
        ? leave('came after the drain began, in spite of the cordon', cameBackText(pod))
        : undefined,
  },
  { name: 'daemon-set', apply: byDaemonSet },
  { name: 'mirror', apply: byMirror },
  { name: 'ending', apply: (pod) => (pod.deletionMs === undefined ? undefined : EVICT) },
  { name: 'empty-dir', apply: byEmptyDir },
  { name: 'no-controller', apply: byController },
];

/** A DaemonSet puts its pods on cordoned nodes by design. */
function cameBackText(pod: SnapshotPod): string | undefined {
  if (pod.controller?.kind === 'DaemonSet' || pod.mirror) return undefined;
  return `pod ${nameOf(pod)} came to the cordoned node, because it tolerates node.kubernetes.io/unschedulable: it keeps running there`;
}

function byMirror(pod: SnapshotPod): Verdict | undefined {
  return pod.mirror ? { kind: 'leave', reason: 'the kubelet runs it from a file', keepsRunning: true } : undefined;
}

function byDaemonSet(pod: SnapshotPod, options: DrainOptions): Verdict | string | undefined {
  const owner = pod.controller;
  if (owner === undefined || owner.kind !== 'DaemonSet' || owner.apiVersion !== 'apps/v1') return undefined;
  switch (options.daemonSet(pod.namespace, owner.name)) {
    case 'present':
      return { kind: 'leave', reason: `DaemonSet ${owner.name} would replace it`, keepsRunning: true };
    case 'unknown':
      return { kind: 'ask', namespace: pod.namespace, name: owner.name };
    case 'absent':
      if (pod.deletionMs !== undefined) return undefined;
      return options.force
        ? `the DaemonSet ${owner.name} of pod ${nameOf(pod)} is gone: nothing replaces the pod`
        : {
            kind: 'refuse',
            why: 'no-controller',
            reason: `pod ${nameOf(pod)}: its DaemonSet ${owner.name} is gone; \`force: true\` allows it`,
          };
  }
}

function byEmptyDir(pod: SnapshotPod, { deleteEmptyDir }: DrainOptions): Verdict | string | undefined {
  if (!pod.emptyDir) return undefined;
  return deleteEmptyDir
    ? `the emptyDir data of pod ${nameOf(pod)} is deleted with it`
    : {
        kind: 'refuse',
        why: 'empty-dir',
        reason: `pod ${nameOf(pod)} has emptyDir data; \`deleteEmptyDir: true\` allows it`,
      };
}

function byController(pod: SnapshotPod, { force }: DrainOptions): Verdict | string | undefined {
  if (pod.controller !== undefined) return undefined;
  return force
    ? `pod ${nameOf(pod)} has no controller: nothing replaces it`
    : {
        kind: 'refuse',
        why: 'no-controller',
        reason: `pod ${nameOf(pod)} has no controller; \`force: true\` allows it`,
      };
}

/** What a drain does with a pod. Tests pass a chain without some filters. */
export function drainVerdict(
  pod: SnapshotPod,
  options: DrainOptions,
  filters: readonly DrainFilter[] = DRAIN_FILTERS,
): Verdict {
  let warning: string | undefined;
  for (const filter of filters) {
    const result = filter.apply(pod, options);
    if (result === undefined) continue;
    if (typeof result !== 'string') return result;
    warning = warning === undefined ? result : `${warning}; ${result}`;
  }
  return warning === undefined ? EVICT : { kind: 'evict', warning };
}
