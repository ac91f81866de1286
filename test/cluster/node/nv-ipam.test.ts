import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LiveObject } from '../bed/api-client.js';
import { applyOrder } from '../bed/apply-order.js';
import { applyAll } from '../bed/apply-set.js';
import { runGuideBlock, guideBlocks } from '../bed/guide-shell.js';
import { until } from '../bed/guarded-process.js';
import { folderOf } from '../bed/test-bed.js';
import { cniFiles, isListedInGuide, REMOVAL_GUIDE, REMOVAL_IMAGE } from '../node-bed/cni-files.js';
import {
  addressOf,
  allowNetworkPods,
  connectNodes,
  deletePod,
  FABRIC,
  nameOf,
  networkImages,
  networkPod,
  NIC_LABELS,
  runNetworkPod,
  untilComponentsReady,
  untilEvent,
} from '../node-bed/network-node.js';
import { startNodeBed, untilPod, type NodeBed, type PodStatus } from '../node-bed/node-bed.js';
import type { RealNode } from '../node-bed/node.js';
import { hasNvIpam, isPool, untilAllocated } from '../node-bed/nv-ipam.js';
import { isReady, NAMESPACE, nodeOf, podsOf } from '../simulated/fleet.js';
import { KERNEL, synthesizedFiles } from '../upgrade-bed/companion-input.js';

const document = (kind: string, name: string, spec: object, apiVersion = 'mellanox.com/v1alpha1') => ({
  ...{ apiVersion, kind, metadata: { name } },
  spec,
});
const macvlan = (name: string, ipam: object) =>
  document('MacvlanNetwork', name, { master: FABRIC, mtu: 9000, ipam: { type: 'nv-ipam', ...ipam } });
const POOLS = 'nv-ipam.nvidia.com/v1alpha1';

const documents = (nvIpam: object) => [
  document(
    'Cluster',
    'real',
    {
      release: 'v26.7',
      nodeFeatureDiscovery: { rules: false },
      nodePools: [{ name: 'real', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernel: KERNEL }],
    },
    'weft.dev/v1alpha1',
  ),
  document('NicClusterPolicy', 'nic-cluster-policy', {
    nvIpam,
    secondaryNetwork: { multus: {}, cniPlugins: {} },
  }),
  document(
    'IPPool',
    'rail',
    {
      ...{ subnet: '192.168.80.0/24', perNodeBlockSize: 16, gateway: '192.168.80.254' },
      exclusions: [{ startIP: '192.168.80.1', endIP: '192.168.80.4' }],
      routes: [{ dst: '10.97.0.0/16' }],
    },
    POOLS,
  ),
  document('IPPool', 'tiny', { subnet: '192.168.81.0/24', perNodeBlockSize: 1 }, POOLS),
  document(
    'CIDRPool',
    'cells',
    {
      ...{ cidr: '192.168.96.0/24', perNodeNetworkPrefix: 28, gatewayIndex: 1 },
      perNodeExclusions: [{ startIndex: 2, endIndex: 3 }],
      routes: [{ dst: '192.168.96.0/24' }],
    },
    POOLS,
  ),
  macvlan('rail', { poolName: 'rail' }),
  macvlan('tiny', {}),
  macvlan('cells', { poolName: 'cells', poolType: 'cidrpool' }),
];

function render(nvIpam: object): Promise<readonly LiveObject[]> {
  const input = folderOf('nv-ipam-input');
  mkdirSync(input, { recursive: true });
  const files = documents(nvIpam).map((text, index) => [`${index}.yaml`, JSON.stringify(text)] as const);
  return synthesizedFiles(input, Object.fromEntries(files));
}

let bed: NodeBed;
let one: RealNode;
let other: RealNode;
let objects: readonly LiveObject[];

function rendered(from: readonly LiveObject[], kind: string, name?: string): LiveObject {
  const found = from.find((object) => object.kind === kind && (name ?? object.metadata.name) === object.metadata.name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

/** The operator's affinity names a label that is deprecated, about which the API server warns. */
const WARNING = /^Deployment .*: warning: .*node-role\.kubernetes\.io\/master is use/;

async function applyWithoutProblems(given: readonly LiveObject[]): Promise<void> {
  const { problems } = await applyAll(bed.controlPlane.client, applyOrder('Argo CD', given));
  expect(problems.filter((problem) => !WARNING.test(problem))).toEqual([]);
}

const inPod = (node: RealNode, pod: LiveObject, ...command: readonly string[]) =>
  node.exec(nameOf(pod.metadata), 'shell', ...command);
const ping = (node: RealNode, pod: LiveObject, address: string, ...more: readonly string[]) =>
  inPod(node, pod, 'ping', '-c', '2', '-W', '5', ...more, address);

/** Connects to an address and a port. */
const CONNECT = `
const [host, port] = process.argv.slice(1);
require('node:net').connect({ host, port }).on('connect', () => process.exit(0));
`;

(hasNvIpam() ? describe : describe.skip)('NV-IPAM', () => {
  beforeAll(async () => {
    objects = await render({});
    const images = { ...networkImages(objects), removal: { names: [REMOVAL_IMAGE] } };
    bed = await startNodeBed('nv-ipam', { count: 2, labels: NIC_LABELS, images });
    const [first, second] = bed.nodes;
    if (first === undefined || second === undefined) throw new Error('two nodes are needed');
    [one, other] = [first, second];
    await connectNodes(one, other);
    await allowNetworkPods(bed);
    await applyWithoutProblems(objects.filter((object) => !isPool(object)));
    await untilComponentsReady(bed, 4);
    await applyWithoutProblems(objects.filter(isPool));
  });
  afterAll(() => bed.stop());

  it('pods get addresses of the part of an IPPool that their node has, and reach each other', async () => {
    expect(await untilAllocated(bed, rendered(objects, 'IPPool', 'rail'))).toEqual({
      [one.name]: { startIP: '192.168.80.1', endIP: '192.168.80.16' },
      [other.name]: { startIP: '192.168.80.17', endIP: '192.168.80.32' },
    });
    const a = await runNetworkPod(bed, { name: 'rail-a', node: one.name, networks: 'rail' });
    const b = await runNetworkPod(bed, { name: 'rail-b', node: other.name, networks: 'rail' });
    expect([addressOf(a), addressOf(b)]).toEqual(['192.168.80.5', '192.168.80.17']);
    expect(await ping(one, a, addressOf(b), '-s', '8000')).toContain('2 packets received');
    expect(await ping(other, b, addressOf(a))).toContain('2 packets received');
    expect(await inPod(one, a, 'ip', 'addr', 'show', 'net1')).toContain('inet 192.168.80.5/24');
    expect(await inPod(one, a, 'ip', 'route')).toContain('10.97.0.0/16 via 192.168.80.254 dev net1');
  });

  it('an address in use lasts over a restart of the DaemonSet, and is free when its pod is gone', async () => {
    await untilAllocated(bed, rendered(objects, 'IPPool', 'tiny'));
    const first = await runNetworkPod(bed, { name: 'tiny-1', node: one.name, networks: 'tiny' });
    expect(addressOf(first)).toBe('192.168.81.1');
    const isOfNode = (pod: LiveObject) => pod.metadata.name.startsWith('nv-ipam-node-') && nodeOf(pod) === one.name;
    const { client } = bed.controlPlane;
    const before = (await podsOf(client)).find(isOfNode);
    await client.delete({ apiVersion: 'v1', kind: 'Pod', ...before } as LiveObject);
    await until('the next pod of the DaemonSet is ready', async () =>
      (await podsOf(client)).find((pod) => isOfNode(pod) && isReady(pod) && pod.metadata.uid !== before?.metadata.uid),
    );
    await client.create(networkPod({ name: 'tiny-2', node: one.name, networks: 'tiny' }));
    await untilEvent(bed, nameOf({ name: 'tiny-2' }), /network "tiny".*no free addresses in the pool "tiny"/);
    await deletePod(bed, 'tiny-1');
    const isRunning = ({ phase }: { readonly phase?: string }) => phase === 'Running';
    const second = await untilPod(bed.controlPlane, nameOf({ name: 'tiny-2' }), 'runs', isRunning, 120);
    expect(addressOf(second)).toBe('192.168.81.1');
  });

  it('a CIDRPool gives each node a network of its own, with its gateway', async () => {
    expect(await untilAllocated(bed, rendered(objects, 'CIDRPool'))).toEqual({
      [one.name]: { prefix: '192.168.96.0/28', gateway: '192.168.96.1' },
      [other.name]: { prefix: '192.168.96.16/28', gateway: '192.168.96.17' },
    });
    const a = await runNetworkPod(bed, { name: 'cells-a', node: one.name, networks: 'cells' });
    const b = await runNetworkPod(bed, { name: 'cells-b', node: one.name, networks: 'cells' });
    const c = await runNetworkPod(bed, { name: 'cells-c', node: other.name, networks: 'cells' });
    expect([a, b, c].map((pod) => addressOf(pod))).toEqual(['192.168.96.4', '192.168.96.5', '192.168.96.20']);
    expect(await ping(one, a, addressOf(b))).toContain('2 packets received');
    expect(await inPod(other, c, 'ip', 'addr', 'show', 'net1')).toContain('inet 192.168.96.20/28');
    expect(await inPod(other, c, 'ip', 'route')).toContain('192.168.96.0/24 via 192.168.96.17 dev net1');
  });

  it('with `enableWebhook` the controller runs, but does not serve the webhook', async () => {
    const { client, certificate } = bed.controlPlane;
    const withWebhook = await render({ enableWebhook: true });
    const { secretName } = rendered(withWebhook, 'Certificate')['spec'] as { readonly secretName: string };
    const data = { 'tls.crt': certificate.certificate, 'tls.key': certificate.key };
    const secret = { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', stringData: data };
    await client.create({ ...secret, metadata: { name: secretName, namespace: NAMESPACE } });
    await applyWithoutProblems([rendered(withWebhook, 'Deployment')]);
    await bed.controlPlane.kubectl('rollout', 'status', '-n', NAMESPACE, 'deployment/nv-ipam-controller');
    const { ports } = rendered(withWebhook, 'Service')['spec'] as { readonly ports: readonly { targetPort: number }[] };
    const controllers = (await podsOf(client)).filter(
      ({ metadata }) => metadata.name.startsWith('nv-ipam-controller-') && metadata.deletionTimestamp === undefined,
    );
    expect(controllers).toHaveLength(2);
    for (const pod of controllers) {
      const node = nodeOf(pod) === one.name ? one : other;
      const address = (pod['status'] as PodStatus).podIP ?? '';
      const connect = (port: number) => node.run(process.execPath, '-e', CONNECT, address, String(port));
      await connect(8081);
      await expect(connect(ports[0]?.targetPort ?? 0)).rejects.toThrow('ECONNREFUSED');
    }
  });

  it('what it leaves on a node is what the guide lists, and its step removes it', async () => {
    const { client } = bed.controlPlane;
    for (const { metadata } of await podsOf(client, 'default')) await deletePod(bed, metadata.name);
    const isOfNvIpam = ({ metadata }: LiveObject) =>
      metadata.labels?.['nvidia.network-operator.state'] === 'state-nv-ipam-cni';
    for (const object of objects.filter(isOfNvIpam)) await client.delete(object);
    await until('its pods are gone', async () =>
      (await podsOf(client)).some(({ metadata }) => metadata.name.startsWith('nv-ipam')) ? undefined : true,
    );
    const left = () => cniFiles(one).filter((path) => path.includes('nv-ipam'));
    expect(left()).toContain('/var/log/nv-ipam-cni.log');
    expect(left().filter((path) => !isListedInGuide(path))).toEqual([]);
    for (const block of guideBlocks(REMOVAL_GUIDE, 'removal')) await runGuideBlock(bed.controlPlane, one.folder, block);
    expect(left()).toEqual([]);
  });
});
