import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';
import { forbidden } from '../../../test/kit/served-cluster.js';

const OWN = '/namespaces/nvidia-network-operator';
const SELECTOR = 'app=nvidia-driver-daemonset';
const POLICY = {
  ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy' },
  drivers: [
    {
      ...{ kind: 'gpu-operator', namespace: 'gpu', resourcePrefixes: ['nvidia.com/gpu'] },
      ...{ daemonSetSelector: SELECTOR, podSelector: SELECTOR, containerName: 'nvidia-driver-ctr' },
      policies: [{ name: 'gpu', upgradePolicy: { autoUpgrade: true } }],
    },
  ],
};
const list = (...items: readonly object[]) => ({ metadata: { resourceVersion: '9' }, items });
const group = (name: string, version: string) => ({
  ...{ name, versions: [{ version }], preferredVersion: { version } },
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function statusWith(objects: Readonly<Record<string, object>>): Promise<string> {
  const file = join(folder, 'cluster.json');
  const policy = { data: { 'policy.json': JSON.stringify(POLICY) } };
  writeFileSync(file, JSON.stringify({ [`/api/v1${OWN}/configmaps/weft-companion-policy`]: policy, ...objects }));
  const { stdout, stderr } = await runWeft(['upgrade', 'status'], { cwd: folder, env: withCluster(file) });
  return `${stdout}${stderr}`;
}

const SERVED = {
  '/apis': { groups: [group('nvidia.com', 'v1'), group('resource.k8s.io', 'v1')] },
  '/apis/nvidia.com/v1': { resources: [{ name: 'clusterpolicies', kind: 'ClusterPolicy', namespaced: false }] },
  '/apis/resource.k8s.io/v1/resourceclaims': list(),
};
const CLUSTER_POLICIES = '/apis/nvidia.com/v1/clusterpolicies';

it('says what the GPU operator would do by itself', async () => {
  const upgradePolicy = { autoUpgrade: true, maxUnavailable: '25%', podDeletion: {} };
  const clusterPolicy = { metadata: { name: 'cluster-policy' }, spec: { driver: { upgradePolicy } } };
  const text = await statusWith({ ...SERVED, [CLUSTER_POLICIES]: list(clusterPolicy) });
  expect(text).toContain('error: ClusterPolicy cluster-policy: driver.upgradePolicy.maxUnavailable is 25%');
});

it('says that there is no GPU operator', async () => {
  expect(await statusWith({ '/apis': { groups: [] } })).toContain(
    'no node becomes due: there is no ClusterPolicy with a driver and no NVIDIADriver',
  );
});

it('has the rest for users who may read neither its policies nor claims', async () => {
  const text = await statusWith({
    ...SERVED,
    [CLUSTER_POLICIES]: forbidden('clusterpolicies'),
    '/apis/resource.k8s.io/v1/resourceclaims': forbidden('resourceclaims'),
  });
  expect(text).toContain('0 of 0 nodes are done');
  expect(text).not.toContain('ClusterPolicy');
});
