import { allKeys } from '../../../../test/kit/snapshots.js';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWeft, withCluster } from '../../../../test/kit/run-weft.js';
import { ofed, ownGpu, policyFor } from '../../../../test/kit/shared-nodes.js';
import { node } from '../../../../test/kit/snapshots.js';
import { MAINTENANCE_OPERATOR_POD_SELECTOR } from '../../../shared/contract/node-maintenance.js';
import { withUnreadMaintenances } from './maintenances.js';

const KEYS = allKeys('ofed');
const POLICY = {
  ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', nodeMaintenance: {} },
  drivers: [
    {
      ...{ kind: 'ofed', namespace: 'nvidia-network-operator' },
      ...{ daemonSetSelector: 'ofed', podSelector: 'ofed', containerName: 'mofed-container' },
      policies: [
        {
          name: 'NicClusterPolicy',
          upgradePolicy: { autoUpgrade: true },
          daemonSets: [{ name: 'mofed', digest: 'x' }],
        },
      ],
    },
  ],
};
const FORBIDDEN = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'nodemaintenances is forbidden' };
const list = (...items: readonly object[]) => ({ metadata: { resourceVersion: '9' }, items });

function nodeObject(name: string, state: string): object {
  const labels = { [KEYS.state]: state };
  const annotations = { [KEYS.requestorMode]: 'true', [KEYS.failure]: 'its driver took too long' };
  return { metadata: { name, uid: name, resourceVersion: '1', labels, annotations }, spec: {}, status: {} };
}

function clusterObjects(): Readonly<Record<string, object>> {
  const [label = '', component = ''] = MAINTENANCE_OPERATOR_POD_SELECTOR.split('=');
  const metadata = { namespace: 'maintenance', name: 'operator', uid: 'p', labels: { [label]: component } };
  const versions = [{ version: 'v1alpha1' }];
  return {
    '/apis': { groups: [{ name: 'maintenance.nvidia.com', versions, preferredVersion: versions[0] }] },
    '/apis/maintenance.nvidia.com/v1alpha1/namespaces/default/nodemaintenances': FORBIDDEN,
    '/api/v1/nodes': list(
      nodeObject('a', 'node-maintenance-required'),
      nodeObject('b', 'post-maintenance-required'),
      nodeObject('c', 'upgrade-failed'),
    ),
    '/api/v1/pods': list({ metadata, spec: { nodeName: 'a' }, status: { phase: 'Running' } }),
    '/api/v1/namespaces/nvidia-network-operator/configmaps/weft-companion-policy': {
      data: { 'policy.json': JSON.stringify(POLICY) },
    },
  };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
  writeFileSync(join(folder, 'cluster.json'), JSON.stringify(clusterObjects()));
});
afterEach(() => rmSync(folder, { recursive: true }));

const weft = async (...args: readonly string[]) =>
  (await runWeft(['upgrade', ...args], { cwd: folder, env: withCluster(join(folder, 'cluster.json')) })).stdout;

const REASON = 'its NodeMaintenance cannot be read: nodemaintenances is forbidden';

it('status names the missing right for nodes that the Maintenance Operator has, and not a missing kind', async () => {
  const text = await weft('status');
  expect(text).toMatch(new RegExp(`^a .* ${REASON}$`, 'm'));
  expect(text).toMatch(new RegExp(`^b .* ${REASON}$`, 'm'));
  expect(text).not.toMatch(/does not serve/);
  expect(text).not.toMatch(new RegExp(`^c .*${REASON}`, 'm'));
});

it('explain names it, and has no step that depends on the NodeMaintenance', async () => {
  expect(await weft('explain', 'b')).toContain(`What comes next\n  it waits (maintenance): ${REASON}\n\nRules`);
});

it('run --dry-run leaves out requests for these nodes', async () => {
  expect(await weft('run', '--dry-run')).toMatch(/^nothing to do now\n/);
});

it('keeps what other drivers of such a node wait for', () => {
  const wait = { state: 'drain-required', kind: 'evictions', message: 'pod db/pg-0', blockers: [] } as const;
  const waiting = [
    { ...wait, driver: 'ofed', node: 'n' },
    { ...wait, driver: 'gpu', node: 'n' },
  ];
  const decision = { actions: [], waiting, findings: [], daemonSetLookups: [], counts: [] };
  const nodes = [node('n', { state: 'drain-required', annotations: { [KEYS.requestorMode]: 'true' } })];
  const found = withUnreadMaintenances(decision, nodes, policyFor([ofed(), ownGpu()]), 'it is forbidden');
  expect(found.waiting.map(({ driver, message }) => [driver, message])).toEqual([
    ['gpu', 'pod db/pg-0'],
    ['ofed', 'its NodeMaintenance cannot be read: it is forbidden'],
  ]);
});
