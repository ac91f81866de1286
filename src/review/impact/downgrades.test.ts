import { expect, it } from '@jest/globals';
import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { diffOf } from '../../../test/review/sides.js';
import { poolRows } from '../diff/pool-messages.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { downgradeNotes } from './downgrades.js';

const workload = (...images: readonly string[]): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'a', namespace: 'ns' },
  spec: { template: { spec: { containers: images.map((image, index) => ({ name: `c${index}`, image })) } } },
});

it.each<readonly [before: string, after: string, isDowngrade: boolean]>([
  ['v4.2.0', 'v4.1.9', true],
  ['v1.10.0', 'v1.9.0', true],
  ['v1.9.0', 'v1.10.0', false],
  ['v1.10.0', 'v1.10.0', false],
  ['network-operator-v26.4.0', 'network-operator-v26.1.1', true],
  ['1.25.5-doca3.4.0-host', '1.25.5-doca3.3.0-host', true],
  ['v26.7.0', 'v26.7.0-rc.2', false],
  ['v26.7.0-rc.2', 'v26.7.0-rc.1', true],
  ['v26.7', 'v26.4.3', true],
  ['doca3.3.0-26.01-1.0.0.0-0-ubuntu24.04-amd64', '24.10-0.7.0.0-0-ubuntu24.04-amd64', true],
  ['1f2e3d4', '0a1b2c3', false],
  ['latest', 'v1.0.0', false],
])('%s to %s', (before, after, isDowngrade) => {
  const [from, to] = [workload(`nvcr.io/a/x:${before}`), workload(`mirror.corp/x:${after}`)];
  const notes = downgradeNotes({ kind: 'changed', from, to, fields: [] });
  expect(notes).toEqual(isDowngrade ? [`a downgrade: \`x\` ${after}, ${before} before`] : []);
});

const NEW = 'doca3.4.0-26.07-0.6.3.0-0';
const OLD = 'doca3.3.0-26.04-0.5.3.0-0';
const filesOf = (driver: string, autoUpgrade: boolean, multus: string) => ({
  'cluster.yaml': clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}`),
  'policy.yaml': policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ofedDriver: {version: ${driver}, upgradePolicy: {autoUpgrade: ${autoUpgrade}, drain: {enable: true}}}\n  secondaryNetwork: {multus: {version: ${multus}}}\n`,
  ),
});

it.each([true, false])('is named of every component and driver, with autoUpgrade: %s', (autoUpgrade) => {
  const { objects, pools } = diffOf(filesOf(NEW, autoUpgrade, 'v4.2.4'), filesOf(OLD, autoUpgrade, 'v4.2.3'));
  const sentences = objects.flatMap(({ notes }) => notes.filter((note) => note.includes('a downgrade')));
  expect(sentences).toHaveLength(2);
  expect(sentences).toContain('a downgrade: `multus-cni` v4.2.3, v4.2.4 before');
  expect(poolRows(pools, (name) => name)).toMatchObject([
    { after: expect.stringMatching(/^doca3.3.0-.*, a downgrade$/) },
  ]);
});
