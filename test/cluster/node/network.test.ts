import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { App, Chart, Duration } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { Cluster, MacvlanNetwork } from '../../../src/index.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyOrder } from '../bed/apply-order.js';
import { applyAll } from '../bed/apply-set.js';
import { until } from '../bed/guarded-process.js';
import { folderOf } from '../bed/test-bed.js';
import { applyRendered } from '../node-bed/driver-node.js';
import {
  addressOf,
  allowNetworkPods,
  connectNodes,
  deletePod,
  FABRIC,
  nameOf,
  networkImages,
  networkPod,
  networkStatus,
  NIC_LABELS,
  PCI_ADDRESS,
  PCI_DEVICE,
  PCI_FUNCTION,
  runNetworkPod,
  untilComponentsReady,
  untilEvent,
  WIRE_ADDRESS,
} from '../node-bed/network-node.js';
import { SHELL_IMAGE, startNodeBed, untilOffered, untilPod, type NodeBed } from '../node-bed/node-bed.js';
import type { RealNode } from '../node-bed/node.js';
import { isReady, nodeOf, podsOf } from '../simulated/fleet.js';
import { KERNEL, synthesizedFiles } from '../upgrade-bed/companion-input.js';

const document = (kind: string, name: string, spec: object) => ({
  apiVersion: 'mellanox.com/v1alpha1',
  kind,
  metadata: { name },
  spec,
});

const imageOf = (image: string) => ({
  image,
  repository: 'nvcr.io/nvidia/mellanox',
  version: 'network-operator-v26.7.0',
});

const macvlan = (name: string, spec: object) => document('MacvlanNetwork', name, { master: FABRIC, ...spec });

const DOCUMENTS = [
  {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'real' },
    spec: {
      // The first that has `metaPlugins`; its images of these components are not known.
      release: 'v26.10',
      nodeFeatureDiscovery: { rules: false },
      nodePools: [{ name: 'real', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernel: KERNEL }],
      whereabouts: { deploy: true, reconciler: { schedule: '* * * * *' } },
    },
  },
  document('NicClusterPolicy', 'nic-cluster-policy', {
    sriovDevicePlugin: {
      ...imageOf('sriov-network-device-plugin'),
      config: {
        resourceList: [
          { resourceName: 'hostdev', resourcePrefix: 'nvidia.com', selectors: { pciAddresses: [PCI_ADDRESS] } },
        ],
      },
    },
    secondaryNetwork: { multus: imageOf('multus-cni'), cniPlugins: imageOf('plugins') },
  }),
  macvlan('storage', {
    mode: 'bridge',
    mtu: 1400,
    ipam: {
      type: 'whereabouts',
      range: '192.168.50.0/28',
      exclude: ['192.168.50.0/30'],
      routes: [{ dst: '10.99.0.0/16', gw: '192.168.50.14' }],
    },
    metaPlugins: [{ type: 'tuning', sysctl: { 'net.ipv4.conf.IFNAME.arp_filter': '1' }, capabilities: { mac: true } }],
  }),
  macvlan('small', {
    ipam: { type: 'whereabouts', range: '192.168.51.0/29', range_start: '192.168.51.1', range_end: '192.168.51.2' },
  }),
  macvlan('single', {
    master: 'wire0',
    ipam: { type: 'whereabouts', range: '192.168.55.0/24', range_start: '192.168.55.1', range_end: '192.168.55.1' },
  }),
  macvlan('routed', {
    ipam: {
      type: 'host-local',
      ranges: [[{ subnet: '192.168.52.0/24', rangeStart: '192.168.52.10', gateway: '192.168.52.1' }]],
      routes: [{ dst: '10.98.0.0/16' }],
    },
    metaPlugins: [{ type: 'sbr' }],
  }),
  macvlan('limited', {
    ipam: { type: 'whereabouts', range: '192.168.53.0/24' },
    metaPlugins: [{ type: 'bandwidth', ingressRate: 1_000_000, ingressBurst: 1_000_000 }],
  }),
  document('HostDeviceNetwork', 'hostdev', {
    resourceName: 'hostdev',
    ipam: { type: 'static', addresses: [{ address: '192.168.60.10/24' }] },
    metaPlugins: '{"type":"tuning","mtu":1300}',
  }),
];

let bed: NodeBed;
let one: RealNode;
let other: RealNode;

beforeAll(async () => {
  const input = folderOf('network-input');
  mkdirSync(input, { recursive: true });
  const files = Object.fromEntries(DOCUMENTS.map((text, index) => [`${index}.yaml`, JSON.stringify(text)]));
  const objects = await synthesizedFiles(input, files);
  bed = await startNodeBed('network', {
    ...{ count: 2, labels: NIC_LABELS, devices: PCI_FUNCTION, images: networkImages(objects) },
  });
  const [first, second] = bed.nodes;
  if (first === undefined || second === undefined) throw new Error('two nodes are needed');
  [one, other] = [first, second];
  await connectNodes(one, other);
  await allowNetworkPods(bed);
  await applyRendered(bed, objects);
  await untilComponentsReady(bed, 4);
});
afterAll(() => bed.stop());

const inPod = (node: RealNode, pod: LiveObject, ...command: readonly string[]) =>
  node.exec(nameOf(pod.metadata), 'shell', ...command);
const ping = (node: RealNode, pod: LiveObject, address: string, ...more: readonly string[]) =>
  inPod(node, pod, 'ping', '-c', '2', '-W', '5', ...more, address);

it('pods of two nodes reach each other over a macvlan network, with MTU, routes, sysctls and addresses as written', async () => {
  const a = await runNetworkPod(bed, { name: 'storage-a', node: one.name, networks: 'storage' });
  const b = await runNetworkPod(bed, { name: 'storage-b', node: other.name, networks: 'storage' });
  expect([addressOf(a), addressOf(b)]).toEqual(['192.168.50.4', '192.168.50.5']);
  expect(networkStatus(a).name).toBe('default/storage');
  expect(await ping(one, a, addressOf(b))).toContain('2 packets received');
  expect(await ping(other, b, addressOf(a))).toContain('2 packets received');
  const link = await inPod(one, a, 'ip', 'addr', 'show', 'net1');
  expect(link).toContain('mtu 1400');
  expect(link).toContain('inet 192.168.50.4/28');
  expect(link).toContain(networkStatus(a).mac ?? 'no mac');
  expect(await inPod(one, a, 'ip', 'route')).toContain('10.99.0.0/16 via 192.168.50.14 dev net1');
  expect(await inPod(one, a, 'cat', '/proc/sys/net/ipv4/conf/net1/arp_filter')).toBe('1\n');
});

it('an address is given once over both nodes, and again when its pod is gone', async () => {
  const first = await runNetworkPod(bed, { name: 'small-1', node: one.name, networks: 'small' });
  const second = await runNetworkPod(bed, { name: 'small-2', node: other.name, networks: 'small' });
  expect([addressOf(first), addressOf(second)]).toEqual(['192.168.51.1', '192.168.51.2']);
  await bed.controlPlane.client.create(networkPod({ name: 'small-3', node: other.name, networks: 'small' }));
  await untilEvent(bed, nameOf({ name: 'small-3' }), /network "small".*192\.168\.51\./);
  await deletePod(bed, 'small-1');
  const third = await untilPod(
    bed.controlPlane,
    nameOf({ name: 'small-3' }),
    'runs',
    ({ phase }) => phase === 'Running',
    120,
  );
  expect(addressOf(third)).toBe('192.168.51.1');
});

it('a pod whose network does not exist has an event that names the network', async () => {
  await bed.controlPlane.client.create(networkPod({ name: 'lost', node: one.name, networks: 'storagee' }));
  const missing = /cannot find a network-attachment-definition \(storagee\) in namespace \(default\)/;
  await untilEvent(bed, nameOf({ name: 'lost' }), missing);
  await deletePod(bed, 'lost');
});

it('a network with bandwidth limits starts no pod: its interfaces have no veth end on the node', async () => {
  await bed.controlPlane.client.create(networkPod({ name: 'limited', node: one.name, networks: 'limited' }));
  await untilEvent(
    bed,
    nameOf({ name: 'limited' }),
    /network "limited": plugin type="bandwidth" failed.* no veth peer/,
  );
  await deletePod(bed, 'limited');
});

it('host-local gives addresses of a node, and sbr routes by them', async () => {
  const pod = await runNetworkPod(bed, { name: 'routed', node: one.name, networks: 'routed' });
  expect(addressOf(pod)).toBe('192.168.52.10');
  expect(await inPod(one, pod, 'ip', 'rule')).toContain('from 192.168.52.10 lookup 100');
  const routes = await inPod(one, pod, 'ip', 'route', 'show', 'table', '100');
  expect(routes).toContain('default via 192.168.52.1 dev net1');
  expect(routes).toContain('10.98.0.0/16 via 192.168.52.1 dev net1');
});

it('a HostDeviceNetwork moves the allocated device into the pod and back, with a static address', async () => {
  const resources = { 'nvidia.com/hostdev': '1' };
  await untilOffered(bed.controlPlane, one.name, Object.keys(resources));
  const pod = await runNetworkPod(bed, { name: 'hostdev', node: one.name, networks: 'hostdev', resources });
  const link = await inPod(one, pod, 'ip', 'addr', 'show', 'net1');
  expect(link).toContain('mtu 1300');
  expect(link).toContain('inet 192.168.60.10/24');
  expect(await ping(one, pod, WIRE_ADDRESS)).toContain('2 packets received');
  await expect(one.run('ip', 'link', 'show', PCI_DEVICE)).rejects.toThrow('does not exist');
  await deletePod(bed, 'hostdev');
  expect(await one.run('ip', 'link', 'show', PCI_DEVICE)).toContain(PCI_DEVICE);
});

/** Objects of a program: a network, a Deployment and a Pod that are attached to it. */
function programObjects(): readonly LiveObject[] {
  const chart = new Chart(new App(), 'program');
  const cluster = new Cluster(chart, 'real', { documents: DOCUMENTS.slice(0, 2) as never });
  const ipam = { type: 'whereabouts', range: '192.168.54.0/24' } as const;
  const metaPlugins = [{ type: 'tuning', capabilities: { mac: true } }];
  const network = new MacvlanNetwork(chart, 'rail', { cluster, master: FABRIC, mtu: 9000, ipam, metaPlugins });
  const container = {
    ...{ image: SHELL_IMAGE, imagePullPolicy: kplus.ImagePullPolicy.IF_NOT_PRESENT, command: ['sleep', '3600'] },
    ...{ resources: {}, securityContext: { user: 1000, group: 1000 } },
  };
  const terminationGracePeriod = Duration.seconds(1);
  const trainer = new kplus.Deployment(chart, 'trainer', {
    replicas: 2,
    containers: [container],
    terminationGracePeriod,
  });
  network.attachTo(trainer, { interface: 'rdma0' });
  const probe = new kplus.Pod(chart, 'probe', { containers: [container], terminationGracePeriod });
  network.attachTo(probe, { mac: '02:00:00:00:00:42' });
  const kinds = new Set(['NetworkAttachmentDefinition', 'Deployment', 'Pod']);
  return (chart.toJson() as readonly LiveObject[])
    .filter(({ kind }) => kinds.has(kind))
    .map((object) => ({ ...object, metadata: { namespace: 'default', ...object.metadata } }));
}

it('workloads of a program that `attachTo` attaches have the interface, the MAC address and the network', async () => {
  const { client } = bed.controlPlane;
  expect((await applyAll(client, applyOrder('Argo CD', programObjects()))).problems).toEqual([]);
  const trainers = await until('the pods of the program run', async () => {
    const pods = await client.list('/api/v1/namespaces/default/pods');
    const found = pods.filter(({ metadata }) => /^program-(?:trainer|probe)-/.test(metadata.name));
    return found.length === 3 && found.every(isReady)
      ? found.filter(({ metadata }) => metadata.name.includes('trainer'))
      : undefined;
  });
  const from = await runNetworkPod(bed, { name: 'rail', node: one.name, networks: 'rail' });
  for (const trainer of trainers) {
    expect(await ping(one, from, addressOf(trainer, 'rdma0'), '-s', '8000')).toContain('2 packets received');
  }
  const probe = (await client.list('/api/v1/namespaces/default/pods')).find(({ metadata }) =>
    metadata.name.startsWith('program-probe-'),
  );
  expect(probe && networkStatus(probe).mac).toBe('02:00:00:00:00:42');
});

it('the reconciler of whereabouts frees the address of a pod whose node is off', async () => {
  const { client } = bed.controlPlane;
  const pods = await podsOf(client);
  const reconciler = pods.find(({ metadata }) => metadata.name.startsWith('whereabouts-reconciler-'));
  if (reconciler === undefined) throw new Error('there is no reconciler');
  const [alive, dead] = nodeOf(reconciler) === one.name ? [one, other] : [other, one];
  const first = await runNetworkPod(bed, { name: 'single-1', node: dead.name, networks: 'single' });
  expect(addressOf(first)).toBe('192.168.55.1');
  await dead.powerOff();
  await client.ask('DELETE', '/api/v1/namespaces/default/pods/single-1', { gracePeriodSeconds: 0 });
  await client.create(networkPod({ name: 'single-2', node: alive.name, networks: 'single' }));
  await untilEvent(bed, nameOf({ name: 'single-2' }), /network "single".*192\.168\.55\./);
  const second = await untilPod(
    bed.controlPlane,
    nameOf({ name: 'single-2' }),
    'runs',
    ({ phase }) => phase === 'Running',
    150,
  );
  expect(addressOf(second)).toBe('192.168.55.1');
  const name = { namespace: reconciler.metadata.namespace ?? '', name: reconciler.metadata.name };
  expect(alive.logs(name, 'whereabouts-reconciler')).toContain('default/single-1');
});
