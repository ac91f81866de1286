import { INSTALL_DIGEST_ANNOTATION, MIRROR_POD_ANNOTATION, REVISION_LABEL } from '../../../shared/contract/labels.js';
import { installDigest, type PodTemplateLike } from '../../../shared/contract/install-digest.js';
import { isNetworkOperatorPod, type PodMarks } from '../../../shared/contract/network-operator.js';
import { constraintsOf } from '../../../shared/kubernetes/selection/node-placement.js';
import { shorten } from '../../../shared/lib/text.js';
import { toleratesAll } from '../../../shared/kubernetes/selection/taints.js';
import { resourceVersionOf } from '../../../shared/kube-client/watch.js';
import type {
  ContainerState,
  ControllerRef,
  SnapshotBudget,
  SnapshotDaemonSet,
  SnapshotNode,
  SnapshotPod,
  SnapshotRevision,
} from '../../model/types.js';
import type { ApiBudget, ApiConfigMap, ApiNode } from '../../../shared/kubernetes/shapes/cluster.js';
import type { ApiObject } from '../../../shared/kubernetes/shapes/meta.js';
import type { ApiContainerStatus, ApiPod } from '../../../shared/kubernetes/shapes/pod.js';
import type { ApiControllerRevision, ApiDaemonSet } from '../../../shared/kubernetes/shapes/workloads.js';

/**
 * Reduces API objects to the fields of a snapshot. A whole pod would need ten times the memory. Text that the API server does not limit is cut
 * here, because anybody may have written it and messages name it.
 */

/** The longest name of an object. A longer one in a reference names nothing. */
const LONGEST_NAME = 253;
/** Of these a message names some. */
const MOST_FINALIZERS = 10;

/** Shared by all pods without any, because there may be 100,000. */
const NO_ENTRIES: Readonly<Record<string, never>> = Object.freeze({});
const NOTHING: readonly never[] = Object.freeze([]);

const UNSCHEDULABLE_TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
/** Conditions of pods and nodes that are read. */
const READY = 'Ready';
const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed'] as const;

export function reduceNode(node: ApiNode): SnapshotNode {
  const { metadata: { annotations, labels } = {}, spec, status } = node;
  const { status: ready, lastTransitionTime } = status?.conditions?.find(({ type }) => type === READY) ?? {};
  const unreachableSinceMs = ready === 'Unknown' ? timeOf(lastTransitionTime) : undefined;
  const cordonTime = spec?.taints?.find(({ key }) => key === UNSCHEDULABLE_TAINT.key)?.timeAdded;
  return {
    ...identityOf(node),
    resourceVersion: resourceVersionOf(node),
    labels: labels ?? NO_ENTRIES,
    annotations: annotations ?? NO_ENTRIES,
    unschedulable: spec?.unschedulable === true,
    ...(cordonTime !== undefined && { cordonTime }),
    ready: ready === 'False' || ready === 'Unknown' ? ready : 'True',
    ...(unreachableSinceMs !== undefined && { unreachableSinceMs }),
    taints: spec?.taints?.map(({ key, value = '', effect }) => ({ key, value, effect })) ?? NOTHING,
    allocatable: status?.allocatable ?? NO_ENTRIES,
  };
}

export function reducePod(pod: ApiPod): SnapshotPod {
  const { metadata = {}, spec, status } = pod;
  const deletionMs = timeOf(metadata.deletionTimestamp);
  const controller = controllerOf(pod);
  const ready = status?.conditions?.find(({ type }) => type === READY);
  const readyChangedMs = timeOf(ready?.lastTransitionTime);
  const emptyNodes = fitsEmptyNodes(pod);
  // Driver pods have a DaemonSet as controller, or none after it was retired.
  const mayBeDriver = controller === undefined || controller.kind === 'DaemonSet';
  return {
    namespace: metadata.namespace ?? '',
    ...identityOf(pod),
    labels: metadata.labels ?? NO_ENTRIES,
    nodeName: spec?.nodeName ?? '',
    ...(emptyNodes !== undefined && { fitsEmptyNodes: emptyNodes }),
    phase: PHASES.find((phase) => phase === status?.phase) ?? 'Unknown',
    createdMs: timeOf(metadata.creationTimestamp) ?? 0,
    ...(deletionMs !== undefined && { deletionMs }),
    finalizers: metadata.finalizers?.slice(0, MOST_FINALIZERS) ?? NOTHING,
    ...(controller !== undefined && { controller }),
    ...(isNetworkOperatorPod(marksOf(pod)) && { controllerOf: 'network-operator' as const }),
    mirror: metadata.annotations?.[MIRROR_POD_ANNOTATION] !== undefined,
    // As kubectl's drain has it: `emptyDir: {}` is one.
    emptyDir: spec?.volumes?.some(({ emptyDir }) => emptyDir != null) === true,
    toleratesUnschedulable: toleratesAll(spec?.tolerations ?? NOTHING, [UNSCHEDULABLE_TAINT]),
    resourceNames: resourceNamesOf(spec),
    ...(spec?.runtimeClassName?.startsWith('nvidia') === true && { runtimeClass: spec.runtimeClassName }),
    ready: isReady(status),
    ...(readyChangedMs !== undefined && { readyChangedMs }),
    containers: mayBeDriver ? statesOf(status?.containerStatuses) : NOTHING,
    initContainers: mayBeDriver ? statesOf(status?.initContainerStatuses) : NOTHING,
  };
}

/**
 * What the scheduler says when preemption finds no node: on M of N it would not help, because a cordon, a taint, a selector or a local volume keeps the
 * pod off, or it asks for more than the node has. Kubernetes' `pkg/scheduler/framework/preemption` and `FitError`, v1.28 to v1.36; before v1.32 a node
 * counts as one with too many pods also where it never has what the pod asks for. A message about the pod itself, such as about a claim without a volume,
 * does not begin with a number of nodes.
 */
const PREEMPTION = /^0\/(\d+) nodes are available: \d.*\bpreemption: 0\/\1 nodes are available: (.*)$/s;
const NOT_HELPFUL = /\b(\d+) Preemption is not helpful for scheduling\b/;

function fitsEmptyNodes({ spec, status }: ApiPod): number | undefined {
  if ((spec?.nodeName ?? '') !== '') return undefined;
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.reason !== 'Unschedulable') return undefined;
  const [, all, reasons] = PREEMPTION.exec(scheduled.message ?? '') ?? [];
  return reasons === undefined ? undefined : Number(all) - Number(NOT_HELPFUL.exec(reasons)?.[1] ?? 0);
}

export function reduceDaemonSet(daemonSet: ApiDaemonSet): SnapshotDaemonSet {
  const { metadata = {}, spec, status } = daemonSet;
  const template = spec?.template ?? {};
  const deletionMs = timeOf(metadata.deletionTimestamp);
  const renderedDigest = metadata.annotations?.[INSTALL_DIGEST_ANNOTATION];
  const updateStrategy = spec?.updateStrategy?.type;
  return {
    namespace: metadata.namespace ?? '',
    ...identityOf(daemonSet),
    resourceVersion: resourceVersionOf(daemonSet),
    labels: metadata.labels ?? NO_ENTRIES,
    createdMs: timeOf(metadata.creationTimestamp) ?? 0,
    ...(deletionMs !== undefined && { deletionMs }),
    generation: metadata.generation ?? 0,
    observedGeneration: status?.observedGeneration ?? 0,
    digest: installDigest(template),
    ...configDigestOf(template),
    ...(renderedDigest !== undefined && { renderedDigest }),
    ...(updateStrategy !== undefined && { updateStrategy }),
    ...constraintsOf(template.spec ?? {}),
  };
}

export function reduceRevision(revision: ApiControllerRevision): SnapshotRevision {
  const template = revision.data?.spec?.template ?? {};
  return {
    namespace: revision.metadata?.namespace ?? '',
    ownerUid: controllerOf(revision)?.uid ?? '',
    hash: revision.metadata?.labels?.[REVISION_LABEL] ?? '',
    digest: installDigest(template),
    ...configDigestOf(template),
  };
}

/** The variable of the GPU operator's driver containers: gpu-operator a22dbf671, `internal/config`. */
const CONFIG_DIGEST = 'DRIVER_CONFIG_DIGEST';

function configDigestOf({ spec }: PodTemplateLike): { readonly configDigest?: string } {
  for (const containers of [spec?.initContainers, spec?.containers]) {
    for (const { env } of containers ?? NOTHING) {
      const configDigest = env?.find(({ name }) => name === CONFIG_DIGEST)?.value ?? '';
      if (configDigest !== '') return { configDigest };
    }
  }
  return {};
}

export function reduceBudget({ metadata = {}, spec, status }: ApiBudget): SnapshotBudget {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    ...(spec?.selector !== undefined && { selector: spec.selector }),
    disruptionsAllowed: status?.disruptionsAllowed ?? 0,
    ...((status?.desiredHealthy ?? 0) >= (status?.expectedPods ?? Infinity) && { neverAllows: true as const }),
  };
}

/** When the data of a ConfigMap was last written, from its `managedFields`. */
export function dataWrittenMs({ metadata = {} }: ApiConfigMap): number | undefined {
  const times = (metadata.managedFields ?? NOTHING)
    .filter(({ fieldsV1 }) => fieldsV1?.['f:data'] !== undefined)
    .flatMap(({ time }) => timeOf(time) ?? []);
  return times.length === 0 ? timeOf(metadata.creationTimestamp) : Math.max(...times);
}

function identityOf({ metadata }: ApiObject): { readonly name: string; readonly uid: string } {
  return { name: metadata?.name ?? '', uid: metadata?.uid ?? '' };
}

function controllerOf({ metadata }: ApiObject): ControllerRef | undefined {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return undefined;
  const { apiVersion, kind, name, uid } = owner;
  return {
    apiVersion: shorten(apiVersion, LONGEST_NAME),
    kind: shorten(kind, LONGEST_NAME),
    name: shorten(name, LONGEST_NAME),
    uid: shorten(uid, LONGEST_NAME),
  };
}

function marksOf({ metadata, spec }: ApiPod): PodMarks {
  return {
    labels: metadata?.labels ?? NO_ENTRIES,
    images: spec?.containers?.map(({ image = '' }) => image) ?? NOTHING,
  };
}

/** Upstream's meaning, see `SnapshotPod`. */
function isReady(status: ApiPod['status']): boolean {
  const containers = status?.containerStatuses ?? NOTHING;
  return status?.phase === 'Running' && containers.length > 0 && containers.every(({ ready }) => ready === true);
}

function statesOf(statuses: readonly ApiContainerStatus[] | undefined): readonly ContainerState[] {
  if (statuses === undefined || statuses.length === 0) return NOTHING;
  return statuses.map(({ name, ready, restartCount, state }) => {
    const startedMs = timeOf(state?.running?.startedAt);
    const finishedMs = timeOf(state?.terminated?.finishedAt);
    const waitingReason = state?.waiting?.reason;
    return {
      name,
      ready: ready === true,
      restarts: restartCount ?? 0,
      ...(startedMs !== undefined && { startedMs }),
      ...(finishedMs !== undefined && { finishedMs }),
      ...(waitingReason !== undefined && { waitingReason: shorten(waitingReason, LONGEST_NAME) }),
    };
  });
}

function resourceNamesOf(spec: ApiPod['spec']): readonly string[] {
  let names: Set<string> | undefined;
  for (const containers of [spec?.containers, spec?.initContainers]) {
    for (const { resources } of containers ?? NOTHING) {
      for (const name of [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})]) {
        if (name !== 'cpu' && name !== 'memory') names = (names ?? new Set()).add(name);
      }
    }
  }
  return names === undefined ? NOTHING : [...names];
}

/** Milliseconds since the epoch of a time in RFC 3339. */
export function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
