import { expect, it } from '@jest/globals';
import { changed, planOf, withMetadata, withSpec, type Item } from './changed.js';
import { fleetOf, type Fleet } from './fleet.js';

/** Three nodes with a pod of a StatefulSet each, which fits no node beside another one of them; one may be unavailable. */
function statefulSet(maxParallelUpgrades: number): Fleet {
  const budget = { maxUnavailable: 1 };
  const fleet = fleetOf({ nodes: 3, podsPerNode: 1, budget, upgradePolicy: { maxParallelUpgrades } });
  const made = changed(fleet, 'ReplicaSet', /^app-0$/, (set) => ({ ...set, kind: 'StatefulSet' }));
  const labelSelector = { matchLabels: { app: 'app-0' } };
  const apart = [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }];
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: apart } };
  return changed(made, 'Pod', /^app-0-pod-/, (pod) => withSpec(ofStatefulSet(pod), { affinity }));
}

function ofStatefulSet(pod: Item): Item {
  const { name, ownerReferences } = pod['metadata'] as { readonly name: string; readonly ownerReferences: object[] };
  const owners = ownerReferences.map((owner) => ({ ...owner, kind: 'StatefulSet' }));
  return withMetadata(pod, { name: name.replace('-pod', ''), ownerReferences: owners });
}

it.each([1, 2, 3])('pods of a StatefulSet with one apart on each node: all nodes are upgraded, %i at once', (most) => {
  const plan = planOf(statefulSet(most));
  expect([plan.upgraded, plan.obstacles]).toEqual([3, []]);
});
