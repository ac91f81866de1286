import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readCase } from '../../conformance/recorded.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { guideBlocks, runGuideBlock } from '../bed/guide-shell.js';
import { recordedCase, recordedCrds } from '../bed/inputs.js';
import { until } from '../bed/guarded-process.js';
import { createAsOperator, createOwners, operatorDeployment } from '../bed/operator-made.js';
import { folderOf } from '../bed/test-bed.js';
import { cniFiles, isListedInGuide, REMOVAL_GUIDE, REMOVAL_IMAGE } from '../node-bed/cni-files.js';
import { weftIn } from '../bed/weft-command.js';
import {
  addressOf,
  allowNetworkPods,
  deletePod,
  nameOf,
  networkImages,
  runNetworkPod,
  untilComponentsReady,
} from '../node-bed/network-node.js';
import { startNodeBed, shellPod, untilPod, type NodeBed, type PodStatus } from '../node-bed/node-bed.js';
import type { RealNode } from '../node-bed/node.js';
import { NAMESPACE, podsOf } from '../simulated/fleet.js';

/** The master of the network. Its other end is on the node, too. */
const MASTER = 'ens2f0';
const DEVICES = `
ip link add ${MASTER} type veth peer name wire0
ip link set ${MASTER} up
ip link set wire0 up
`;
const IPAM = JSON.stringify({
  type: 'host-local',
  ranges: [[{ subnet: '192.168.70.0/24', rangeStart: '192.168.70.10' }]],
});
const NETWORK = {
  apiVersion: 'mellanox.com/v1alpha1',
  kind: 'MacvlanNetwork',
  metadata: { name: 'storage' },
  spec: { master: MASTER, mode: 'bridge', mtu: 1500, ipam: IPAM },
};
/** As the operator makes it: the text of its template. */
const ATTACHMENT = {
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: {
    name: 'storage',
    namespace: 'default',
    labels: { 'nvidia.network-operator.state': 'state-Macvlan-Network' },
  },
  spec: {
    config: `{ "cniVersion":"0.3.1", "name":"storage", "type":"macvlan","master": "${MASTER}","mode" : "bridge","mtu" : 1500,"ipam":${IPAM} } `,
  },
};
/** Cases that the operator was given: Multus and CNI plugins. */
const CASES = ['multus-resources', 'cni-plugins'];

let bed: NodeBed;
let node: RealNode;
let folder: string;
let installed: readonly string[];

/** The NicClusterPolicy with the sections of all cases. */
function policy(): LiveObject {
  const policies = CASES.map((name) => parse(readCase(name).files['policy.yaml'] ?? '') as LiveObject);
  const sections = policies.map(({ spec }) => (spec as { readonly secondaryNetwork: object }).secondaryNetwork);
  return { ...policies[0], spec: { secondaryNetwork: Object.assign({}, ...sections) as object } } as LiveObject;
}

/** Writes `clusters/east` into the folder. */
function writeInput(): void {
  const input = join(folder, 'clusters/east');
  mkdirSync(input, { recursive: true });
  writeFileSync(
    join(input, 'cluster.yaml'),
    (readCase('cni-plugins').files['cluster.yaml'] ?? '').replace('name: case', 'name: east'),
  );
  writeFileSync(join(input, 'policy.yaml'), JSON.stringify(policy()));
  writeFileSync(join(input, 'network.yaml'), JSON.stringify(NETWORK));
}

const isRunning = ({ phase }: PodStatus) => phase === 'Running';

beforeAll(async () => {
  folder = folderOf('takeover-work');
  writeInput();
  const recorded = CASES.flatMap((name) => recordedCase(name).objects);
  const images = {
    ...networkImages(recorded),
    busybox: { names: [REMOVAL_IMAGE] },
    operator: {
      names: ['nvcr.io/nvidia/cloud-native/network-operator:v26.10.0'],
      entrypoint: ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1; done'],
    },
  };
  bed = await startNodeBed('node-takeover', { devices: DEVICES, images });
  const [first] = bed.nodes;
  if (first === undefined) throw new Error('no node');
  node = first;
  const { client } = bed.controlPlane;
  // The cluster's own network leaves files, too.
  await client.create(shellPod('plain', node.name));
  await untilPod(bed.controlPlane, nameOf({ name: 'plain' }), 'runs', isRunning);
  installed = cniFiles(node);
  await allowNetworkPods(bed);
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
  };
  expect((await applyAll(client, [namespace, ...recordedCrds()], 'helm')).problems).toEqual([]);
  const owners = await createOwners(client, [policy(), NETWORK]);
  await client.create(operatorDeployment(), 'helm');
  const made = await createAsOperator(client, [...recorded, ATTACHMENT], owners);
  expect(made.refused).toEqual([]);
  await untilComponentsReady(bed, 2);
});
afterAll(() => bed.stop());

const inPod = (name: string, ...command: readonly string[]) => node.exec(nameOf({ name }), 'shell', ...command);

/** Each container with its id and restarts. */
async function containers(): Promise<readonly string[]> {
  const pods = [...(await podsOf(bed.controlPlane.client)), ...(await podsOf(bed.controlPlane.client, 'default'))];
  const ofComponents = pods.filter(
    ({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] !== 'network-operator',
  );
  return ofComponents
    .flatMap(({ metadata, status }) =>
      ((status as PodStatus).containerStatuses ?? []).map(
        ({ name, containerID, restartCount }) => `${metadata.name} ${name} ${containerID} ${restartCount}`,
      ),
    )
    .sort();
}

it('a takeover restarts no container and cuts no network of a pod', async () => {
  await runNetworkPod(bed, { name: 'a', node: node.name, networks: 'storage' });
  const b = await runNetworkPod(bed, { name: 'b', node: node.name, networks: 'storage' });
  await inPod('a', 'sh', '-c', `ping -i 0.2 ${addressOf(b)} > /tmp/ping 2>&1 &`);
  const before = await containers();
  expect(before).toHaveLength(5);

  const input = join(folder, 'clusters/east');
  expect(await weftIn(bed.controlPlane, 'takeover', input)).toMatchObject({ exit: 0 });

  const { client } = bed.controlPlane;
  expect((await client.send('GET', '/apis/mellanox.com/v1alpha1/nicclusterpolicies')).status).toBe(404);
  const taken = await Promise.all(
    [...CASES.flatMap((name) => recordedCase(name).objects), ATTACHMENT].map((object) => client.get(object)),
  );
  expect(taken.map((object) => object?.metadata.ownerReferences)).toEqual(taken.map(() => undefined));
  expect(await containers()).toEqual(before);
  await inPod('a', 'killall', '-INT', 'ping');
  const numbers = [...(await inPod('a', 'cat', '/tmp/ping')).matchAll(/seq=(\d+)/g)].map(([, seq]) => Number(seq));
  expect(numbers).toEqual(numbers.map((_, at) => at));
  // When ping ended, the answer to the last packet may have been under way.
  const sent = Number(/(\d+) packets transmitted/.exec(await inPod('a', 'tail', '-n', '2', '/tmp/ping'))?.[1]);
  expect(sent - numbers.length).toBeLessThanOrEqual(1);
  expect(sent).toBeGreaterThan(20);
});

/** Files that were not there before the components, but for those of pods that have the network of the cluster. */
const leftFiles = () =>
  cniFiles(node).filter(
    (file) => !installed.includes(file) && !/\/networks\/cluster\/|\/results\/(?:cluster|cni-loopback)-/.test(file),
  );

it('what Multus and the plugins leave on a node is what the guide lists, and its step removes it', async () => {
  const { client } = bed.controlPlane;
  await deletePod(bed, 'b');
  for (const object of CASES.flatMap((name) => recordedCase(name).objects)) await client.delete(object);
  await until('the pods of components are gone', async () => ((await podsOf(client)).length === 0 ? true : undefined));
  // A pod that outlives Multus keeps its network, and when it ends, its address is not free.
  expect(await inPod('a', 'ip', 'addr', 'show', 'net1')).toContain('inet 192.168.70.10/24');
  await deletePod(bed, 'a');
  const left = leftFiles();
  const ofNetwork = left.filter((file) => file.startsWith('/var/lib/cni/networks/storage/192.'));
  expect(ofNetwork).toEqual(['/var/lib/cni/networks/storage/192.168.70.10']);
  expect(left.length).toBeGreaterThan(12);
  expect(left.filter((file) => !isListedInGuide(file))).toEqual([]);
  expect(left).toContain('/etc/cni/net.d/multus.d/multus.kubeconfig');
  expect(left.filter((file) => file.includes('00-multus'))).toEqual([]);

  for (const block of guideBlocks(REMOVAL_GUIDE, 'removal')) await runGuideBlock(bed.controlPlane, folder, block);

  expect(leftFiles()).toEqual(['/opt/cni/bin/bandwidth', '/opt/cni/bin/tuning']);
});

it('a pod that starts while Multus does not run gets the network of the cluster only, and no error', async () => {
  const pod = await runNetworkPod(bed, { name: 'afterwards', node: node.name, networks: 'storage' });
  expect(pod.metadata.annotations?.['k8s.v1.cni.cncf.io/network-status']).toBeUndefined();
  const links = await inPod('afterwards', 'ip', '-o', 'link');
  expect(links).toContain('eth0');
  expect(links).not.toContain('net1');
});
