import { driverKeys } from '../../contract/labels.js';
import { matchesSelector, type Selector } from '../../kubernetes/label-selector.js';
import type { SnapshotPod } from '../model/types.js';

/** What a drain does with one pod, and why. */
type Verdict =
  /** It has to go; `warning` says what is lost with it. */
  | { readonly kind: 'evict'; readonly warning?: string }
  /** It is not the drain's. `stays`: it would be back at once, or cannot go, so it goes on running there. */
  | {
      readonly kind: 'leave';
      readonly reason: string;
      readonly warning?: string | undefined;
      readonly keepsRunning?: true;
    }
  /** Nothing of the node may be touched because of it; the reason names what would allow it. */
  | { readonly kind: 'refuse'; readonly reason: string }
  /** It is not known yet whether its DaemonSet exists. */
  | { readonly kind: 'ask'; readonly namespace: string; readonly name: string };

export interface DrainOptions {
  readonly force: boolean;
  readonly deleteEmptyDir: boolean;
  /** Only pods that match; empty: all. */
  readonly selector: Selector;
  /** Label of pods that are never drained, with the value `true`. */
  readonly skipLabel: string;
  /** Pods of the driver and pods behind its gate: the flow restarts those itself. */
  readonly isOurs: (pod: SnapshotPod) => boolean;
  /** Only pods that hold the driver's resources; absent for a drain, which takes all. */
  readonly holdsResource?: (pod: SnapshotPod) => boolean;
  /** No kubelet answers on the node, so no pod there can end. */
  readonly unreachable: boolean;
  /** Whether a DaemonSet exists. */
  readonly daemonSet: (namespace: string, name: string) => 'present' | 'absent' | 'unknown';
  /** Pods that came later in spite of the cordon are not the drain's; absent: the drain has not begun. */
  readonly startMs?: number | undefined;
  readonly nowMs: number;
}

/** Whether a rule can say anything of any of these pods with these options. */
type Applies = (options: DrainOptions, pods: readonly SnapshotPod[]) => boolean;

/** One rule: a verdict that ends the chain, a warning that goes along, or nothing. */
type DrainFilter = {
  readonly name: string;
  readonly apply: (pod: SnapshotPod, options: DrainOptions) => Verdict | string | undefined;
} & (
  | {
      /** Whether it may say anything of the pod, whatever the options. */
      readonly concerns: (pod: SnapshotPod) => boolean;
      /** Absent: always. */
      readonly applies?: Applies;
    }
  /** It may say something of any pod. */
  | { readonly concerns?: never; readonly applies: Applies }
);

const EVICT: Verdict = { kind: 'evict' };

const leave = (reason: string, warning?: string): Verdict => ({ kind: 'leave', reason, warning });

/**
 * The rules in their order; the first verdict counts. The order and the meaning of those from `daemon-set` on are kubectl's,
 * `pkg/drain/filters.go` of v1.34. Differences: a pod that is ending already is waited for whatever it is, and warnings are
 * not lost.
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

/** How the skip labels of all drivers end; what they begin with is the policy's. */
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
      return { kind: 'leave', reason: `DaemonSet ${owner.name} would make it again`, keepsRunning: true };
    case 'unknown':
      return { kind: 'ask', namespace: pod.namespace, name: owner.name };
    case 'absent':
      if (pod.deletionMs !== undefined) return undefined;
      return options.force
        ? `the DaemonSet ${owner.name} of pod ${nameOf(pod)} is gone: nothing makes the pod again`
        : {
            kind: 'refuse',
            reason: `pod ${nameOf(pod)}: its DaemonSet ${owner.name} is gone; \`force: true\` allows it`,
          };
  }
}

function byEmptyDir(pod: SnapshotPod, { deleteEmptyDir }: DrainOptions): Verdict | string | undefined {
  if (!pod.emptyDir || isFinished(pod)) return undefined;
  return deleteEmptyDir
    ? `the emptyDir data of pod ${nameOf(pod)} goes with it`
    : { kind: 'refuse', reason: `pod ${nameOf(pod)} has emptyDir data; \`deleteEmptyDir: true\` allows it` };
}

function byController(pod: SnapshotPod, { force }: DrainOptions): Verdict | string | undefined {
  if (pod.controller !== undefined || isFinished(pod)) return undefined;
  return force
    ? `pod ${nameOf(pod)} has no controller: nothing makes it again`
    : { kind: 'refuse', reason: `pod ${nameOf(pod)} has no controller; \`force: true\` allows it` };
}

/** The rules that can say anything of these pods with these options, for a chain that many pods go through. */
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

/** What a drain does with a pod. The chain is a parameter so that tests can take a rule away. */
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

/** Succeeded or Failed: its containers have ended for good. */
export function isFinished(pod: SnapshotPod): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed';
}

export function nameOf(pod: { readonly namespace: string; readonly name: string }): string {
  return `${pod.namespace}/${pod.name}`;
}
