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

/** A pod on each node; `kindOf` says what it is. */
type PodKind = 'slurmd' | 'local-volume' | 'whole-node-job' | 'stateless' | 'whole-node' | 'operated';

function mixedFleet(nodes: number, most: number, kindOf: (index: number) => PodKind): Fleet {
  const fleet = fleetOf({ nodes, podsPerNode: 1, upgradePolicy: { maxParallelUpgrades: most } });
  const volumes: Item[] = [];
  const made = changed(fleet, 'Pod', /-pod-/, (pod) => {
    const { name } = pod['metadata'] as { readonly name: string };
    const index = Number(name.replace(/.*-/, ''));
    const { nodeName } = pod['spec'] as { readonly nodeName: string };
    switch (kindOf(index)) {
      case 'slurmd':
        return withSpec(ownedBy(pod, 'NodeSet', `workers-${index % 4}`), {
          ...WHOLE_NODE,
          nodeSelector: { rack: `rack-${index % 4}` },
        });
      case 'local-volume':
      case 'operated': {
        volumes.push(...localVolume(`data-${index}`, nodeName));
        const claim = { name: 'data', persistentVolumeClaim: { claimName: `data-${index}` } };
        const owned =
          kindOf(index) === 'operated'
            ? ownedBy(pod, 'StrimziPodSet', 'kafka')
            : ownedBy(pod, 'StatefulSet', `db-${index}`);
        return withSpec(owned, { volumes: [claim] });
      }
      case 'whole-node-job':
        return withSpec(ownedBy(pod, 'Job', `train-${Math.floor(index / 2)}`), WHOLE_NODE);
      case 'whole-node':
        return withSpec(pod, WHOLE_NODE);
      case 'stateless':
        return pod;
    }
  });
  const snapshot = { items: [...made.snapshot.items, ...volumes] };
  const status = { allocatable: { cpu: '64', memory: '256Gi', pods: '10', ...GPUS }, conditions: [] };
  return changed({ ...made, snapshot }, 'Node', /./, (node) => ({ ...node, status }));
}

/** All GPUs of a node. */
const GPUS = { 'nvidia.com/gpu': '8' };
const WHOLE_NODE = { containers: [{ name: 'main', resources: { requests: GPUS } }] };

function ownedBy(pod: Item, kind: string, name: string): Item {
  return withMetadata(pod, {
    ownerReferences: [{ apiVersion: 'v1', kind, name, uid: `uid-${name}`, controller: true }],
  });
}

/** A claim with a volume that one node has. */
function localVolume(name: string, node: string): readonly Item[] {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchExpressions }] };
  return [
    { kind: 'PersistentVolume', metadata: { name }, spec: { nodeAffinity: { required } } },
    { kind: 'PersistentVolumeClaim', metadata: { name, namespace: 'apps' }, spec: { volumeName: name } },
  ];
}

/** By the rack of the node. */
const MIXED = ['slurmd', 'local-volume', 'whole-node-job', 'stateless'] as const;

it.each<{ readonly name: string; readonly kindOf: (index: number) => PodKind }>([
  { name: 'a slurmd for each node', kindOf: () => 'slurmd' },
  { name: 'local volumes on all nodes', kindOf: () => 'local-volume' },
  { name: 'local volumes on half of the nodes', kindOf: (index) => (index % 2 === 0 ? 'local-volume' : 'stateless') },
  { name: 'jobs of two whole nodes', kindOf: () => 'whole-node-job' },
  { name: 'some of each', kindOf: (index) => MIXED[index % 4] ?? 'slurmd' },
])('pods that no other node would take do not make nodes wait for each other: $name', ({ kindOf }) => {
  const plan = planOf(mixedFleet(8, 4, kindOf));
  expect([plan.upgraded, plan.waves]).toEqual([8, 2]);
});

it('pods that another node takes when it is free hold back other nodes', () => {
  const plan = planOf(mixedFleet(4, 4, () => 'whole-node'));
  expect([plan.upgraded, plan.waves]).toEqual([4, 4]);
});

it('a pod of a custom resource comes back to the node of its volume', () => {
  const plan = planOf(mixedFleet(6, 3, () => 'operated'));
  expect([plan.upgraded, plan.waves, plan.obstacles]).toEqual([6, 2, []]);
  expect(Math.max(...plan.podsWithoutNode.map(({ pods }) => pods))).toBe(3);
});
