import { REVISION_LABEL } from '../../../shared/contract/labels.js';
import { podDriversOf, type UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { ApiObject } from '../../../shared/kubernetes/shapes/meta.js';
import type { ApiControllerRevision, ApiDaemonSet } from '../../../shared/kubernetes/shapes/workloads.js';
import { daemonSetRole } from '../../simulation/apply-daemon-set.js';
import type { StoredDaemonSet, StoredRevision } from '../../simulation/store.js';
import { gpuSetMatcher, withGpuLabel } from './roles.js';
import { readDaemonSet, readRevision } from '../snapshot/installed.js';
import type { SnapshotObjects } from '../snapshot/objects.js';
import type { ReadPod } from './pods.js';

/** The DaemonSets of the namespaces of the drivers, and their revisions. */
export interface ReadDaemonSets {
  readonly sets: readonly StoredDaemonSet[];
  readonly revisions: readonly StoredRevision[];
  /** Those of other namespaces, as `namespace/name`, and whether they exist. */
  readonly foreign: ReadonlyMap<string, boolean>;
  /** Whether the snapshot has DaemonSets of drivers. */
  readonly hasDriverSets: boolean;
  /** Whether the snapshot has revisions of driver pods. Without them each pod counts as one of the template of its DaemonSet. */
  readonly hasRevisions: boolean;
}

export function readDaemonSets(
  objects: SnapshotObjects,
  policy: UpgradePolicy,
  pods: readonly ReadPod[],
): ReadDaemonSets {
  const namespaces = new Set(podDriversOf(policy).map(({ namespace }) => namespace));
  const isOwn = ({ metadata }: ApiObject): boolean => namespaces.has(metadata?.namespace ?? '');
  const known = objects.ControllerRevision.filter(isOwn);
  const isGpu = gpuSetMatcher(policy);
  const sets = objects.DaemonSet.filter(isOwn).map((object) => {
    const set = storedSet(object, known);
    return isGpu(object) ? gpuSet(set) : set;
  });
  const listed = known.map((object): StoredRevision => ({
    ...readRevision(object),
    resourceVersion: '',
    name: object.metadata?.name ?? '',
  }));
  const revisions = [...listed, ...missingRevisions(sets, listed, pods)];
  return {
    sets,
    revisions,
    foreign: foreignSets(objects, pods, namespaces),
    hasDriverSets: sets.some(({ role }) => role === 'driver'),
    hasRevisions: known.length > 0,
  };
}

function storedSet(object: ApiDaemonSet, revisions: readonly ApiControllerRevision[]): StoredDaemonSet {
  const set = readDaemonSet(object);
  const own = revisions
    .filter(({ metadata }) => metadata?.ownerReferences?.some(({ uid }) => uid === set.uid) === true)
    .sort((a, b) => (b.revision ?? 0) - (a.revision ?? 0));
  const role = daemonSetRole(object);
  const labels = object.spec?.template?.metadata?.labels;
  return {
    ...set,
    role,
    hash: own[0]?.metadata?.labels?.[REVISION_LABEL] ?? set.digest,
    labelPrefix: 'ofed',
    ...(labels !== undefined && { podLabels: labels }),
  };
}

function gpuSet(set: StoredDaemonSet): StoredDaemonSet {
  return { ...withGpuLabel(set), role: 'driver', labelPrefix: 'gpu' };
}

/** Revisions of pods that the snapshot has none for: they count as those of the DaemonSet. */
function missingRevisions(
  sets: readonly StoredDaemonSet[],
  known: readonly StoredRevision[],
  pods: readonly ReadPod[],
): readonly StoredRevision[] {
  const byUid = new Map(sets.map((set) => [set.uid, set]));
  const seen = new Set(known.map(({ ownerUid, hash }) => `${ownerUid} ${hash}`));
  return pods.flatMap(({ pod, kind }): StoredRevision[] => {
    const set = byUid.get(pod.controller?.uid ?? '');
    const hash = pod.labels[REVISION_LABEL];
    if (kind !== 'driver' || set === undefined || hash === undefined || seen.has(`${set.uid} ${hash}`)) return [];
    seen.add(`${set.uid} ${hash}`);
    const { namespace, uid, digest } = set;
    return [{ namespace, name: `${set.name}-${hash}`, ownerUid: uid, hash, digest, resourceVersion: '' }];
  });
}

function foreignSets(
  objects: SnapshotObjects,
  pods: readonly ReadPod[],
  namespaces: ReadonlySet<string>,
): ReadonlyMap<string, boolean> {
  const present = new Set(
    objects.DaemonSet.map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`),
  );
  const asked = pods.flatMap(({ pod: { controller, namespace } }) =>
    controller?.kind === 'DaemonSet' && !namespaces.has(namespace) ? [`${namespace}/${controller.name}`] : [],
  );
  // A snapshot without DaemonSets does not say that they are gone.
  return new Map(asked.map((key) => [key, present.size === 0 || present.has(key)]));
}
