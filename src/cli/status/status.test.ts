import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';
import { serve, servedCluster, servedOfed, type ServedObjects } from '../../../test/kit/served-cluster.js';
import { ownGpu } from '../../../test/kit/shared-nodes.js';

const NAMESPACE = 'nvidia-network-operator';
const listOf = (...items: readonly object[]) => ({ metadata: { resourceVersion: '1' }, items });

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-status-'));
  const labels = { 'nvidia.network-operator.state': 'state-multus-cni' };
  const daemonSet = {
    metadata: { name: 'kube-multus-ds', namespace: NAMESPACE, labels },
    spec: { template: {} },
    status: { desiredNumberScheduled: 2, numberAvailable: 2, updatedNumberScheduled: 2 },
  };
  const resources = [{ name: 'daemonsets', kind: 'DaemonSet', namespaced: true }];
  const none = { resources: [] };
  const node = { 'feature.node.kubernetes.io/pci-15b3.present': 'true' };
  const cluster = {
    ...{ '/api/v1': none, '/apis/batch/v1': none, '/apis/rbac.authorization.k8s.io/v1': none },
    '/apis/apps/v1': { resources },
    [`/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets`]: listOf(daemonSet),
    '/api/v1/nodes': listOf({ metadata: { name: 'a', labels: node } }),
  };
  writeFileSync(join(root, 'live.json'), JSON.stringify(cluster));
});
afterEach(() => rmSync(root, { recursive: true }));

function writeDocument(name: string, context: string): void {
  mkdirSync(join(root, 'clusters', name), { recursive: true });
  const spec = `{access: {context: ${context}}, nodePools: []}`;
  const text = `apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
  writeFileSync(join(root, 'clusters', name, 'cluster.yaml'), text);
}

async function weft(args: string) {
  return runWeft(args.split(' '), {
    cwd: root,
    env: withCluster(join(root, 'live.json')),
  });
}

describe('weft status', () => {
  it('says how a cluster without documents is, also in the form of the operator', async () => {
    const { stdout, exit } = await weft('status --context east');
    expect(stdout).toMatch(/^east: ready \(context east, https:\/\/east\.example\.com:6443\)\n/);
    expect(stdout).toMatch(/^state-multus-cni +ready +2\/2 +0\/1/m);
    expect(exit).toBe(0);
    const { stdout: yaml } = await weft('status -o yaml');
    expect(yaml).toContain('kind: NicClusterPolicy\n');
    expect(yaml).toMatch(/appliedStates:\n +- name: state-multus-cni\n +state: ready\n/);
  });

  it('shows several clusters in one table, and goes on where one cannot be reached', async () => {
    writeDocument('east', 'east');
    writeDocument('west', 'west');
    const { stdout, exit } = await weft('status');
    expect(stdout).toMatch(/^CLUSTER +STATE/);
    expect(stdout).toMatch(/^east +notReady .* 1 remove, 1 add +state-multus-cni, 1 node is not covered$/m);
    expect(stdout).toMatch(/^west +unknown .*context "west" does not exist/m);
    expect(exit).toBe(1);
    const json = JSON.parse((await weft('status east -o json')).stdout) as object;
    expect(json).toMatchObject({ clusters: [{ name: 'east', isReady: false, differs: { remove: 1 } }] });
  });

  it('asks for one of several clusters that would be the same', async () => {
    writeDocument('east', 'east');
    writeDocument('west', 'east');
    const { stderr, exit } = await weft('status east west --context east');
    expect(stderr).toContain('name the folder of its input as an argument');
    expect(exit).toBe(2);
  });

  it('ends with an error where the only cluster cannot be reached', async () => {
    const { stderr, exit } = await weft('status --context nowhere');
    expect([exit, stderr.includes('error[WEFT0391]')]).toEqual([2, true]);
  });
});

describe('a node with several drivers', () => {
  const none = { resources: [] };
  const ofMultus = {
    namespace: NAMESPACE,
    name: 'multus',
    labels: { 'nvidia.network-operator.state': 'state-multus-cni' },
  };
  const counts = { desiredNumberScheduled: 1, numberAvailable: 1, updatedNumberScheduled: 1 };
  const DISCOVERY: ServedObjects = {
    ...{ '/api/v1': none, '/apis/batch/v1': none, '/apis/rbac.authorization.k8s.io/v1': none },
    '/apis/apps/v1': { resources: [{ name: 'daemonsets', kind: 'DaemonSet', namespaced: true }] },
    [`/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets`]: listOf({ metadata: ofMultus, spec: {}, status: counts }),
  };
  const states = { ofed: 'upgrade-failed', gpu: 'upgrade-done' };

  it('has a line for each, and is not ready where one failed', async () => {
    const cluster = servedCluster([servedOfed(), ownGpu()], { a: { states, ofed: 'old' } }, DISCOVERY);
    const { stdout, exit } = await serve(root, cluster).weft('status');
    expect(stdout).toMatch(/^a +- +ofed +old → new +- +upgrade-failed /m);
    expect(stdout).toMatch(/^a +- +gpu +new +- +upgrade-done /m);
    expect(exit).toBe(1);
  });

  it('is not ready by its labels either, where no companion is applied', async () => {
    const cluster = servedCluster([], { a: { states: { gpu: 'upgrade-done', ofed: 'upgrade-failed' } } }, DISCOVERY);
    const objects = Object.fromEntries(Object.entries(cluster).filter(([path]) => !path.includes('/configmaps/')));
    const { stdout, exit } = await serve(root, objects).weft('status');
    expect(stdout).toMatch(/^a +- +ofed .* upgrade-failed /m);
    expect(exit).toBe(1);
  });

  it('has no name of a driver where the policy has one', async () => {
    const cluster = servedCluster([servedOfed()], { a: { states: { ofed: 'upgrade-done' } } }, DISCOVERY);
    const { stdout, exit } = await serve(root, cluster).weft('status');
    expect(stdout).toMatch(/^NODES +POOL +DRIVER +GATE +UPGRADE +WAITS FOR\na +- +new +- +upgrade-done +-$/m);
    expect(exit).toBe(0);
  });
});
