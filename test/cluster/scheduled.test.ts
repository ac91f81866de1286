import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText } from '../golden/compile.js';
import type { LiveObject } from './bed/api-client.js';
import { applyOrder } from './bed/apply-order.js';
import { applyAll, deleteAll } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import {
  driverFiles,
  isDriver,
  isReady,
  KERNEL_LABEL,
  NAMESPACE,
  nodeOf,
  nodesOf,
  ownerOf,
  podsOf,
  untilRolledOut,
  watchDriversPerNode,
  type FleetPool,
} from './simulated/fleet.js';
import { until } from './bed/guarded-process.js';
import { startKubelets, type PodBehaviour, type SimulatedKubelets } from './simulated/kubelets.js';
import { FOREIGN_CRDS } from './bed/foreign-crds.js';
import { seed, startTestBed } from './bed/test-bed.js';

const UBUNTU = { os: 'ubuntu', osVersion: '24.04' };
const OLD_KERNEL = '6.8.0-31-generic';
const NEW_KERNEL = '6.8.0-45-generic';
const STORAGE_TAINT = { key: 'example.com/storage', value: 'yes', effect: 'NoSchedule' };
const LOCKED_TAINT = { key: 'example.com/locked', effect: 'NoSchedule' };

/** The nodes of the cluster; the input names the first six as pools. */
const POOLS: readonly FleetPool[] = [
  { name: 'old-kernel', count: 3, ...UBUNTU, kernel: OLD_KERNEL },
  { name: 'new-kernel', count: 2, ...UBUNTU, kernel: NEW_KERNEL },
  { name: 'grace', count: 2, ...UBUNTU, kernel: OLD_KERNEL, arch: 'arm64' },
  { name: 'sles', count: 2, os: 'sles', osVersion: '15.7', kernel: '6.4.0-150700.53-default' },
  { name: 'storage', count: 2, os: 'rhel', osVersion: '9.4', kernel: '5.14.0-427.el9.x86_64', taints: [STORAGE_TAINT] },
  { name: 'locked', count: 1, os: 'rhel', osVersion: '8.10', kernel: '4.18.0-553.el8.x86_64', taints: [LOCKED_TAINT] },
  { name: 'unknown-kernel', count: 1, ...UBUNTU, kernel: '6.11.0-1-generic' },
  { name: 'no-nic', count: 1, ...UBUNTU, kernel: OLD_KERNEL, hasNic: false },
];
/** `<os><version>-<architecture>` ends the tag of the image, and the kernel is a label: which driver each pool must have. */
const DRIVER_OF_POOL: Readonly<Record<string, { readonly image: string; readonly kernel?: string }>> = {
  'old-kernel': { image: 'ubuntu24.04-amd64', kernel: OLD_KERNEL },
  'new-kernel': { image: 'ubuntu24.04-amd64', kernel: NEW_KERNEL },
  grace: { image: 'ubuntu24.04-arm64', kernel: OLD_KERNEL },
  // Its pool has no kernel: one DaemonSet serves all.
  sles: { image: 'sles15.7-amd64' },
  storage: { image: 'rhel9.4-amd64', kernel: '5.14.0-427.el9.x86_64' },
};

const CLUSTER = (gate: string, kernels: string) =>
  clusterText(`  release: v26.7
  driver: {gate: ${gate}}
  nodePools:
    - {name: ubuntu, osName: ubuntu, osVersion: "24.04", arch: amd64, ${kernels}}
    - {name: grace, osName: ubuntu, osVersion: "24.04", arch: arm64, kernel: ${OLD_KERNEL}}
    - {name: sles, osName: sles, osVersion: "15.7", arch: amd64}
    - name: storage
      osName: rhel
      osVersion: "9.4"
      arch: amd64
      kernel: 5.14.0-427.el9.x86_64
      taints: [{key: example.com/storage, value: "yes", effect: NoSchedule}]
    - name: locked
      osName: rhel
      osVersion: "8.10"
      arch: amd64
      kernel: 4.18.0-553.el8.x86_64
      taints: [{key: example.com/locked, effect: NoSchedule}]
`);
const BOTH_KERNELS = `kernels: [${OLD_KERNEL}, ${NEW_KERNEL}]`;
const POLICY = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  `  ofedDriver: {}
  rdmaSharedDevicePlugin: {}
  tolerations: [{key: example.com/storage, operator: Exists, effect: NoSchedule}]
`,
);

function manifests(gate: 'label' | 'ready-file', kernels = BOTH_KERNELS): readonly LiveObject[] {
  const { placed, diagnostics } = compile({ 'cluster.yaml': CLUSTER(gate, kernels), 'policy.yaml': POLICY });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return placed.map(({ object }) => object);
}

let controlPlane: ControlPlane;
let kubelets: SimulatedKubelets;
let behaviour: (pod: LiveObject) => PodBehaviour = () => ({ kind: 'ready' });
let applied: readonly LiveObject[] = [];

beforeAll(async () => {
  controlPlane = await startTestBed('scheduled');
  expect((await applyAll(controlPlane.client, FOREIGN_CRDS)).problems).toEqual([]);
});
afterAll(() => controlPlane.stop());

beforeEach(async () => {
  behaviour = () => ({ kind: 'ready' });
  kubelets = startKubelets(controlPlane.client, {
    seed: seed(),
    filesOf: driverFiles,
    behaviour: (pod) => behaviour(pod),
    // A driver unloads its modules before it ends, long enough that a second one could start meanwhile.
    ignoresTermination: isDriver,
    // Ten minutes of grace take three seconds.
    graceSpeed: 200,
  });
  for (const pool of POOLS) for (const node of nodesOf(pool)) await kubelets.addNode(node);
});
afterEach(async () => {
  const { client } = controlPlane;
  await deleteAll(client, applied);
  await until('the pods are gone', async () => ((await podsOf(client)).length === 0 ? true : undefined));
  kubelets.stop();
  for (const node of await client.list('/api/v1/nodes')) {
    await client.delete({ ...node, apiVersion: 'v1', kind: 'Node' });
  }
});

async function apply(objects: readonly LiveObject[]): Promise<void> {
  applied = [...applied, ...objects];
  const { problems } = await applyAll(controlPlane.client, applyOrder('Argo CD', objects));
  expect(problems).toEqual([]);
}

/** `<node> <end of the driver's image> <kernel of the pod's label>` of the nodes that must have a driver. */
function expectedDrivers(): readonly string[] {
  return POOLS.flatMap((pool) => {
    const driver = DRIVER_OF_POOL[pool.name];
    if (!driver) return [];
    return nodesOf(pool).map(({ name }) => `${name} ${driver.image} ${driver.kernel ?? 'any'}`);
  }).sort();
}

function describeDriver(pod: LiveObject): string {
  const { containers } = pod['spec'] as { containers: readonly { image: string }[] };
  const image = /-([a-z]+[\d.]+-[a-z0-9]+)$/.exec(containers[0]?.image ?? '')?.[1] ?? 'no image';
  return `${nodeOf(pod)} ${image} ${pod.metadata.labels?.['kernel'] ?? 'any'}`;
}

const nodesWith = (pods: readonly LiveObject[]) => pods.map(nodeOf).sort();
const driverNodes = () => expectedDrivers().map((line) => line.split(' ')[0] ?? '');

describe('scheduled', () => {
  it('gate ready-file: each driver is on exactly the nodes of its pool, and gated pods start where it is ready', async () => {
    const broken = 'old-kernel-1';
    behaviour = (pod) => ({ kind: isDriver(pod) && nodeOf(pod) === broken ? 'never-ready' : 'ready' });
    await apply(manifests('ready-file'));
    const isExpected = (pod: LiveObject) =>
      nodeOf(pod) !== '' && (isReady(pod) || !driverNodes().includes(nodeOf(pod)) || nodeOf(pod) === broken);
    const pods = await untilRolledOut(controlPlane.client, isExpected);
    const drivers = pods.filter(isDriver);
    expect(drivers.map(describeDriver).sort()).toEqual(expectedDrivers());
    const readyGated = pods.filter((pod) => !isDriver(pod) && isReady(pod));
    expect(nodesWith(readyGated)).toEqual(driverNodes().filter((name) => name !== broken));
  });

  it('gate label: gated pods are on exactly the nodes whose label says that the driver is loaded', async () => {
    const { client } = controlPlane;
    await apply(manifests('label'));
    await untilRolledOut(client, isReady);
    expect((await podsOf(client)).filter((pod) => !isDriver(pod))).toEqual([]);
    for (const name of driverNodes()) {
      const labels = { 'network.nvidia.com/operator.mofed.wait': 'false' };
      await client.ask('PATCH', `/api/v1/nodes/${name}`, { metadata: { labels } }, 'merge');
    }
    const pods = await until('the gated pods', async () => {
      const found = await untilRolledOut(client, isReady);
      return found.some((pod) => !isDriver(pod)) ? found : undefined;
    });
    expect(nodesWith(pods.filter((pod) => !isDriver(pod)))).toEqual(driverNodes());
  });

  it('a node that boots another kernel: never two drivers on it, and the one of the new kernel at the end', async () => {
    const { client } = controlPlane;
    const drivers = watchDriversPerNode(client);
    await apply(manifests('ready-file'));
    await untilRolledOut(client, (pod) => nodeOf(pod) !== '');
    const before = (await podsOf(client)).filter((pod) => isDriver(pod) && nodeOf(pod) === 'old-kernel-0');
    await client.ask(
      'PATCH',
      '/api/v1/nodes/old-kernel-0',
      { metadata: { labels: { [KERNEL_LABEL]: NEW_KERNEL } } },
      'merge',
    );
    const after = await until('the driver of the new kernel', async () => {
      const pods = (await podsOf(client)).filter((pod) => isDriver(pod) && nodeOf(pod) === 'old-kernel-0');
      return pods.length === 1 && pods[0]?.metadata.labels?.['kernel'] === NEW_KERNEL && isReady(pods[0])
        ? pods
        : undefined;
    });
    expect(before.map(ownerOf)).not.toEqual(after.map(ownerOf));
    expect(drivers.most()).toBe(1);
    drivers.stop();
  });

  it('two DaemonSets that select the same nodes, while a pool gets its kernels: one driver on each node', async () => {
    const { client } = controlPlane;
    const drivers = watchDriversPerNode(client);
    // Without a kernel one DaemonSet serves all; it is not pruned when the kernels are listed.
    await apply(manifests('ready-file', 'labels: {}'));
    const first = await untilRolledOut(client, (pod) => nodeOf(pod) !== '');
    const old = new Set(first.filter(isDriver).map(ownerOf));
    await apply(manifests('ready-file'));
    const waiting = await until('the new drivers wait', async () => {
      const pods = (await podsOf(client)).filter((pod) => isDriver(pod) && !old.has(ownerOf(pod)));
      return pods.length >= 5 ? pods : undefined;
    });
    expect(nodesWith(waiting).filter((name) => name !== '')).toEqual([]);
    // Like the companion when it retires a DaemonSet: it is deleted, its pods stay until their nodes are upgraded.
    const retired = [...old].find((name) => /^mofed-ubuntu24\.04-ds$/.test(name));
    expect(retired).toBeDefined();
    await client.delete(
      { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: retired ?? '', namespace: NAMESPACE } },
      { propagationPolicy: 'Orphan' },
    );
    const orphans = () => podsOf(client).then((pods) => pods.filter((pod) => isDriver(pod) && ownerOf(pod) === ''));
    await until('the pods are orphans', async () => ((await orphans()).length >= 6 ? true : undefined));
    for (const pod of await orphans()) await client.delete({ ...pod, apiVersion: 'v1', kind: 'Pod' });
    const pods = await untilRolledOut(
      client,
      (pod) => nodeOf(pod) !== '' && pod.metadata.deletionTimestamp === undefined,
    );
    expect(pods.filter(isDriver).map(describeDriver).sort()).toEqual(expectedDrivers());
    expect(drivers.most()).toBe(1);
    drivers.stop();
  });
});
