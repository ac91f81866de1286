import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../golden/compile.js';
import type { LiveObject } from './bed/api-client.js';
import { applyAll } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import { NIC_LABEL, nodeFeature, startMaster, WORKER_LABELS, type PciDevice } from './bed/discovery-master.js';
import { isDriver } from './simulated/fleet.js';
import { until, type GuardedProcess } from './bed/guarded-process.js';
import { startTestBed } from './bed/test-bed.js';

/**
 * nfd-master of Node Feature Discovery labels nodes by the rendered rule, with its rendered arguments, configuration and
 * rights.
 */

/** The devices that the worker finds on each node. Class 08 is a DMA controller of a BlueField. */
const NODES: Readonly<Record<string, readonly PciDevice[]>> = {
  ethernet: [
    { vendor: '8086', class: '0200' },
    { vendor: '15b3', class: '0200' },
  ],
  infiniband: [{ vendor: '15b3', class: '0207' }],
  'other-vendor': [{ vendor: '8086', class: '0200' }],
  'no-nic': [{ vendor: '15b3', class: '0801' }],
};
const TIMEOUT_SECONDS = 60;
const WITH_NIC = ['ethernet', 'infiniband'];

const INPUT = {
  'cluster.yaml': clusterText(`  release: v26.7
  nodeFeatureDiscovery:
    deploy: true
    image: {repository: nvcr.io/nvstaging/mellanox/node-feature-discovery, tag: network-operator-v26.7.0-rc.1}
  nodePools:
${UBUNTU_POOL}`),
  'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n'),
};

/** The master adds to the labels and annotations that a kubelet and the node controller wrote, and fails if there are none. */
const nodeOf = (name: string): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name }, annotations: { 'node.alpha.kubernetes.io/ttl': '0' } },
});

describe('Node Feature Discovery labels nodes by the rule', () => {
  const { placed } = compile(INPUT);
  const objects: readonly LiveObject[] = placed
    .filter(({ folder, object }) => folder === 'node-feature-discovery' || object.kind === 'Namespace')
    .map(({ object }) => object);
  const crds: readonly LiveObject[] = placed
    .map(({ object }) => object)
    .filter(({ kind }) => kind === 'CustomResourceDefinition');
  const rule = objects.find(({ kind }) => kind === 'NodeFeatureRule') as LiveObject;
  const driver = placed.map(({ object }) => object).find((object) => isDaemonSetOfDriver(object));
  let controlPlane: ControlPlane;
  let master: GuardedProcess | undefined;

  const labelsOf = async (node: string) =>
    (await controlPlane.client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name: node } }))?.metadata.labels ??
    {};

  /** Waits until exactly these nodes have the label, and returns the labels of each. */
  const untilLabelled = async (nodes: readonly string[]) =>
    until(
      `the nodes with the label are: ${nodes.join(', ')}`,
      async () => {
        const all = await Promise.all(Object.keys(NODES).map(async (node) => [node, await labelsOf(node)] as const));
        const labelled = all.filter(([, labels]) => labels[NIC_LABEL] === 'true').map(([node]) => node);
        const areRead = all.every(([, labels]) => Object.keys(WORKER_LABELS).every((key) => labels[key] !== undefined));
        return areRead && labelled.join() === nodes.join() ? Object.fromEntries(all) : undefined;
      },
      TIMEOUT_SECONDS,
    );

  beforeAll(async () => {
    controlPlane = await startTestBed('discovery', { hasControllers: false });
    const nodes = Object.keys(NODES).map(nodeOf);
    const { problems } = await applyAll(controlPlane.client, [...crds, ...objects, ...nodes]);
    expect(problems.filter((problem) => !problem.includes('node-role.kubernetes.io/master'))).toEqual([]);
    master = await startMaster(controlPlane, objects, 'no-nic');
    for (const [node, devices] of Object.entries(NODES)) await controlPlane.client.create(nodeFeature(node, devices));
  });
  afterAll(async () => {
    await master?.stop();
    await controlPlane.stop();
  });

  it('those with a NIC, and no others; the driver selects what they have then', async () => {
    const labels = await untilLabelled(WITH_NIC);
    const { template } = driver?.['spec'] as { template: { spec: { nodeSelector: Readonly<Record<string, string>> } } };
    expect(Object.keys(template.spec.nodeSelector)).toContain(NIC_LABEL);
    for (const node of WITH_NIC) expect(labels[node]).toMatchObject(template.spec.nodeSelector);
  });

  it('takes the label from all of them when the rule is removed, and gives it back with the rule', async () => {
    await controlPlane.client.delete(rule);
    await untilLabelled([]);
    await controlPlane.client.apply(rule, { manager: 'weft' });
    await untilLabelled(WITH_NIC);
  });

  it('takes all labels of a node whose NodeFeature is gone, which the pod and the DaemonSet of the worker own', async () => {
    await controlPlane.client.delete(nodeFeature('infiniband', []));
    await until(
      'the labels are gone',
      async () =>
        Object.keys(await labelsOf('infiniband')).some((key) => key.startsWith('feature.node.kubernetes.io/'))
          ? undefined
          : true,
      TIMEOUT_SECONDS,
    );
    expect((await labelsOf('ethernet'))[NIC_LABEL]).toBe('true');
    expect(master?.isRunning()).toBe(true);
  });
});

function isDaemonSetOfDriver(object: LiveObject): boolean {
  if (object.kind !== 'DaemonSet') return false;
  const { template } = object['spec'] as { readonly template: LiveObject };
  return isDriver(template);
}
