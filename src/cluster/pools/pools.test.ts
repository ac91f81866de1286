import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/kit/fast-check.js';
import { runsOf } from '../../../test/kit/shares.js';
import type { Config } from '../../compile/model/config.js';
import { loadYaml } from '../../compile/load/yaml/yaml.js';
import { resolve } from '../../compile/config/resolve.js';
import type { JsonValue } from '../../shared/lib/json.js';
import { toYaml } from '../../compile/render/yaml/yaml.js';
import { checkPools } from './check.js';
import { readNodes, type ClusterNode } from './nodes.js';
import type { NodePoolInput } from '../../compile/model/input.js';
import { poolsOf } from './pools.js';

const NIC = 'feature.node.kubernetes.io/pci-15b3.present';
const OS_NAME = 'feature.node.kubernetes.io/system-os_release.ID';
const OS_VERSION = 'feature.node.kubernetes.io/system-os_release.VERSION_ID';
const RHCOS = 'feature.node.kubernetes.io/system-os_release.OSTREE_VERSION';
const KERNEL = 'feature.node.kubernetes.io/kernel-version.full';
const ARCH = 'kubernetes.io/arch';

interface NodeOptions {
  /** An undefined value takes a default label away. */
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly taints?: readonly unknown[];
  readonly runtime?: string;
}

/** An Ubuntu node with a NIC, as the API server gives it. */
function nodeObject(name: string, { labels, taints, runtime = 'containerd://1.7.27' }: NodeOptions = {}) {
  const defaults = { [NIC]: 'true', [OS_NAME]: 'ubuntu', [OS_VERSION]: '24.04', [KERNEL]: 'k1', [ARCH]: 'amd64' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...defaults, ...labels } },
    spec: taints ? { taints } : {},
    status: { nodeInfo: { containerRuntimeVersion: runtime } },
  };
}

function nodesOf(...objects: readonly unknown[]): readonly ClusterNode[] {
  const read = readNodes({ apiVersion: 'v1', kind: 'List', items: objects });
  if ('problem' in read) throw new Error(read.problem);
  return read.nodes;
}

function configOf(
  pools: readonly unknown[],
  spec: Readonly<Record<string, unknown>> = {},
  documents: readonly unknown[] = [],
): Config {
  const cluster = {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east' },
    spec: { ...spec, nodePools: pools },
  };
  const text = [cluster, ...documents].map((document) => toYaml(document as JsonValue)).join('---\n');
  const { config, diagnostics } = resolve(loadYaml('cluster.yaml', text));
  // Labels of nodes may name an operating system that the release does not know, or a kernel of another one; these are warnings.
  const unexpected = diagnostics.filter(({ code }) => code !== 'WEFT0275' && code !== 'WEFT0326');
  if (!config || unexpected.length > 0) throw new Error(unexpected.map(({ message }) => message).join('\n'));
  return config;
}

const ubuntu = { name: 'ubuntu-24-04-amd64', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' } as const;
const rhcosLabels = { [OS_NAME]: 'rhcos', [OS_VERSION]: '4.17', [RHCOS]: '417.94.202501301529-0' };

describe('readNodes', () => {
  const problems = [
    { name: 'a number', input: 5, expected: 'it is not a list of nodes' },
    { name: 'a list', input: [], expected: 'it is not a list of nodes' },
    { name: 'another kind', input: { kind: 'Pod' }, expected: 'it is a Pod, not a list of nodes' },
    { name: 'no items', input: { kind: 'List' }, expected: 'the List has no `items`' },
    { name: 'pods', input: { kind: 'List', items: [{ kind: 'Pod' }] }, expected: 'item 0 is a Pod, not a Node' },
    { name: 'null', input: { kind: 'NodeList', items: [null] }, expected: 'item 0 is something else, not a Node' },
    { name: 'no name', input: { kind: 'Node', metadata: {} }, expected: 'item 0 is a Node without a name' },
  ];
  it.each(problems)('refuses $name', ({ input, expected }) => {
    expect(readNodes(input)).toEqual({ problem: expected });
  });

  it('reads a List, a NodeList whose items have no kind, and a Node', () => {
    const node = nodeObject('a');
    const { kind, ...bare } = node;
    expect(kind).toBe('Node');
    const expected = { nodes: nodesOf(node) };
    expect(readNodes({ kind: 'NodeList', items: [bare] })).toEqual(expected);
    expect(readNodes(node)).toEqual(expected);
    expect(expected.nodes[0]).toMatchObject({ name: 'a', taints: [], containerRuntime: 'containerd' });
  });

  it('leaves out taints that come and go and those that every driver pod tolerates', () => {
    const taints = [
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' },
      { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
      { key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' },
      { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
      { key: 'soft', effect: 'PreferNoSchedule' },
      { key: 'nvidia.com/gpu', effect: 'NoExecute' },
      { key: 'dedicated', value: 'hpc', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' },
      { key: 'dedicated', value: 'hpc', effect: 'NoSchedule' },
    ];
    expect(nodesOf(nodeObject('a', { taints }))[0]?.taints).toEqual([
      { key: 'dedicated', value: 'hpc', effect: 'NoSchedule' },
      { key: 'nvidia.com/gpu', effect: 'NoExecute' },
    ]);
  });
});

interface PoolsCase {
  readonly name: string;
  readonly input: readonly unknown[];
  readonly selectors?: readonly Readonly<Record<string, string>>[];
  readonly expected: readonly NodePoolInput[];
}

const poolCases: readonly PoolsCase[] = [
  { name: 'no nodes', input: [], expected: [] },
  {
    name: 'nodes without a NIC',
    input: [nodeObject('a', { labels: { [NIC]: undefined } }), nodeObject('b', { labels: { [NIC]: 'false' } })],
    expected: [],
  },
  {
    name: 'one kernel',
    input: [nodeObject('a'), nodeObject('b')],
    expected: [{ ...ubuntu, kernel: 'k1' }],
  },
  {
    name: 'several kernels in one pool',
    input: [nodeObject('a', { labels: { [KERNEL]: 'k2' } }), nodeObject('b'), nodeObject('c')],
    expected: [{ ...ubuntu, kernels: ['k1', 'k2'] }],
  },
  {
    name: 'two architectures and two versions',
    input: [
      nodeObject('a', { labels: { [ARCH]: 'arm64' } }),
      nodeObject('b'),
      nodeObject('c', { labels: { [OS_VERSION]: '22.04' } }),
    ],
    expected: [
      { ...ubuntu, name: 'ubuntu-22-04-amd64', osVersion: '22.04', kernel: 'k1' },
      { ...ubuntu, kernel: 'k1' },
      { ...ubuntu, name: 'ubuntu-24-04-arm64', arch: 'arm64', kernel: 'k1' },
    ],
  },
  {
    name: 'taints that differ, in any order',
    input: [
      nodeObject('a', { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] }),
      nodeObject('b', {
        taints: [
          { key: 'x', value: 'One', effect: 'NoExecute' },
          { key: 'y', effect: 'NoSchedule' },
        ],
      }),
      nodeObject('c', {
        taints: [
          { key: 'y', effect: 'NoSchedule' },
          { key: 'x', value: 'One', effect: 'NoExecute' },
        ],
      }),
      nodeObject('d', {
        taints: [
          { key: 'x', value: 'one', effect: 'NoSchedule' },
          { key: 'y', effect: 'NoExecute' },
        ],
      }),
    ],
    expected: [
      {
        ...ubuntu,
        name: 'ubuntu-24-04-amd64-control-plane',
        kernel: 'k1',
        taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
      },
      {
        ...ubuntu,
        name: 'ubuntu-24-04-amd64-one-y',
        kernel: 'k1',
        taints: [
          { key: 'x', value: 'One', effect: 'NoExecute' },
          { key: 'y', effect: 'NoSchedule' },
        ],
      },
      {
        ...ubuntu,
        name: 'ubuntu-24-04-amd64-one-y-2',
        kernel: 'k1',
        taints: [
          { key: 'x', value: 'one', effect: 'NoSchedule' },
          { key: 'y', effect: 'NoExecute' },
        ],
      },
    ],
  },
  {
    name: 'a container runtime that is not the default, and an unknown one',
    input: [nodeObject('a', { runtime: 'cri-o://1.31.0' }), nodeObject('b', { runtime: 'rkt://1' })],
    expected: [
      { ...ubuntu, kernel: 'k1' },
      { ...ubuntu, name: 'ubuntu-24-04-amd64-cri-o', kernel: 'k1', containerRuntime: 'cri-o' },
    ],
  },
  {
    name: 'OpenShift in the middle of an update',
    input: [
      nodeObject('a', { labels: rhcosLabels, runtime: 'cri-o://1.30.10' }),
      nodeObject('b', { labels: { ...rhcosLabels, [RHCOS]: '417.94.2', [KERNEL]: 'k2' }, runtime: 'cri-o://1.30.11' }),
      nodeObject('c', { labels: { ...rhcosLabels, [OS_VERSION]: '4.18', [RHCOS]: '418.94.1' }, runtime: 'cri-o://1' }),
    ],
    expected: [
      {
        name: 'rhcos-4-17-amd64-417-94-2',
        osName: 'rhcos',
        osVersion: '4.17',
        arch: 'amd64',
        kernel: 'k2',
        rhcosVersion: '417.94.2',
      },
      {
        name: 'rhcos-4-17-amd64-417-94-202501301529-0',
        osName: 'rhcos',
        osVersion: '4.17',
        arch: 'amd64',
        kernel: 'k1',
        rhcosVersion: '417.94.202501301529-0',
      },
      {
        name: 'rhcos-4-18-amd64',
        osName: 'rhcos',
        osVersion: '4.18',
        arch: 'amd64',
        kernel: 'k1',
        rhcosVersion: '418.94.1',
      },
    ],
  },
  {
    name: 'labels that no policy selects by',
    input: [nodeObject('a', { labels: { pool: 'h100' } }), nodeObject('b', { labels: { pool: 'a100' } })],
    expected: [{ ...ubuntu, kernel: 'k1' }],
  },
  {
    name: 'labels that policies select by',
    input: [
      nodeObject('a', { labels: { pool: 'h100', rack: '1' } }),
      nodeObject('b', { labels: { pool: 'a100', 'corp/ib': 'true' } }),
      nodeObject('c'),
    ],
    selectors: [{ pool: 'h100', [ARCH]: 'amd64' }, { 'corp/ib': 'true' }],
    expected: [
      { ...ubuntu, kernel: 'k1' },
      { ...ubuntu, name: 'ubuntu-24-04-amd64-h100', kernel: 'k1', labels: { pool: 'h100' } },
      { ...ubuntu, name: 'ubuntu-24-04-amd64-ib', kernel: 'k1', labels: { 'corp/ib': 'true' } },
    ],
  },
  {
    name: 'names that are too long',
    input: ['a', 'b'].map((end) => nodeObject(end, { labels: { [OS_NAME]: 'x'.repeat(62) + end } })),
    expected: ['a', 'b'].map((end) => ({
      ...ubuntu,
      name: 'x'.repeat(62) + end,
      osName: 'x'.repeat(62) + end,
      kernel: 'k1',
    })),
  },
  {
    name: 'names that are the same when cut',
    input: ['1', '2'].map((version) =>
      nodeObject(version, { labels: { [OS_NAME]: 'x'.repeat(63), [OS_VERSION]: version } }),
    ),
    expected: [
      { ...ubuntu, name: 'x'.repeat(61) + '-2', osName: 'x'.repeat(63), osVersion: '2', kernel: 'k1' },
      { ...ubuntu, name: 'x'.repeat(63), osName: 'x'.repeat(63), osVersion: '1', kernel: 'k1' },
    ],
  },
];

describe('poolsOf', () => {
  it.each(poolCases)('$name', ({ input, selectors, expected }) => {
    const found = poolsOf(nodesOf(...input), selectors);
    expect(found).toMatchObject({ pools: expected, findings: [] });
    expect(poolsOf([...nodesOf(...input)].reverse(), selectors)).toEqual(found);
  });

  it('leaves out NIC nodes that lack a label or have an architecture without drivers, and says so', () => {
    const nodes = nodesOf(
      nodeObject('d', { labels: { [ARCH]: 's390x' } }),
      nodeObject('c', { labels: { [NIC]: undefined, [KERNEL]: undefined } }),
      nodeObject('b', { labels: { [OS_VERSION]: '', [KERNEL]: undefined } }),
      nodeObject('a'),
    );
    expect(poolsOf(nodes)).toMatchObject({
      pools: [{ ...ubuntu, kernel: 'k1' }],
      findings: [
        { kind: 'labels-missing', node: 'b', labels: [OS_VERSION, KERNEL] },
        { kind: 'arch-unknown', node: 'd', arch: 's390x' },
      ],
    });
  });
});

describe('checkPools', () => {
  const pool = { ...ubuntu, name: 'main', kernel: 'k1' };
  const nearest = 'nearest is pool `main`, but';
  const cases = [
    { name: 'a match', nodes: [nodeObject('a')], pools: [pool], why: [], empty: [] },
    {
      name: 'a pool for every kernel',
      nodes: [nodeObject('a', { labels: { [KERNEL]: 'k9' } })],
      pools: [{ ...ubuntu, name: 'main' }],
      why: [],
      empty: [],
    },
    {
      name: 'one of two kernels',
      nodes: [nodeObject('a')],
      pools: [{ ...ubuntu, kernels: ['k2', 'k1'] }],
      why: [],
      empty: [],
    },
    {
      name: 'a kernel that no pool has',
      nodes: [nodeObject('a', { labels: { [KERNEL]: 'k3' } })],
      pools: [{ ...ubuntu, name: 'main', kernels: ['k1', 'k2'] }],
      why: [`${nearest} the node's kernel is \`k3\`, the pool's is \`k1\` or \`k2\``],
      empty: ['main'],
    },
    {
      name: 'the nearest of two pools',
      nodes: [nodeObject('a', { labels: { [KERNEL]: 'k3' } })],
      pools: [{ ...pool, name: 'other', osName: 'sles', kernel: 'k3' }, pool],
      why: [`${nearest} the node's kernel is \`k3\`, the pool's is \`k1\``],
      empty: ['other', 'main'],
    },
    {
      name: 'several differences',
      nodes: [nodeObject('a', { labels: { [ARCH]: 'arm64', [OS_VERSION]: '22.04' } })],
      pools: [pool],
      why: [
        `${nearest} the node's architecture is \`arm64\`, the pool's is \`amd64\`; the node's OS version is \`22.04\`, the pool's is \`24.04\``,
      ],
      empty: ['main'],
    },
    {
      name: 'labels of the pool',
      nodes: [nodeObject('a', { labels: { rack: '2' } })],
      pools: [{ ...pool, labels: { toString: 'x', rack: '1' } }],
      why: [
        `${nearest} the node's label \`rack\` is \`2\`, the pool's is \`1\`; it has no label \`toString\` (the pool: \`x\`)`,
      ],
      empty: ['main'],
    },
    {
      name: 'a label of Node Feature Discovery that is missing',
      nodes: [nodeObject('a', { labels: { [KERNEL]: undefined } })],
      pools: [pool],
      why: [`${nearest} it has no label \`${KERNEL}\``],
      empty: ['main'],
    },
    {
      name: 'a taint that the pool does not list, and one that the node has lost',
      nodes: [nodeObject('a', { taints: [{ key: 'x', value: 'y', effect: 'NoSchedule' }] })],
      pools: [{ ...pool, taints: [{ key: 'z', effect: 'NoExecute' }] }],
      why: [
        `${nearest} it has the taint \`x=y:NoSchedule\`, which the pool does not list; ` +
          'it lacks the taint `z:NoExecute`, which the pool lists',
      ],
      empty: ['main'],
    },
    {
      name: 'taints that make no difference, on either side',
      nodes: [nodeObject('a', { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] })],
      pools: [{ ...pool, taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }] }],
      why: [],
      empty: [],
    },
    {
      name: 'an RHCOS version only where the pool gives one',
      nodes: [nodeObject('a', { labels: rhcosLabels }), nodeObject('b', { labels: rhcosLabels })],
      pools: [{ ...pool, osName: 'rhcos', osVersion: '4.17' }],
      why: [],
      empty: [],
    },
    {
      name: 'another RHCOS version',
      nodes: [nodeObject('a', { labels: rhcosLabels })],
      pools: [{ ...pool, osName: 'rhcos', osVersion: '4.17', rhcosVersion: '417.94.1' }],
      why: [`${nearest} the node's RHCOS version is \`417.94.202501301529-0\`, the pool's is \`417.94.1\``],
      empty: ['main'],
    },
    {
      name: 'nodes without a NIC',
      nodes: [nodeObject('a', { labels: { [NIC]: undefined } })],
      pools: [pool],
      why: [],
      empty: ['main'],
    },
    { name: 'no pools', nodes: [nodeObject('a')], pools: [], why: ['the Cluster has no node pools'], empty: [] },
  ];
  it.each(cases)('$name', ({ nodes, pools, why, empty }) => {
    const expected = { uncovered: why.map((text) => ({ node: 'a', why: text })), empty, withoutDriver: [] };
    expect(checkPools(nodesOf(...nodes), configOf(pools), [])).toEqual(expected);
  });
});

describe('pools of any nodes', () => {
  const selectors = [{ pool: 'h100' }, { pool: 'a100', 'corp/ib': 'true' }];
  const taint = fc.record(
    {
      key: fc.constantFrom('dedicated', 'corp.example/x', 'nvidia.com/gpu', 'node.kubernetes.io/unschedulable'),
      value: fc.constantFrom('', 'a', 'B.c'),
      effect: fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule'),
    },
    { requiredKeys: ['key', 'effect'] },
  );
  const labels = fc.record(
    {
      [NIC]: fc.constantFrom('true', 'true', 'true', 'false'),
      [OS_NAME]: fc.oneof(
        fc.constantFrom('ubuntu', 'rhel'),
        fc.stringMatching(/^[A-Za-z0-9][-_.A-Za-z0-9]{0,61}[a-z0-9]$/),
      ),
      [OS_VERSION]: fc.constantFrom('24.04', '9', '9.10', '1e3', 'yes'),
      [ARCH]: fc.constantFrom('amd64', 'arm64'),
      [KERNEL]: fc.constantFrom('6.8.0-31-generic', '5.14.0-427.el9.x86_64', '0x10'),
      [RHCOS]: fc.constantFrom('417.94.1', '417.94.2'),
      pool: fc.constantFrom('h100', 'a100', 'other'),
      'corp/ib': fc.constantFrom('true', 'false'),
    },
    { requiredKeys: [OS_NAME, OS_VERSION, ARCH, KERNEL] },
  );
  const node = fc.record({
    labels,
    taints: fc.array(taint, { maxLength: 3 }),
    runtime: fc.constantFrom('containerd://2.0.0', 'cri-o://1.30', 'docker://27.1', 'other://1', ''),
  });

  it('resolve without an error and match the same nodes', () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 12 }), fc.boolean(), (options, isOpenshift) => {
        const nodes = nodesOf(...options.map((option, index) => nodeObject(`n${index}`, option)));
        const { pools, findings } = poolsOf(nodes, selectors);
        expect(findings).toEqual([]);
        const config = configOf(pools, { platform: isOpenshift ? 'openshift' : 'kubernetes' });
        expect(checkPools(nodes, config, [])).toEqual({ uncovered: [], empty: [], withoutDriver: [] });
      }),
      runsOf(50, 500),
    );
  });
});
