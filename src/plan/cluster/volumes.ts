import { constraintsOf, type NodeSelectorTerm } from '../../kubernetes/selection/node-placement.js';
import { valueAt } from '../../lib/json.js';
import type { ApiObject, SnapshotObjects } from '../snapshot/objects.js';

/** The node affinity of the volumes of a pod that have one. */
type VolumesOf = (pod: ApiObject) => readonly (readonly NodeSelectorTerm[])[];

export function volumesIn({ PersistentVolume, PersistentVolumeClaim }: SnapshotObjects): VolumesOf {
  const terms = new Map(
    PersistentVolume.flatMap(({ metadata, ...volume }) => {
      const required = valueAt(volume, ['spec', 'nodeAffinity', 'required']);
      const { nodeAffinity } = constraintsOf({
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
      });
      return nodeAffinity === undefined ? [] : [[metadata?.name ?? '', nodeAffinity] as const];
    }),
  );
  const volumes = new Map(
    PersistentVolumeClaim.map(({ metadata, ...claim }) => [
      `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`,
      valueAt(claim, ['spec', 'volumeName']),
    ]),
  );
  return ({ metadata, ...pod }) => {
    const list = valueAt(pod, ['spec', 'volumes']);
    return (Array.isArray(list) ? list : []).flatMap((one) => {
      const claim = valueAt(one, ['persistentVolumeClaim', 'claimName']);
      const volume = typeof claim === 'string' ? volumes.get(`${metadata?.namespace ?? ''}/${claim}`) : undefined;
      const own = typeof volume === 'string' ? terms.get(volume) : undefined;
      return own === undefined ? [] : [own];
    });
  };
}
