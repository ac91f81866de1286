import { constraintsOf, type NodeSelectorTerm } from '../../../shared/kubernetes/selection/node-placement.js';
import type { ApiPod } from '../../../shared/kubernetes/shapes/pod.js';
import type { SnapshotObjects } from '../snapshot/objects.js';

/** The node affinity of the volumes of a pod that have one. */
type VolumesOf = (pod: ApiPod) => readonly (readonly NodeSelectorTerm[])[];

export function volumesIn({ PersistentVolume, PersistentVolumeClaim }: SnapshotObjects): VolumesOf {
  const terms = new Map(
    PersistentVolume.flatMap(({ metadata, spec }) => {
      const { nodeAffinity } = constraintsOf({
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: spec?.nodeAffinity?.required } },
      });
      return nodeAffinity === undefined ? [] : [[metadata?.name ?? '', nodeAffinity] as const];
    }),
  );
  const volumes = new Map(
    PersistentVolumeClaim.map(({ metadata, spec }) => [
      `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`,
      spec?.volumeName,
    ]),
  );
  return ({ metadata, spec }) =>
    (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
      const claim = persistentVolumeClaim?.claimName;
      const volume = claim === undefined ? undefined : volumes.get(`${metadata?.namespace ?? ''}/${claim}`);
      const own = volume === undefined ? undefined : terms.get(volume);
      return own === undefined ? [] : [own];
    });
}
