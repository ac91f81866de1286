import { expect, it } from '@jest/globals';
import { upgradePolicySchema } from '../../../shared/contract/upgrade-policy.js';
import { schedulingOf } from '../rules/read-scheduling.js';
import { makeCluster, type SimulatedCluster } from '../simulated-cluster.js';
import { keyOf, type StoredNode, type StoredPod } from '../store.js';
import { makePod } from './pods.js';
import { startScheduler } from './scheduler.js';

const policy = upgradePolicySchema.parse({
  ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy' },
  drivers: [],
});

/** A cluster of nodes with 8 processors each. */
function clusterOf(...names: string[]): SimulatedCluster {
  const cluster = makeCluster(1, { faultRate: 0, lagMs: 0, podCapacity: Infinity }, policy);
  cluster.hasFaults = false;
  for (const name of names) cluster.store.nodes.put(name, nodeOf(name), 'setup');
  return cluster;
}

function nodeOf(name: string): StoredNode {
  const labels = { 'kubernetes.io/hostname': name };
  const base = { name, uid: name, labels, annotations: {}, taints: [], unschedulable: false, boots: 0 };
  return { ...base, ready: 'True', allocatable: { cpu: '8' }, resourceVersion: '' };
}

type Spec = Parameters<typeof schedulingOf>[0];
type Labels = Readonly<Record<string, string>>;
interface Given {
  readonly name: string;
  readonly cpu?: string;
  readonly spec?: Spec;
  readonly labels?: Labels;
  readonly nodeName?: string;
}

function add(cluster: SimulatedCluster, { name, cpu = '1', spec = {}, labels = {}, nodeName = '' }: Given): StoredPod {
  const containers = [{ resources: { requests: { cpu } }, ports: [] }];
  const scheduling = schedulingOf({ containers, ...spec }, labels, []);
  const lifecycle = { kind: 'workload' } as const;
  const pod = makePod(cluster, { namespace: 'apps', name, uid: name, labels, nodeName, lifecycle, scheduling });
  return cluster.store.pods.put(keyOf(pod), pod, 'setup');
}

/** Lets the scheduler do what is due; returns the nodes of pods by their names. */
function settle(cluster: SimulatedCluster): Readonly<Record<string, string>> {
  while (cluster.events.step(cluster.events.now() + 10_000));
  return Object.fromEntries([...cluster.store.pods.values()].map(({ name, nodeName }) => [name, nodeName]));
}

function change(cluster: SimulatedCluster, name: string, parts: Partial<StoredNode>): void {
  const node = cluster.store.nodes.get(name);
  if (node !== undefined) cluster.store.nodes.put(name, { ...node, ...parts }, 'admin');
}

function remove(cluster: SimulatedCluster, name: string): void {
  cluster.store.pods.remove(`apps/${name}`, 'admin');
}

it('thousands of pods that ask for the same and fit nowhere are one try, and few of them are written', () => {
  const cluster = clusterOf('a', 'b');
  for (const name of ['a', 'b']) add(cluster, { name: `old-${name}`, cpu: '6', nodeName: name });
  let reads = 0;
  const first = add(cluster, { name: 'w0', cpu: '4' });
  const { scheduling } = first;
  const counted = {
    ...scheduling,
    get hostPorts() {
      reads += 1;
      return [];
    },
  } as NonNullable<StoredPod['scheduling']>;
  for (let index = 0; index < 5_000; index += 1) {
    const name = `w${index}`;
    cluster.store.pods.put(`apps/${name}`, { ...first, name, uid: name, scheduling: counted }, 'setup');
  }
  startScheduler(cluster);
  settle(cluster);
  const before = { reads, version: cluster.store.version() };
  for (let index = 0; index < 100; index += 1) {
    change(cluster, 'a', { unschedulable: index % 2 === 0 });
    settle(cluster);
  }
  expect(reads - before.reads).toBeLessThan(1_000);
  expect(cluster.store.version() - before.version).toBeLessThan(20_000);
  expect(cluster.store.pods.get('apps/w7')).toMatchObject({ unschedulable: true, fitsEmptyNodes: 2 });
  // As many follow as there is room for.
  remove(cluster, 'old-a');
  const placed = Object.values(settle(cluster)).filter((node) => node === 'a');
  expect(placed).toHaveLength(2);
});

it.each<[string, (cluster: SimulatedCluster) => void, string]>([
  ['a node returns', (cluster) => change(cluster, 'b', { unschedulable: false }), 'b'],
  ['a taint goes', (cluster) => change(cluster, 'b', { unschedulable: false, taints: [] }), 'b'],
  ['a node is larger', (cluster) => change(cluster, 'a', { allocatable: { cpu: '16' } }), 'a'],
  ['a pod is gone', (cluster) => remove(cluster, 'old'), 'a'],
  [
    'a pod is finished',
    ({ store }) => {
      const old = store.pods.get('apps/old');
      if (old !== undefined) store.pods.put('apps/old', { ...old, phase: 'Succeeded' }, 'kubelet');
    },
    'a',
  ],
])('a pod that fits nowhere is tried again where %s', (_name, happens, expected) => {
  const cluster = clusterOf('a', 'b');
  add(cluster, { name: 'old', cpu: '8', nodeName: 'a' });
  change(cluster, 'b', { unschedulable: true });
  add(cluster, { name: 'new' });
  startScheduler(cluster);
  expect(settle(cluster)['new']).toBe('');
  happens(cluster);
  expect(settle(cluster)['new']).toBe(expected);
});

const HOSTNAME = 'kubernetes.io/hostname';
const repelled = (labelSelector: object): Spec => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOSTNAME, labelSelector }],
    },
  },
});

it('pods that ask for the same are tried each where another pod repels one of them by its labels', () => {
  const cluster = clusterOf('a');
  add(cluster, { name: 'old', spec: repelled({ matchLabels: { app: 'db' } }), nodeName: 'a' });
  const labels = [{ app: 'db' }, { app: 'web' }, { app: 'db' }, { app: 'web' }];
  labels.forEach((one, index) => add(cluster, { name: `new-${index}`, labels: one }));
  startScheduler(cluster);
  expect(settle(cluster)).toMatchObject({ 'new-0': '', 'new-1': 'a', 'new-2': '', 'new-3': 'a' });
  // One that comes later selects by another label.
  add(cluster, { name: 'late', spec: repelled({ matchLabels: { team: 'x' } }), nodeName: 'a' });
  add(cluster, { name: 'new-4', labels: { app: 'web', team: 'x' } });
  add(cluster, { name: 'new-5', labels: { app: 'web', team: 'y' } });
  expect(settle(cluster)).toMatchObject({ 'new-0': '', 'new-4': '', 'new-5': 'a' });
});

it('a pod that is spread is tried again where another one is bound', () => {
  const cluster = clusterOf('a', 'b');
  const spread = { maxSkew: 1, topologyKey: HOSTNAME, whenUnsatisfiable: 'DoNotSchedule' };
  const spec = { topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: { app: 'db' } } }] };
  const labels = { app: 'db' };
  add(cluster, { name: 'old', labels, nodeName: 'a' });
  change(cluster, 'b', { taints: [{ key: 'x', effect: 'NoSchedule' }] });
  add(cluster, { name: 'new', labels, spec });
  startScheduler(cluster);
  expect(settle(cluster)['new']).toBe('');
  const onB = { nodeSelector: { [HOSTNAME]: 'b' }, tolerations: [{ operator: 'Exists' }] };
  add(cluster, { name: 'other', labels, spec: onB });
  expect(settle(cluster)).toMatchObject({ other: 'b', new: 'a' });
});
