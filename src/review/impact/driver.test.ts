import { describe, expect, it } from '@jest/globals';
import { clusterText, policyText, type Files } from '../../../test/golden/compile.js';
import { diffOf, sideOf } from '../../../test/review/sides.js';
import { diffCluster, type ObjectDiff } from '../diff/diff.js';
import { nodeSentences } from '../diff/node-messages.js';
import { poolRows } from '../diff/pool-messages.js';
import { readNodes } from '../../cluster/pools/nodes.js';

/** Drivers whose two sides are compiled from configurations, as `weft diff` compares them. */

const pool = (name: string, rest: string) =>
  `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: ${name}}, ${rest}}\n`;
const cluster = (pools: string, more = '') => clusterText(`  release: v26.4\n  nodePools:\n${pools}${more}`);
const driverSection = (version = '25.10-1.2.8.0-2', more = '') =>
  `  ofedDriver: {version: ${version}, upgradePolicy: {autoUpgrade: true, drain: {enable: true}}${more}}\n`;
const policy = (text = driverSection()) => policyText('NicClusterPolicy', 'nic-cluster-policy', text);
const nodePolicy = (name: string, selected: string, text = driverSection()) =>
  policyText('NicNodePolicy', name, `  nodeSelector: {pool: ${selected}}\n${text}`);
const patch = (value: string) =>
  `  patches: [{target: {kind: DaemonSet, labelSelector: nvidia.com/ofed-driver}, patch: ${value}}]\n`;

/** Pools of two architectures. */
const MIXED = (amd: string, arm: string) =>
  pool('amd', `kernels: [${amd}]`) + pool('arm', `kernels: [${arm}]`).replace('arch: amd64', 'arch: arm64');
const H100 = (kernels: string) => cluster(pool('h100', `kernels: [${kernels}]`));

const RENAMED =
  /^pool `h100` at kernel `k[12]`: the companion drains the nodes, and they get driver `[^`]*` of `mofed-[^`]*`$/;

type Expected = Partial<ObjectDiff> & { readonly note?: RegExp; readonly noNote?: RegExp };

const table: readonly {
  readonly name: string;
  readonly old: Files;
  readonly next: Files;
  /** Those of driver DaemonSets, the worst first. */
  readonly expected: readonly Expected[];
  /** Names of all pools that are named. */
  readonly pools: readonly string[];
}[] = [
  {
    name: 'one replaced kernel of an amd64 pool, beside an arm64 pool',
    old: { c: cluster(MIXED('k1, k2', 'k8, k9')), p: policy() },
    next: { c: cluster(MIXED('k1, k3', 'k8, k9')), p: policy() },
    expected: [
      {
        impact: 'driver-loss',
        change: 'removed',
        pools: ['amd'],
        mover: 'none',
        note: /^pool `amd` at kernel `k2`: the nodes keep driver.*no driver DaemonSet is for kernel k2\n.*\n.*\na kernel that nodes still run/,
      },
      { impact: 'add', change: 'added', pools: ['amd'] },
    ],
    pools: ['amd'],
  },
  {
    name: 'a kernel that goes, with two DaemonSets that were there before',
    old: { c: H100('k1, k2, k3'), p: policy() },
    next: { c: H100('k1, k2'), p: policy() },
    expected: [
      {
        impact: 'driver-loss',
        pools: ['h100'],
        note: /^pool `h100`: the nodes keep driver.*nothing upgrades it; no driver DaemonSet is for kernel k3/,
      },
    ],
    pools: ['h100'],
  },
  {
    name: 'a renamed NicNodePolicy with two kernels',
    old: { c: H100('k1, k2'), p: nodePolicy('first', 'h100') },
    next: { c: H100('k1, k2'), p: nodePolicy('second', 'h100') },
    expected: [
      { impact: 'drain', change: 'removed', note: RENAMED },
      { impact: 'drain', change: 'removed', note: RENAMED },
      { impact: 'add' },
      { impact: 'add' },
    ],
    pools: ['h100'],
  },
  {
    name: 'another version of the driver for one of two policies',
    old: {
      c: cluster(pool('a', 'kernel: k1') + pool('b', 'kernel: k1')),
      p: nodePolicy('pa', 'a'),
      q: nodePolicy('pb', 'b'),
    },
    next: {
      c: cluster(pool('a', 'kernel: k1') + pool('b', 'kernel: k1')),
      p: nodePolicy('pa', 'a', driverSection('25.07-0.9.7.0-0')),
      q: nodePolicy('pb', 'b'),
    },
    expected: [{ impact: 'drain', change: 'changed', pools: ['a'], poolsAtOnce: [], mover: 'companion' }],
    pools: ['a'],
  },
  {
    name: 'the time that a pod has to end',
    old: { c: H100('k1'), p: policy() },
    next: { c: H100('k1'), p: policy(driverSection(undefined, ', terminationGracePeriodSeconds: 77')) },
    expected: [{ impact: 'restart', pools: [], note: /installs the same: no node is drained/ }],
    pools: [],
  },
  {
    name: 'the init container alone',
    old: { c: H100('k1'), p: policy() },
    next: {
      c: cluster(pool('h100', 'kernels: [k1]'), '  driver: {initContainerImage: "r.example/init:2"}\n'),
      p: policy(),
    },
    expected: [{ impact: 'restart', pools: [], note: /installs the same: no node is drained/ }],
    pools: [],
  },
  {
    name: 'every pool with another architecture',
    old: { c: H100('k1'), p: policy() },
    next: { c: H100('k1').replace('arch: amd64', 'arch: arm64'), p: policy() },
    expected: [
      {
        impact: 'driver-loss',
        change: 'changed',
        pools: ['h100'],
        note: /^pool `h100` at kernel `k1` as it was: the nodes keep driver.*nothing upgrades it; no driver DaemonSet is for amd64\n/,
      },
    ],
    pools: ['h100'],
  },
  {
    name: 'a section that is gone',
    old: { c: H100('k1'), p: policy(driverSection() + '  nicFeatureDiscovery: {}\n') },
    next: { c: H100('k1'), p: policy('  nicFeatureDiscovery: {}\n') },
    expected: [
      {
        impact: 'driver-loss',
        isKept: true,
        mover: 'none',
        pools: ['h100'],
        note: /^pool `h100`: the nodes keep driver.*; no policy installs a driver\nstays in the cluster.*\n.*ServiceAccount.* kept as well.*\n.*\nto take the driver off these nodes: /,
        noNote: /autoUpgrade/,
      },
    ],
    pools: ['h100'],
  },
  {
    name: 'a section that moves to another policy',
    old: { c: H100('k1'), p: policy() },
    next: { c: H100('k1'), p: nodePolicy('mine', 'h100') },
    expected: [
      {
        impact: 'drain',
        mover: 'companion',
        note: /^pool `h100`: the companion drains the nodes, and they get driver/,
      },
      { impact: 'add' },
    ],
    pools: ['h100'],
  },
  {
    name: 'a pool that has another name',
    old: { c: cluster(pool('h100', 'kernel: k1')), p: policy() },
    next: { c: cluster(pool('h200', 'kernel: k1').replace('pool: h200', 'pool: h100')), p: policy() },
    expected: [],
    pools: [],
  },
  {
    name: 'a new pool for a DaemonSet that is there',
    old: { c: cluster(pool('a', 'kernel: k1')), p: policy() },
    next: { c: cluster(pool('a', 'kernel: k1') + pool('b', 'kernel: k1')), p: policy() },
    expected: [],
    pools: ['b'],
  },
  {
    name: 'a patched node selector',
    old: { c: cluster(pool('a', 'kernel: k1') + pool('b', 'kernel: k1')), p: policy() },
    next: {
      c: cluster(
        pool('a', 'kernel: k1') + pool('b', 'kernel: k1'),
        patch('{spec: {template: {spec: {nodeSelector: {pool: a}}}}}'),
      ),
      p: policy(),
    },
    expected: [
      {
        impact: 'driver-loss',
        pools: ['b'],
        poolsAtOnce: ['b'],
        note: /^pool `b`: no driver at the end; its pod is deleted when this is applied.*selects pool=a/,
      },
    ],
    pools: ['b'],
  },
  {
    name: 'kernels in place of one DaemonSet for all',
    old: { c: cluster(pool('a', '').replace(', }', '}')), p: policy() },
    next: { c: cluster(pool('a', 'kernels: [k1, k2]')), p: policy() },
    expected: [
      {
        impact: 'driver-loss',
        pools: ['a'],
        note: /^pool `a` at other kernels: the nodes keep driver.*no driver DaemonSet is for other kernels\npool `a` at kernel `k1`: the companion drains.*; but nodes of the pool that no driver.*all of them wait\npool `a` at kernel `k2`: the companion/,
      },
      { impact: 'add' },
      { impact: 'add' },
    ],
    pools: ['a'],
  },
  {
    name: 'a namespace',
    old: { c: H100('k1'), p: policy() },
    next: { c: cluster(pool('h100', 'kernels: [k1]'), '  namespace: other\n'), p: policy() },
    expected: [
      { impact: 'driver-loss', note: /^pool `h100`: the nodes keep driver.*namespace only.*second driver pod/ },
      { impact: 'add' },
    ],
    pools: ['h100'],
  },
];

function withoutNotes(expected: Expected): Partial<ObjectDiff> {
  const keys = Object.keys(expected).filter((key) => key !== 'note' && key !== 'noNote') as (keyof ObjectDiff)[];
  return Object.fromEntries(keys.map((key) => [key, expected[key]]));
}

describe('what a change does to drivers on nodes', () => {
  it.each(table)('$name', ({ old, next, expected, pools }) => {
    const diff = diffOf(old, next);
    const found = diff.objects.filter(({ kind, name }) => kind === 'DaemonSet' && name.startsWith('mofed-'));
    expect(found).toMatchObject(expected.map(withoutNotes));
    expect(found).toHaveLength(expected.length);
    for (const [index, { note = /(?:)/, noNote = /^\0/ }] of expected.entries()) {
      const text = found[index]?.notes.join('\n') ?? '';
      expect(text).toMatch(note);
      expect(text).not.toMatch(noNote);
    }
    expect(diff.pools.map((one) => one.pool)).toEqual(pools);
  });

  it('names the successor of the same kernel for a renamed NicNodePolicy', () => {
    const files = (name: string) => ({ c: H100('k1, k2'), p: nodePolicy(name, 'h100') });
    const { nodes } = diffOf(files('first'), files('second'));
    const hashOf = (text = '') => /mofed-ubuntu24\.04-(\w+)-/.exec(text)?.[1];
    expect(nodes).toHaveLength(2);
    for (const { before, after } of nodes) expect(hashOf(after?.daemonSet)).toBe(hashOf(before?.daemonSet));
  });

  it('keeps what the pods of a driver need that stays', () => {
    const { objects } = diffOf(
      { c: H100('k1'), p: policy(driverSection() + '  nicFeatureDiscovery: {}\n') },
      { c: H100('k1'), p: policy('  nicFeatureDiscovery: {}\n') },
    );
    const gone = objects
      .filter(({ change, name }) => change === 'removed' && !name.includes('weft-companion'))
      .map(({ kind, isKept }) => [kind, isKept]);
    expect(gone).toEqual([
      ['DaemonSet', true],
      ['ClusterRole', true],
      ['ClusterRoleBinding', true],
      ['ConfigMap', true],
      ['NodeFeatureRule', true],
      ['ServiceAccount', true],
    ]);
  });

  it('says what an uninstall does', () => {
    const gone = cluster(pool('h100', 'kernels: [k1]'), '  driver: {uninstall: true}\n');
    const diff = diffOf({ c: H100('k1'), p: policy() }, { c: gone, p: policy() });
    expect(diff.objects[0]).toMatchObject({ impact: 'driver-loss', mover: 'companion', pools: ['h100'] });
    expect(
      nodeSentences(diff, (name) => name)
        .map(({ text }) => text)
        .slice(0, 2),
    ).toEqual([
      'pool h100: no driver at the end; the companion drains the nodes and uninstalls it',
      'companion: the driver is uninstalled, node by node',
    ]);
  });

  it('does not guess the pools of an old side that does not say them', () => {
    const { objects } = sideOf({ c: H100('k1, k2'), p: policy() });
    const next = sideOf({ c: H100('k1'), p: policy(driverSection('25.07-0.9.7.0-0')) });
    const diff = diffCluster({ name: 'east', old: { objects }, next });
    const drivers = diff.objects.filter(({ kind, name }) => kind === 'DaemonSet' && name.startsWith('mofed'));
    expect(drivers.map(({ change, impact, pools }) => [change, impact, pools]).sort()).toEqual([
      ['changed', 'drain', ['h100']],
      ['removed', 'driver-loss', []],
    ]);
    expect(diff.pools).toEqual([]);
    expect(nodeSentences(diff, (name) => name)[0]?.text).toMatch(
      /^nodes of nvidia-network-operator\/mofed-.*: the nodes keep driver/,
    );
  });

  it('tells other settings of the input: autoUpgrade and the gate', () => {
    const off = policy('  ofedDriver: {version: 25.10-1.2.8.0-2}\n');
    const label = cluster(pool('h100', 'kernels: [k1]'), '  driver: {gate: label}\n');
    expect(diffOf({ c: H100('k1'), p: off }, { c: label, p: policy() }).notes).toEqual([
      'the driver gate: ready-file -> label',
    ]);
  });
});

describe('pools of both sides', () => {
  const node = (name: string, labels: Readonly<Record<string, string>>) => ({
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'feature.node.kubernetes.io/pci-15b3.present': 'true',
        'feature.node.kubernetes.io/system-os_release.ID': 'ubuntu',
        'feature.node.kubernetes.io/system-os_release.VERSION_ID': '24.04',
        'kubernetes.io/arch': 'amd64',
        ...labels,
      },
    },
  });
  const at = (pool: string, kernel: string) => ({ pool, 'feature.node.kubernetes.io/kernel-version.full': kernel });
  const read = readNodes({
    kind: 'List',
    items: [
      node('a1', at('a', 'k1')),
      node('a2', at('a', 'k1')),
      node('a3', at('a', 'k2')),
      node('b1', at('b', 'k1')),
      node('other', { ...at('a', 'k1'), 'kubernetes.io/arch': 'arm64' }),
    ],
  });
  const nodes = 'nodes' in read ? read.nodes : [];

  it('say DaemonSet, image and kernel, and how many nodes there are', () => {
    const old = { c: cluster(pool('a', 'kernels: [k1, k2]') + pool('b', 'kernel: k1')), p: policy() };
    const next = { c: cluster(pool('a', 'kernels: [k1, k3]') + pool('b', 'kernel: k1')), p: policy() };
    const diff = diffOf(old, next, nodes);
    expect(diff.pools).toMatchObject([
      {
        pool: 'a',
        before: [
          { kernel: 'k1', nodes: 2 },
          { kernel: 'k2', nodes: 1, image: expect.stringContaining('doca-driver:') as unknown },
        ],
        after: [
          { kernel: 'k1', nodes: 2 },
          { kernel: 'k3', nodes: 0 },
        ],
      },
    ]);
    expect(poolRows(diff.pools, (name) => name)).toEqual([
      {
        ...{ pool: 'a', kernel: 'k2', after: 'no DaemonSet', nodes: 1, impact: 'driver-loss' },
        before: expect.stringMatching(/^25.10-1.2.8.0-2 of mofed-ubuntu24.04-\w+-ds$/) as unknown,
      },
      {
        ...{ pool: 'a', kernel: 'k3', before: 'no DaemonSet', nodes: 0, impact: 'add' },
        after: expect.stringMatching(/^25.10-1.2.8.0-2 of mofed-ubuntu24.04-\w+-ds$/) as unknown,
      },
    ]);
    expect(
      nodeSentences(diff, (name) => name)
        .map(({ text }) => text)
        .slice(0, 2),
    ).toEqual([
      'pool a at kernel k2 (1 node): the nodes keep driver 25.10-1.2.8.0-2, and nothing upgrades it; no driver DaemonSet is for kernel k2',
      'pool a at kernel k3 (0 nodes): the nodes have no driver, and get driver 25.10-1.2.8.0-2',
    ]);
  });

  it('count the nodes of a pool whose taints keep no driver away', () => {
    const taints = 'taints: [{key: nvidia.com/gpu, effect: NoSchedule}, {key: soft, effect: PreferNoSchedule}]';
    const files = (version: string) => ({
      c: cluster(pool('b', `kernel: k1, ${taints}`)),
      p: policy(driverSection(version)),
    });
    const { pools } = diffOf(files('25.10-1.2.8.0-2'), files('25.07-0.9.7.0-0'), nodes);
    expect(pools.flatMap(({ after }) => after.map(({ nodes: count }) => count))).toEqual([1]);
  });

  it('say what stays the same', () => {
    const files = (version: string) => ({ c: cluster(pool('a', 'kernel: k1')), p: policy(driverSection(version)) });
    const env = ', env: [{name: A, value: b}]';
    const next = { c: cluster(pool('a', 'kernel: k1')), p: policy(driverSection('25.10-1.2.8.0-2', env)) };
    const rows = poolRows(diffOf(files('25.10-1.2.8.0-2'), next).pools, (name) => name);
    expect(rows).toMatchObject([{ kernel: 'k1', after: 'the same version with other settings' }]);
  });
});
