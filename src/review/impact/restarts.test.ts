import { describe, expect, it } from '@jest/globals';
import { clusterText, policyText, type Files } from '../../../test/golden/compile.js';
import { diffOf } from '../../../test/review/sides.js';
import { ARCH_LABEL, NFD_LABELS } from '../../shared/contract/labels.js';
import { nodeSentences } from '../diff/node-messages.js';
import { readNodes } from '../../cluster/pools/nodes.js';
import type { PodRestart } from './restarts.js';

interface Input {
  readonly gate?: string;
  readonly more?: string;
  readonly discovery?: string;
  readonly hcaMax?: number;
  readonly driver?: string;
  readonly settings?: string;
}

const filesOf = ({ gate = 'ready-file', more = '', discovery = 'v1', hcaMax = 1, ...rest }: Input): Files => ({
  'cluster.yaml': clusterText(
    '  release: v26.4\n  nodePools: [{name: a, osName: ubuntu, osVersion: "24.04", arch: amd64}]\n' +
      `  driver: {gate: ${gate}, initContainerImage: r.example/init:1}\n${more}`,
  ),
  'policy.yaml': policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ofedDriver: {version: ${rest.driver ?? '25.07-0.9.7.0-0'}, upgradePolicy: {autoUpgrade: true, ${rest.settings ?? 'drain: {}'}}}\n` +
      `  nicFeatureDiscovery: {version: ${discovery}}\n` +
      `  rdmaSharedDevicePlugin: {config: {configList: [{resourceName: a, rdmaHcaMax: ${hcaMax}, selectors: {vendors: [15b3]}}]}}\n`,
  ),
});

const LABELS = {
  [NFD_LABELS.nicPresent]: 'true',
  [NFD_LABELS.osName]: 'ubuntu',
  [NFD_LABELS.osVersion]: '24.04',
  [NFD_LABELS.kernel]: 'k1',
  [ARCH_LABEL]: 'amd64',
};
const read = readNodes({
  kind: 'NodeList',
  items: [{ metadata: { name: 'nic', labels: LABELS } }, { metadata: { name: 'plain' } }],
});
const nodes = 'nodes' in read ? read.nodes : [];

const NAMESPACE = 'nvidia-network-operator';
const plugin = (because: PodRestart['because']): PodRestart => {
  return { daemonSet: `${NAMESPACE}/rdma-shared-dp-ds`, because, nodes: ['nic'] };
};
const discovery: PodRestart = {
  ...{ daemonSet: `${NAMESPACE}/nic-feature-discovery-ds`, because: 'template' },
  nodes: ['nic', 'plain'],
};

describe('the pods that are made anew', () => {
  it.each<{
    readonly name: string;
    readonly old?: Input;
    readonly next: Input;
    readonly expected: readonly PodRestart[];
  }>([
    { name: 'of a template that changes, on all nodes', next: { discovery: 'v2' }, expected: [discovery] },
    { name: 'of a configuration that changes', next: { hcaMax: 2 }, expected: [plugin('template')] },
    { name: 'behind a driver that is replaced', next: { driver: '25.10-1.2.8.0-2' }, expected: [plugin('driver')] },
    {
      name: 'behind the label of the gate',
      old: { gate: 'label' },
      next: { gate: 'label', driver: '25.10-1.2.8.0-2' },
      expected: [plugin('driver')],
    },
    { name: 'of another gate', next: { gate: 'label' }, expected: [plugin('template')] },
    { name: 'none of a driver that stays', next: { settings: 'drain: {force: true}' }, expected: [] },
    {
      name: 'none while the companion is paused',
      next: { driver: '25.10-1.2.8.0-2', more: '  upgrade: {paused: true}\n' },
      expected: [],
    },
  ])('$name', ({ old = {}, next, expected }) => {
    expect(diffOf(filesOf(old), filesOf(next), nodes).restarts).toEqual(expected);
  });

  it('are named without nodes where these are not known', () => {
    const { restarts } = diffOf(filesOf({}), filesOf({ discovery: 'v2', driver: '25.10-1.2.8.0-2' }));
    expect(restarts).toEqual([
      { daemonSet: discovery.daemonSet, because: 'template' },
      { daemonSet: plugin('driver').daemonSet, because: 'driver' },
    ]);
  });
});

describe('what a drain leaves on its node', () => {
  it('is told where it evicts only some pods', () => {
    const diff = diffOf(
      filesOf({}),
      filesOf({ driver: '25.10-1.2.8.0-2', settings: 'drain: {podSelector: app=job}' }),
      nodes,
    );
    expect(diff.nodes).toMatchObject([{ step: 'drained', podSelector: 'app=job' }]);
    expect(nodeSentences(diff, (name) => name)[1]?.text).toMatch(
      /evicts only pods with `app=job`: others lose their NIC/,
    );
  });
});
