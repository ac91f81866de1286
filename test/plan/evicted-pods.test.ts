import { expect, it } from '@jest/globals';
import { changed, planOf, withMetadata, withSpec, type Item } from './changed.js';
import { fleetOf, type Fleet } from './fleet.js';

/** Nodes with a pod of a StatefulSet each, which fits no node beside another one of them. */
function statefulSet(input: Parameters<typeof fleetOf>[0]): Fleet {
  const fleet = fleetOf({ podsPerNode: 1, ...input });
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
  const upgradePolicy = { maxParallelUpgrades: most };
  const plan = planOf(statefulSet({ nodes: 3, budget: { maxUnavailable: 1 }, upgradePolicy }));
  expect([plan.upgraded, plan.obstacles]).toEqual([3, []]);
});

it('a pod for each node, which fits no other one, does not make nodes wait for each other', () => {
  const plan = planOf(statefulSet({ nodes: 8, upgradePolicy: { maxParallelUpgrades: 4 } }));
  expect([plan.upgraded, plan.waves]).toEqual([8, 2]);
});
