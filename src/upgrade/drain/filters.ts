import { driverKeys } from '../../contract/labels.js';
import { matchesSelector, type Selector } from '../../kubernetes/selection/label-selector.js';
import type { SnapshotPod } from '../model/types.js';

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
  | { readonly kind: 'refuse'; readonly reason: string }
  /** Whether its DaemonSet exists must be looked up. */
  | { readonly kind: 'ask'; readonly namespace: string; readonly name: string };

export interface DrainOptions {
  readonly force: boolean;
  readonly deleteEmptyDir: boolean;
  /** Only pods that match; empty: all. */
  readonly selector: Selector;
  /** Label of pods that are never drained, with the value `true`. */
  readonly skipLabel: string;
  /** Driver pods and gated pods. The flow restarts them itself. */
  readonly isOurs: (pod: SnapshotPod) => boolean;
  /** Only pods that use the driver's resources; absent for a drain, which evicts all pods. */
  readonly holdsResource?: (pod: SnapshotPod) => boolean;
  /** The kubelet of the node does not report, so its pods cannot terminate. */
  readonly unreachable: boolean;
  /** Whether a DaemonSet exists. */
  readonly daemonSet: (namespace: string, name: string) => 'present' | 'absent' | 'unknown';
  /** Start of the drain. Pods created later are skipped. Absent: not started. */
  readonly startMs?: number | undefined;
  readonly nowMs: number;
}

/** Whether a filter can apply to any of these pods with these options. */
type Applies = (options: DrainOptions, pods: readonly SnapshotPod[]) => boolean;

/** One filter: returns a verdict, which ends the chain, or a warning, or nothing. */
type DrainFilter = {
  readonly name: string;
  readonly apply: (pod: SnapshotPod, options: DrainOptions) => Verdict | string | undefined;
} & (
  | {
      /** Whether the filter can apply to the pod, whatever the options. */
      readonly concerns: (pod: SnapshotPod) => boolean;
      /** Absent: always. */
      readonly applies?: Applies;
    }
  /** The filter can apply to any pod. */
  | { readonly concerns?: never; readonly applies: Applies }
);

const EVICT: Verdict = { kind: 'evict' };

const leave = (reason: string, warning?: string): Verdict => ({ kind: 'leave', reason, warning });

/**
 * The filters in their order; the first verdict counts. The order and the meaning of those from `daemon-set` on are kubectl's,
 * `pkg/drain/filters.go` of v1.34. Differences: the drain waits for every terminating pod, and warnings are not lost.
 */
export const DRAIN_FILTERS: readonly DrainFilter[] = [
  {
    name: 'ours',
    applies: ({ isOurs }, pods) => pods.some(isOurs),
    apply: (pod, { isOurs }) => (isOurs(pod) ? leave('it belongs to the driver') : undefined),
  },
  {
    name: 'skip-label',
    concerns: hasSkipLabel,
    apply: (pod, { skipLabel }) => (pod.labels[skipLabel] === 'true' ? leave(`label ${skipLabel}`) : undefined),
  },
  {
    name: 'selector',
    applies: ({ selector }) => selector.length > 0,
    apply: (pod, { selector }) => (matchesSelector(selector, pod.labels) ? undefined : leave('not selected')),
  },
  {
    name: 'resource',
    applies: ({ holdsResource }) => holdsResource !== undefined,
    apply: (pod, { holdsResource }) =>
      holdsResource === undefined || (holdsResource(pod) && !isFinished(pod)) ? undefined : leave('holds no resource'),
  },
  {
    name: 'cannot-end',
    concerns: isEnding,
    applies: ({ unreachable }) => unreachable,
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
    concerns: ({ toleratesUnschedulable }) => toleratesUnschedulable,
    applies: ({ startMs }) => startMs !== undefined,
    apply: (pod, { startMs }) =>
      startMs !== undefined && pod.toleratesUnschedulable && pod.createdMs > startMs
        ? leave('came after the drain began, in spite of the cordon')
        : undefined,
  },
  { name: 'daemon-set', concerns: ({ controller }) => controller?.kind === 'DaemonSet', apply: byDaemonSet },
  { name: 'mirror', concerns: ({ mirror }) => mirror, apply: byMirror },
  { name: 'ending', concerns: isEnding, apply: (pod) => (isEnding(pod) ? EVICT : undefined) },
  { name: 'empty-dir', concerns: ({ emptyDir }) => emptyDir, apply: byEmptyDir },
  { name: 'no-controller', concerns: ({ controller }) => controller === undefined, apply: byController },
];

/** The end of the skip labels of all drivers. */
const SKIP_LABEL_END = driverKeys('').skipDrain.replace(/^.*\//, '');

function hasSkipLabel({ labels }: SnapshotPod): boolean {
  for (const key in labels) if (key.endsWith(SKIP_LABEL_END)) return true;
  return false;
}

function isEnding({ deletionMs }: SnapshotPod): boolean {
  return deletionMs !== undefined;
}

function byMirror(pod: SnapshotPod): Verdict | undefined {
  return pod.mirror ? { kind: 'leave', reason: 'the kubelet runs it from a file', keepsRunning: true } : undefined;
}

function byDaemonSet(pod: SnapshotPod, options: DrainOptions): Verdict | string | undefined {
  const owner = pod.controller;
  if (owner === undefined || owner.kind !== 'DaemonSet' || owner.apiVersion !== 'apps/v1' || isFinished(pod))
    return undefined;
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
            reason: `pod ${nameOf(pod)}: its DaemonSet ${owner.name} is gone; \`force: true\` allows it`,
          };
  }
}

function byEmptyDir(pod: SnapshotPod, { deleteEmptyDir }: DrainOptions): Verdict | string | undefined {
  if (!pod.emptyDir || isFinished(pod)) return undefined;
  return deleteEmptyDir
    ? `the emptyDir data of pod ${nameOf(pod)} is deleted with it`
    : { kind: 'refuse', reason: `pod ${nameOf(pod)} has emptyDir data; \`deleteEmptyDir: true\` allows it` };
}

function byController(pod: SnapshotPod, { force }: DrainOptions): Verdict | string | undefined {
  if (pod.controller !== undefined || isFinished(pod)) return undefined;
  return force
    ? `pod ${nameOf(pod)} has no controller: nothing replaces it`
    : { kind: 'refuse', reason: `pod ${nameOf(pod)} has no controller; \`force: true\` allows it` };
}

/** The filters that can apply to any of these pods with these options. */
export function filtersFor(options: DrainOptions, pods: readonly SnapshotPod[]): readonly DrainFilter[] {
  return DRAIN_FILTERS.filter(({ applies }) => applies?.(options, pods) ?? true);
}

/** No filter for particular pods applies to the pod, whatever the options, and the pod is not finished. */
export function isPlain(pod: SnapshotPod): boolean {
  for (const { concerns } of DRAIN_FILTERS) if (concerns?.(pod) === true) return false;
  return !isFinished(pod);
}

/** Whether all of these plain pods are evicted: no filter that may concern any pod applies. */
export function takesAll(options: DrainOptions, plain: readonly SnapshotPod[]): boolean {
  return DRAIN_FILTERS.every(({ concerns, applies }) => concerns !== undefined || !applies(options, plain));
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

/** Succeeded or Failed: its containers do not run again. */
export function isFinished(pod: SnapshotPod): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed';
}

export function nameOf(pod: { readonly namespace: string; readonly name: string }): string {
  return `${pod.namespace}/${pod.name}`;
}
