import {
  INSTALL_DIGEST_ANNOTATION,
  MIRROR_POD_ANNOTATION,
  IGNORE_WINDOWS_ANNOTATION,
  PAUSED_ANNOTATION,
} from '../../../shared/contract/labels.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import type { ListedObject } from '../../../shared/kubernetes/listed-object.js';
import type { ApiControllerRevision, ApiDaemonSet } from '../../../shared/kubernetes/shapes/workloads.js';
import { POD_GROUP_ANNOTATIONS } from './pod-groups.js';
import { installedField, readDaemonSet, readRevision } from './installed.js';
import type { ClusterSnapshot } from './objects.js';

/** Parts of containers that a plan reads. Images, commands and the environment are not among them. */
const CONTAINER = ['name', 'resources', 'ports', 'restartPolicy'];
const POD_SPEC = [
  'nodeName',
  'nodeSelector',
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
  'overhead',
  'hostNetwork',
  'terminationGracePeriodSeconds',
  'resourceClaims',
];
const METADATA = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'labels',
  'finalizers',
];

/**
 * The objects with only what a plan reads: without names of images, arguments, environment and annotations of anybody. Of the DaemonSets of the
 * drivers and of their revisions it has the digest of what they install.
 *
 * @param driverNamespaces namespaces of the drivers
 */
export function savedSnapshot({ items }: ClusterSnapshot, driverNamespaces: ReadonlySet<string>): ClusterSnapshot {
  const saved = (items as readonly ListedObject[]).map((item) => {
    const isDriver = driverNamespaces.has(item.metadata?.namespace ?? '');
    return savedObject(item, isDriver);
  });
  return { items: saved };
}

function savedObject(item: ListedObject, isDriver: boolean): object {
  const { apiVersion, kind } = item;
  const base = { apiVersion, kind, metadata: metadataOf(item) };
  switch (kind ?? '') {
    case 'Pod':
      return { ...base, spec: podSpecOf(item['spec']), status: podStatusOf(item['status']) };
    case 'Node':
      return { ...base, spec: picked(item['spec'], ['unschedulable', 'taints']), status: nodeStatusOf(item['status']) };
    case 'DaemonSet':
      if (!isDriver) return base;
      return {
        ...base,
        ...installedField(readDaemonSet(item as ApiDaemonSet)),
        spec: daemonSetSpecOf(item['spec']),
        status: picked(item['status'], ['observedGeneration']),
      };
    case 'ControllerRevision':
      return isDriver
        ? { ...base, ...installedField(readRevision(item as ApiControllerRevision)), revision: item['revision'] }
        : base;
    case 'PodDisruptionBudget':
      return { ...base, spec: item['spec'], status: item['status'] };
    case 'ReplicaSet':
    case 'StatefulSet':
      return { ...base, spec: picked(item['spec'], ['replicas']) };
    case 'Job':
      return { ...base, spec: picked(item['spec'], ['parallelism', 'completions']) };
    case 'PersistentVolumeClaim':
      return { ...base, spec: picked(item['spec'], ['volumeName']) };
    case 'ResourceClaim':
      return { ...base, status: claimStatusOf(item['status']) };
    case 'ResourceSlice':
      return { ...base, spec: sliceSpecOf(item['spec']) };
    case 'SriovNetworkNodeState':
      return { ...base, spec: functionsOf(item['spec']), status: picked(item['status'], ['syncStatus']) };
    case 'NodeMaintenance':
      return {
        ...base,
        spec: picked(item['spec'], [
          ...['requestorID', 'additionalRequestors', 'nodeName', 'waitForPodCompletion', 'drainSpec'],
        ]),
        status: { conditions: eachPicked(valueAt(item['status'], ['conditions']), ['type', 'status', 'reason']) },
      };
    case 'MaintenanceOperatorConfig':
      return { ...base, spec: picked(item['spec'], ['maxParallelOperations']) };
    case 'ClusterPolicy':
    case 'NVIDIADriver':
      return { ...base, spec: gpuSpecOf(item['spec']) };
    case 'PersistentVolume':
      return { ...base, spec: picked(item['spec'], ['nodeAffinity']) };
    default:
      return base;
  }
}

/** Annotations of nodes, and of what operators ask for them, that the upgrade reads or writes. */
const ANNOTATION = /^(?:weft\.dev|nvidia\.com|sriovnetwork\.openshift\.io|maintenance\.nvidia\.com)\//;
const ANNOTATED: ReadonlySet<string> = new Set(['Node', 'SriovNetworkNodeState', 'NodeMaintenance']);
/** Those of other objects that say what they are, and what a person asks of the companion. */
const OTHERS: ReadonlySet<string> = new Set([
  INSTALL_DIGEST_ANNOTATION,
  MIRROR_POD_ANNOTATION,
  PAUSED_ANNOTATION,
  IGNORE_WINDOWS_ANNOTATION,
  ...POD_GROUP_ANNOTATIONS,
]);

function metadataOf({ metadata = {}, kind }: ListedObject): object {
  const kept = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => (ANNOTATED.has(kind ?? '') && ANNOTATION.test(key)) || OTHERS.has(key),
  );
  const owners = metadata.ownerReferences?.filter(({ controller }) => controller === true);
  return {
    ...picked(metadata, METADATA),
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
    ...(owners !== undefined && owners.length > 0 && { ownerReferences: owners }),
  };
}

/** Which devices of which drivers the pods have, by the claims' UIDs and numbers only. */
function claimStatusOf(status: unknown): object {
  const results = eachPicked(valueAt(status, ['allocation', 'devices', 'results']), ['driver', 'adminAccess']);
  const reservedFor = eachPicked(valueAt(status, ['reservedFor']), ['resource', 'uid']);
  return { allocation: { devices: { results } }, reservedFor };
}

function sliceSpecOf(spec: unknown): object {
  const devices = valueAt(spec, ['devices']);
  return { ...picked(spec, ['driver', 'nodeName']), devices: Array.isArray(devices) ? devices.map(() => ({})) : [] };
}

function functionsOf(spec: unknown): object {
  const interfaces = valueAt(spec, ['interfaces']);
  const groups = (one: unknown) => ({ vfGroups: eachPicked(valueAt(one, ['vfGroups']), ['resourceName']) });
  return { interfaces: Array.isArray(interfaces) ? interfaces.map(groups) : [] };
}

/** What the GPU operator is told about upgrades. */
function gpuSpecOf(spec: unknown): object {
  const UPGRADE = ['autoUpgrade', 'maxUnavailable', 'drain'];
  return {
    upgradePolicy: picked(valueAt(spec, ['upgradePolicy']), UPGRADE),
    driver: {
      ...picked(valueAt(spec, ['driver']), ['useNvidiaDriverCRD']),
      upgradePolicy: picked(valueAt(spec, ['driver', 'upgradePolicy']), UPGRADE),
    },
    sandboxWorkloads: picked(valueAt(spec, ['sandboxWorkloads']), ['enabled']),
  };
}

/** Where its pods run, and whether they wait for the driver (`podGate`). */
function daemonSetSpecOf(spec: unknown): object {
  const template = valueAt(spec, ['template']);
  const podSpec = valueAt(template, ['spec']);
  return {
    ...picked(spec, ['updateStrategy']),
    template: {
      metadata: picked(valueAt(template, ['metadata']), ['labels']),
      spec: {
        ...picked(podSpec, ['nodeSelector', 'affinity', 'tolerations']),
        initContainers: eachPicked(valueAt(podSpec, ['initContainers']), ['name']),
        volumes: eachPicked(valueAt(podSpec, ['volumes']), ['name', 'hostPath']),
      },
    },
  };
}

function podSpecOf(spec: unknown): object {
  const { containers, initContainers, volumes } = isObject(spec) ? spec : {};
  return {
    ...picked(spec, POD_SPEC),
    containers: eachPicked(containers, CONTAINER),
    ...(initContainers !== undefined && { initContainers: eachPicked(initContainers, CONTAINER) }),
    ...(Array.isArray(volumes) && {
      volumes: (volumes as readonly unknown[])
        .filter((one) => isObject(one) && ('emptyDir' in one || 'persistentVolumeClaim' in one))
        .map((one) => picked(one, ['name', 'emptyDir', 'persistentVolumeClaim'])),
    }),
  };
}

const CONTAINER_STATUS = ['name', 'ready', 'restartCount', 'state'];

function podStatusOf(status: unknown): object {
  const { conditions, containerStatuses, initContainerStatuses } = isObject(status) ? status : {};
  return {
    ...picked(status, ['phase', 'startTime']),
    conditions: conditionsOf(conditions),
    ...(containerStatuses !== undefined && { containerStatuses: statesOf(containerStatuses) }),
    ...(initContainerStatuses !== undefined && { initContainerStatuses: statesOf(initContainerStatuses) }),
  };
}

function nodeStatusOf(status: unknown): object {
  const { conditions } = isObject(status) ? status : {};
  return { ...picked(status, ['allocatable']), conditions: conditionsOf(conditions) };
}

/** Without messages, which may name anything. */
function conditionsOf(conditions: unknown): readonly object[] {
  return eachPicked(conditions, ['type', 'status', 'lastTransitionTime']);
}

function statesOf(statuses: unknown): readonly object[] {
  return eachPicked(statuses, CONTAINER_STATUS).map((one) => {
    const { state } = one as { readonly state?: Readonly<Record<string, unknown>> };
    const parts = Object.entries(state ?? {}).map(([key, value]) => [
      key,
      picked(value, ['startedAt', 'finishedAt', 'reason']),
    ]);
    return { ...one, state: Object.fromEntries(parts) as unknown };
  });
}

function eachPicked(list: unknown, keys: readonly string[]): readonly object[] {
  return Array.isArray(list) ? list.map((one) => picked(one, keys)) : [];
}

function picked(from: unknown, keys: readonly string[]): object {
  if (!isObject(from)) return {};
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));
}
