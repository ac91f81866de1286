import { testRule } from '../../../../../test/golden/rule-table.js';

const OBJECT = 'apiVersion: sriovnetwork.openshift.io/v1\n';
const CLUSTER =
  'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec:\n  release: v26.4\n  nodePools:\n' +
  '    - {name: workers, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: a, rack: r1}}\n';
const DEPLOYED = `${CLUSTER}  sriovNetworkOperator: {deploy: true, supportedExtraNICs: {Mine: abcd 1234 1235}}\n`;

interface Policy {
  readonly name?: string;
  readonly resource?: string;
  readonly nodes?: string;
  readonly nics?: string;
  readonly vfs?: number;
  readonly more?: string;
}

/** A policy whose `spec` is line 5, `resourceName` line 6, `nodeSelector` 7, `nicSelector` 8, `numVfs` 9, and `more` after it. */
function policy({
  name = 'p',
  resource = 'vf',
  nodes = '{}',
  nics = '{vendor: "15b3"}',
  vfs = 8,
  more,
}: Policy): string {
  const fields = [`resourceName: ${resource}`, `nodeSelector: ${nodes}`, `nicSelector: ${nics}`, `numVfs: ${vfs}`];
  const lines = [...fields, ...(more === undefined ? [] : [more])].map((line) => `  ${line}\n`).join('');
  return `${OBJECT}kind: SriovNetworkNodePolicy\nmetadata:\n  name: ${name}\nspec:\n${lines}`;
}
const two = (a: Policy, b: Policy): string => `${policy({ name: 'a', ...a })}---\n${policy({ name: 'b', ...b })}`;

const valid = (name: string, given: Policy, cluster?: string) => ({
  name,
  network: policy(given),
  ...(cluster === undefined ? {} : { cluster }),
});
const invalid = (given: Policy, place: string, fact: string, help: string, cluster?: string) => ({
  ...valid(fact, given, cluster),
  expected: [`network.yaml:${place} SriovNetworkNodePolicy \`p\`: ${fact}`],
  help,
});

const NAME_HELP =
  'use letters, digits, `-` and `_`, with a letter or a digit at both ends; the operator adds its prefix itself';
const NICS_HELP = 'correct the PCI id, or add the NIC to `supportedExtraNICs` of the operator';
const SWITCHDEV = 'eSwitchMode: switchdev';
const ranges = (...names: readonly string[]) => `{pfNames: [${names.map((name) => JSON.stringify(name)).join()}]}`;
const noRange = (text: string) => `\`${text}\` has no range of virtual functions behind its \`#\``;

testRule('WEFT0531', {
  valid: [
    valid('a resource of one letter', { resource: 'a' }),
    valid('a resource of all characters', { resource: 'A1-b_2' }),
    valid('a resource of 63 characters', { resource: 'a'.repeat(63) }),
    ...['vendor: "15b3"', 'deviceID: "1021"', 'pfNames: [a]', 'rootDevices: ["0000:08:00.0"]', 'netFilter: a/b'].map(
      (one) => valid(`NICs by ${one}`, { nics: `{${one}}` }),
    ),
    valid('a network filter on Ethernet', { nics: '{netFilter: a/b}', more: 'linkType: ETH' }),
    valid('any NIC where the operator lives elsewhere', { nics: '{vendor: "ffff", deviceID: "1"}' }),
    valid('a NIC that the operator knows', { nics: '{vendor: "15b3", deviceID: "1021"}' }, DEPLOYED),
    valid('a NIC that is added', { nics: '{vendor: abcd, deviceID: "1234"}' }, DEPLOYED),
    valid('one function', { vfs: 1 }),
    valid('128 functions', { vfs: 128 }),
    valid('more functions of another vendor', { nics: '{vendor: "8086"}', vfs: 129 }),
    valid('the last function', { nics: ranges('ens1#0-7') }),
    valid('a range of one', { nics: ranges('ens1#7-7', 'ens2') }),
    valid('no driver and no RDMA', { more: 'deviceType: vfio-pci' }),
    valid('a driver and RDMA', { more: 'isRdma: true' }),
    valid('switchdev on Ethernet', { more: 'linkType: eth\n  eSwitchMode: switchdev' }),
    valid('vDPA', { more: `vdpaType: virtio\n  ${SWITCHDEV}` }),
    valid('a bridge', { more: `bridge: {ovs: {}}\n  ${SWITCHDEV}` }),
    valid('no bridge', { more: 'bridge: {}\n  externallyManaged: true' }),
    valid('the policy that nothing looks at', { name: 'default', vfs: 0, resource: '""' }),
  ],
  invalid: [
    {
      name: 'a policy without a specification',
      network: `${OBJECT}kind: SriovNetworkNodePolicy\nmetadata:\n  name: p\n`,
      expected: [
        'the name of the resource is empty',
        'the policy makes no virtual functions',
        'the policy selects no NIC',
      ].map((fact) => `network.yaml:1:1 SriovNetworkNodePolicy \`p\`: ${fact}`),
    },
    invalid({ resource: '""' }, '6:17', 'the name of the resource is empty', 'give it a name such as `sriov_storage`'),
    invalid(
      { resource: 'a'.repeat(64) },
      '6:17',
      'the name of the resource has 64 characters',
      'shorten it to at most 63',
    ),
    ...['nvidia.com/vf', 'vf_', '-vf', 'v f'].map((name) =>
      invalid({ resource: name }, '6:17', `\`${name}\` is no name of a resource`, NAME_HELP),
    ),
    invalid(
      { nics: '{}' },
      '8:16',
      'the policy selects no NIC',
      'add `vendor`, `deviceID`, `pfNames`, `rootDevices` or `netFilter`',
    ),
    invalid(
      { nics: '{netFilter: a/b, vendor: "15b3"}' },
      '8:41',
      'a policy with `netFilter` has `vendor`, too',
      'remove one of them: `netFilter` selects alone',
    ),
    invalid(
      { nics: '{netFilter: a/b}', more: SWITCHDEV },
      '10:16',
      'a policy with `netFilter` has `eSwitchMode`',
      'remove `eSwitchMode`',
    ),
    invalid(
      { nics: '{netFilter: a/b}', more: 'linkType: IB' },
      '10:13',
      'a policy with `netFilter` has `linkType: IB`',
      'write `linkType: eth`',
    ),
    invalid({ nics: '{vendor: "15b4"}' }, '8:25', 'the operator knows no NIC of vendor `15b4`', NICS_HELP, DEPLOYED),
    invalid(
      { nics: '{vendor: "15b3", deviceID: "158b"}' },
      '8:43',
      'the operator knows no NIC `158b` of vendor `15b3`',
      NICS_HELP,
      DEPLOYED,
    ),
    invalid(
      { nics: '{vendor: "15B3"}' },
      '8:25',
      'the operator knows no NIC of vendor `15B3`',
      'write `15b3`: PCI ids are compared as they are written',
      DEPLOYED,
    ),
    invalid({ nics: '{deviceID: "1"}' }, '8:27', 'the operator knows no NIC `1`', NICS_HELP, DEPLOYED),
    invalid(
      { vfs: 0 },
      '9:11',
      'the policy makes no virtual functions',
      'give `numVfs` at least 1; without the policy there are none',
    ),
    invalid(
      { vfs: 129 },
      '9:11',
      'the policy makes 129 virtual functions for each NIC of vendor `15b3`',
      'give `numVfs` at most 128',
    ),
    ...['ens1#0', 'ens1#0-1-2', 'ens1#0-x', 'ens1#', 'ens1#0-1#2-3'].map((text) =>
      invalid({ nics: ranges(text) }, '8:27', noRange(text), 'write it as `ens1#0-7`'),
    ),
    invalid(
      { nics: ranges('ens1#3-0') },
      '8:27',
      'the range of `ens1#3-0` ends before it begins',
      'write it as `ens1#0-3`',
    ),
    invalid(
      { nics: ranges('ens1#0-8') },
      '8:27',
      'the range of `ens1#0-8` ends behind the last virtual function: with `numVfs: 8` that is 7',
      'count from 0, or raise `numVfs`: it is the number of virtual functions of the whole NIC',
    ),
    invalid(
      { more: 'isRdma: true\n  deviceType: vfio-pci' },
      '10:11',
      '`isRdma: true` needs a driver in the host, and `deviceType: vfio-pci` takes it away',
      'write `deviceType: netdevice` or `isRdma: false`',
    ),
    invalid(
      { more: `${SWITCHDEV}\n  linkType: ib` },
      '10:16',
      '`eSwitchMode: switchdev` is for Ethernet only',
      'remove it, or write `linkType: eth`',
    ),
    invalid(
      { more: `vdpaType: vhost\n  deviceType: vfio-pci\n  ${SWITCHDEV}` },
      '10:13',
      '`vdpaType` needs `deviceType: netdevice`',
      'write `deviceType: netdevice`, or remove `vdpaType`',
    ),
    invalid(
      { more: 'vdpaType: vhost\n  eSwitchMode: legacy' },
      '10:13',
      '`vdpaType` needs `eSwitchMode: switchdev`',
      'add `eSwitchMode: switchdev`',
    ),
    invalid(
      { nics: '{vendor: "8086"}', more: `vdpaType: virtio\n  ${SWITCHDEV}` },
      '10:13',
      '`vdpaType` needs NICs of vendor `15b3`',
      'remove it, or select other NICs',
    ),
    invalid(
      { more: 'bridge: {ovs: {}}' },
      '10:11',
      '`bridge` needs `eSwitchMode: switchdev`',
      'add `eSwitchMode: switchdev`',
    ),
    invalid(
      { more: `bridge: {ovs: {}}\n  externallyManaged: true\n  ${SWITCHDEV}` },
      '10:11',
      'the operator makes no bridge for NICs that are managed externally',
      'remove `bridge` or `externallyManaged`',
    ),
  ],
});

const shared = (what: string) =>
  `SriovNetworkNodePolicies \`a\` and \`b\` have the same virtual functions of a node: ${what}`;
const POOL_A = '{pool: a}';
const NIC = '{pfNames: [ens1]}';
const DEVICE = '{rootDevices: ["0000:08:00.0"]}';

testRule('WEFT0532', {
  valid: [
    { name: 'ranges apart', network: two({ nics: ranges('ens1#0-3') }, { nics: ranges('ens1#4-7') }) },
    { name: 'other interfaces', network: two({ nics: NIC }, { nics: '{pfNames: [ens2]}' }) },
    {
      name: 'a name with a range and one without, which the webhook takes',
      network: two({ nics: NIC }, { nics: ranges('ens1#4-7') }),
    },
    { name: 'other nodes', network: two({ nodes: POOL_A, nics: NIC }, { nodes: '{pool: b}', nics: NIC }) },
    {
      name: 'labels that no known node has both of',
      cluster: CLUSTER,
      network: two({ nodes: POOL_A, nics: NIC }, { nodes: '{rack: r2}', nics: NIC }),
    },
    {
      name: 'another namespace, where no operator looks',
      network: two({ nics: NIC }, { nics: NIC }).replace('name: b', 'name: b\n  namespace: other'),
    },
    { name: 'NICs by vendor, which the webhook does not compare', network: two({}, {}) },
  ],
  invalid: [
    {
      name: 'one interface twice',
      network: two({ nics: NIC }, { nics: NIC }),
      expected: [`network.yaml:18:27 ${shared('`ens1` and `ens1`')}`],
      help: 'give each a range of its own, such as `ens1#0-3` and `ens1#4-7`',
    },
    {
      name: 'ranges that share one function',
      network: two({ nics: ranges('ens1#0-4') }, { nics: ranges('ens2', 'ens1#4-7') }),
      expected: [`network.yaml:18:34 ${shared('`ens1#4-7` and `ens1#0-4`')}`],
    },
    {
      name: 'nodes with one label more',
      network: two({ nodes: POOL_A, nics: NIC }, { nodes: '{pool: a, rack: r9}', nics: NIC }),
      expected: [`network.yaml:18:27 ${shared('`ens1` and `ens1`')}`],
    },
    {
      name: 'labels of a pool',
      cluster: CLUSTER,
      network: two({ nodes: POOL_A, nics: NIC }, { nodes: '{rack: r1}', nics: NIC }),
      expected: [`network.yaml:18:27 ${shared('`ens1` and `ens1`')}`],
    },
    {
      name: 'a PCI address',
      network: two({ nics: DEVICE }, { nics: DEVICE }),
      expected: [`network.yaml:18:31 ${shared('`0000:08:00.0`')}`],
      help: 'select a NIC by `rootDevices` in one policy only; `pfNames` can share it by ranges',
    },
  ],
});

const EXTERNAL = 'externallyManaged: true';
const TOPOLOGY = 'excludeTopology: true';

testRule('WEFT0533', {
  valid: [
    {
      name: 'both alike',
      network: two(
        { nics: ranges('ens1#0-3'), more: `${EXTERNAL}\n  ${TOPOLOGY}` },
        { nics: ranges('ens1#4-7'), more: `${EXTERNAL}\n  ${TOPOLOGY}` },
      ),
    },
    { name: 'other NICs', network: two({ nics: NIC, more: EXTERNAL }, { nics: '{pfNames: [ens2]}' }) },
    { name: 'other resources', network: two({ more: TOPOLOGY }, { resource: 'other' }) },
    { name: 'other nodes', network: two({ nodes: POOL_A, more: TOPOLOGY }, { nodes: '{pool: b}' }) },
  ],
  invalid: [
    {
      name: 'one of two is managed externally',
      network: two({ nics: ranges('ens1#0-3') }, { nics: ranges('ens1#4-7'), more: EXTERNAL }),
      expected: [
        'network.yaml:20:22 SriovNetworkNodePolicies `a` and `b` have `externallyManaged: true` and `externallyManaged: false` for the same NIC',
      ],
      help: 'give both the same `externallyManaged`',
    },
    {
      name: 'one of two without the topology',
      network: two({}, { more: TOPOLOGY }),
      expected: [
        'network.yaml:20:20 SriovNetworkNodePolicies `a` and `b` have `excludeTopology: true` and `excludeTopology: false` for the same resource',
      ],
      help: 'give both the same `excludeTopology`',
    },
  ],
});

const object = (kind: string, spec: string, metadata = 'name: default'): string =>
  `${OBJECT}kind: ${kind}\nmetadata: {${metadata}}\nspec: ${spec}\n`;
const pool = (spec: string): string => object('SriovNetworkPoolConfig', spec, 'name: a');
const network = (spec: string, metadata = 'name: a'): string => object('SriovNetwork', spec, metadata);

testRule('WEFT0534', {
  valid: [
    { name: 'the one configuration', network: object('SriovOperatorConfig', '{}') },
    { name: 'how nodes are drained', network: pool('{maxUnavailable: 0, nodeSelector: {}}') },
    {
      name: 'a selector with every operator',
      network: pool(
        '{nodeSelector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: In, values: [d, e]}, {key: f, operator: NotIn, values: [g]}, {key: h, operator: Exists}, {key: i, operator: DoesNotExist}]}}',
      ),
    },
    { name: 'the least share', network: pool('{maxUnavailable: 1%}') },
    { name: 'the largest share', network: pool('{maxUnavailable: 100%}') },
    { name: 'the offload of Open vSwitch', network: pool('{ovsHardwareOffloadConfig: {name: workers}}') },
    {
      name: 'a network for another namespace',
      cluster: DEPLOYED,
      network: network('{resourceName: vf, networkNamespace: apps}'),
    },
    {
      name: 'a network elsewhere',
      cluster: DEPLOYED,
      network: network('{resourceName: vf}', 'name: a, namespace: apps'),
    },
    {
      name: 'a network elsewhere, as an operator may be',
      network: network('{resourceName: vf, networkNamespace: apps}', 'name: a, namespace: sriov'),
    },
  ],
  invalid: [
    {
      name: 'another configuration',
      network: object('SriovOperatorConfig', '{}', 'name: mine'),
      expected: ['network.yaml:3:18 SriovOperatorConfig `mine` is read by no operator'],
      help: 'name it `default`, which is the only one, or remove it where the section of the operator makes that',
    },
    {
      name: 'an offload of nodes that are drained',
      network: pool('{ovsHardwareOffloadConfig: {name: workers}, maxUnavailable: 1}'),
      expected: ['network.yaml:4:67 SriovNetworkPoolConfig `a` has `ovsHardwareOffloadConfig` and `maxUnavailable`'],
      help: 'make an object of each: one for the offload of Open vSwitch, one for how nodes are drained',
    },
    ...['0%', '101%', 'two', -1].map((value) => ({
      name: `maxUnavailable ${value}`,
      network: pool(`{maxUnavailable: ${value}}`),
      expected: [`network.yaml:4:24 SriovNetworkPoolConfig \`a\` has \`maxUnavailable: ${JSON.stringify(value)}\``],
      help: 'write a number of nodes, or a share of `1%` to `100%`',
    })),
    {
      name: 'a selector with another operator',
      network: pool('{nodeSelector: {matchExpressions: [{key: rack, operator: Like, values: [a]}]}}'),
      expected: [
        'network.yaml:4:22 SriovNetworkPoolConfig `a` has a `nodeSelector` that no node meets: `rack like (a)` is neither a label key nor a requirement',
      ],
      help: 'write `matchLabels`, or `matchExpressions` with `In` or `NotIn` and values, `Exists` or `DoesNotExist`',
    },
    {
      name: 'a selector without the values that it needs',
      network: pool('{nodeSelector: {matchExpressions: [{key: rack, operator: In}]}}'),
      expected: [
        'network.yaml:4:22 SriovNetworkPoolConfig `a` has a `nodeSelector` that no node meets: `rack in` is neither a label key nor a requirement',
      ],
    },
    {
      name: 'a selector with values that it must not have',
      network: pool('{nodeSelector: {matchExpressions: [{key: rack, operator: Exists, values: [a]}]}}'),
      expected: [
        'network.yaml:4:22 SriovNetworkPoolConfig `a` has a `nodeSelector` that no node meets: `rack exists (a)` is neither a label key nor a requirement',
      ],
    },
    {
      name: 'a network elsewhere for a third namespace',
      cluster: DEPLOYED,
      network: network('{resourceName: vf, networkNamespace: apps}', 'name: a, namespace: sriov'),
      expected: [
        'network.yaml:4:44 SriovNetwork `a` has `networkNamespace`, and is not in the namespace of the operator',
      ],
      help: 'remove `networkNamespace`, or `metadata.namespace`: without it the object is in `nvidia-network-operator`',
    },
  ],
});
