import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../golden/compile.js';
import type { LiveObject } from './api-client.js';
import { applyAll } from './apply-set.js';
import type { ControlPlane } from './control-plane.js';
import { isDriver, NAMESPACE } from './fleet.js';
import { startGuarded, until, type GuardedProcess } from './guarded-process.js';
import { binaries, folderOf, startTestBed } from './test-bed.js';

/**
 * nfd-master of Node Feature Discovery labels nodes by the rule that is rendered, with the arguments, the configuration and the
 * rights that are rendered for it. NodeFeature objects are as nfd-worker writes them (node-feature-discovery v0.18.3,
 * pkg/nfd-worker/nfd-worker.go, updateNodeFeatureObject).
 */
const LABEL = 'feature.node.kubernetes.io/pci-15b3.present';

/** What the worker finds on each node. Class 08 is a DMA controller of a BlueField. */
const NODES: Readonly<Record<string, readonly { readonly vendor: string; readonly class: string }[]>> = {
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

/** Labels that the worker makes itself. */
const OWN_LABELS = {
  'feature.node.kubernetes.io/kernel-version.full': '6.8.0-31-generic',
  'feature.node.kubernetes.io/system-os_release.ID': 'ubuntu',
  'feature.node.kubernetes.io/system-os_release.VERSION_ID': '24.04',
};

const INPUT = {
  'cluster.yaml': clusterText(`  release: v26.7
  nodeFeatureDiscovery:
    deploy: true
    image: {repository: nvcr.io/nvstaging/mellanox/node-feature-discovery, tag: network-operator-v26.7.0-rc.1}
  nodePools:
${UBUNTU_POOL}`),
  'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n'),
};

function nodeFeature(node: string): LiveObject {
  const elements = (NODES[node] ?? []).map((attributes) => ({ attributes }));
  const features = { flags: {}, attributes: {}, instances: { 'pci.device': { elements } } };
  return {
    apiVersion: 'nfd.k8s-sigs.io/v1alpha1',
    kind: 'NodeFeature',
    metadata: {
      name: node,
      namespace: NAMESPACE,
      labels: { 'nfd.node.kubernetes.io/node-name': node },
      annotations: { 'nfd.node.kubernetes.io/worker.version': 'v0.18.3' },
    },
    spec: { features, labels: OWN_LABELS },
  };
}

/** The master adds to the labels and annotations that a kubelet and the node controller wrote, and fails where there are none. */
const nodeOf = (name: string): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name }, annotations: { 'node.alpha.kubernetes.io/ttl': '0' } },
});

interface MasterSpec {
  readonly template: {
    readonly spec: {
      readonly serviceAccountName: string;
      readonly containers: readonly { readonly args: readonly string[] }[];
    };
  };
}

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

  /** Waits until exactly these nodes have the label, and says the labels of each. */
  const untilLabelled = async (nodes: readonly string[]) =>
    until(
      `the nodes with the label are: ${nodes.join(', ')}`,
      async () => {
        const all = await Promise.all(Object.keys(NODES).map(async (node) => [node, await labelsOf(node)] as const));
        const labelled = all.filter(([, labels]) => labels[LABEL] === 'true').map(([node]) => node);
        const areRead = all.every(([, labels]) => Object.keys(OWN_LABELS).every((key) => labels[key] !== undefined));
        return areRead && labelled.join() === nodes.join() ? Object.fromEntries(all) : undefined;
      },
      TIMEOUT_SECONDS,
    );

  /** A kubeconfig with the rights of an account of the output. */
  async function kubeconfigOf(account: string, folder: string): Promise<string> {
    const { body } = await controlPlane.client.ask(
      'POST',
      `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    );
    const { token } = body['status'] as { readonly token: string };
    const server = `https://127.0.0.1:${controlPlane.port}`;
    const authority = Buffer.from(controlPlane.certificate.certificate).toString('base64');
    const path = join(folder, 'kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': authority } }],
      users: [{ name: 'test', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      'current-context': 'test',
    };
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  async function startMaster(): Promise<GuardedProcess> {
    const folder = folderOf('nfd-master');
    mkdirSync(folder, { recursive: true });
    const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && /-master$/.test(metadata.name));
    const { template } = deployment?.['spec'] as MasterSpec;
    const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && /-master-conf$/.test(metadata.name));
    const data = config?.['data'] as Readonly<Record<string, string>>;
    writeFileSync(join(folder, 'nfd-master.conf'), data['nfd-master.conf'] ?? '');
    const args = (template.spec.containers[0]?.args ?? []).filter((arg) => !arg.startsWith('-port='));
    return startGuarded(
      'nfd-master',
      'env',
      [
        `KUBERNETES_NAMESPACE=${NAMESPACE}`,
        // The node that its pod would be on.
        'NODE_NAME=no-nic',
        join(binaries().nfd, 'nfd-master'),
        `-kubeconfig=${await kubeconfigOf(template.spec.serviceAccountName, folder)}`,
        `-config=${join(folder, 'nfd-master.conf')}`,
        '-port=0',
        ...args,
      ],
      { logFile: join(folder, 'nfd-master.log'), workingDirectory: folder },
    );
  }

  beforeAll(async () => {
    controlPlane = await startTestBed('discovery', { hasControllers: false });
    const nodes = Object.keys(NODES).map(nodeOf);
    const { problems } = await applyAll(controlPlane.client, [...crds, ...objects, ...nodes]);
    expect(problems.filter((problem) => !problem.includes('node-role.kubernetes.io/master'))).toEqual([]);
    master = await startMaster();
    for (const node of Object.keys(NODES)) await controlPlane.client.create(nodeFeature(node));
  });
  afterAll(async () => {
    await master?.stop();
    await controlPlane.stop();
  });

  it('those with a NIC, and no others; the driver selects what they have then', async () => {
    const labels = await untilLabelled(WITH_NIC);
    const { template } = driver?.['spec'] as { template: { spec: { nodeSelector: Readonly<Record<string, string>> } } };
    expect(Object.keys(template.spec.nodeSelector)).toContain(LABEL);
    for (const node of WITH_NIC) expect(labels[node]).toMatchObject(template.spec.nodeSelector);
  });

  it('takes the label from all of them when the rule is removed, and gives it back with the rule', async () => {
    await controlPlane.client.delete(rule);
    await untilLabelled([]);
    await controlPlane.client.apply(rule, { manager: 'weft' });
    await untilLabelled(WITH_NIC);
  });

  it('takes all labels of a node whose NodeFeature is gone, which the pod and the DaemonSet of the worker own', async () => {
    await controlPlane.client.delete(nodeFeature('infiniband'));
    await until(
      'the labels are gone',
      async () =>
        Object.keys(await labelsOf('infiniband')).some((key) => key.startsWith('feature.node.kubernetes.io/'))
          ? undefined
          : true,
      TIMEOUT_SECONDS,
    );
    expect((await labelsOf('ethernet'))[LABEL]).toBe('true');
    expect(master?.isRunning()).toBe(true);
  });
});

function isDaemonSetOfDriver(object: LiveObject): boolean {
  if (object.kind !== 'DaemonSet') return false;
  const { template } = object['spec'] as { readonly template: LiveObject };
  return isDriver(template);
}
