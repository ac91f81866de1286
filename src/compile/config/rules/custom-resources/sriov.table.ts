import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const object = (kind: string, name: string, spec: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n${spec}`;
const policy = (resource: string, selector = '{}'): string =>
  object(
    'SriovNetworkNodePolicy',
    'policy',
    `  resourceName: ${resource}\n  nodeSelector: ${selector}\n  nicSelector: {vendor: "15b3"}\n  numVfs: 1\n`,
  );
const network = (kind: string, resource: string): string => object(kind, 'net', `  resourceName: ${resource}\n`);
const linked = (linkType: string): string => `${policy('vf')}  linkType: ${linkType}\n`;
const list = (...documents: readonly string[]): string => documents.join('---\n');
const missing = (kind: string, resource: string): string =>
  `${kind} \`net\` uses resource \`${resource}\`, which no SriovNetworkNodePolicy of the input makes`;

testRule('WEFT0502', {
  valid: [
    ...['SriovNetwork', 'SriovIBNetwork', 'OVSNetwork'].map((kind) => ({
      name: kind,
      network: list(network(kind, 'vf'), policy('vf')),
    })),
    { name: 'the link of the network', network: list(network('SriovIBNetwork', 'vf'), linked('IB')) },
    {
      name: 'one policy of two for the link of the network',
      network: list(network('SriovNetwork', 'vf'), linked('ib'), linked('ETH').replace('policy', 'other')),
    },
  ],
  invalid: [
    {
      name: 'Ethernet for InfiniBand',
      network: list(network('SriovIBNetwork', 'vf'), linked('eth')),
      expected: [
        'network.yaml:5:17 SriovIBNetwork `net` is for InfiniBand, and the virtual functions of its resource `vf` are Ethernet',
      ],
      help: 'use the other kind of network, or correct `linkType: eth` of SriovNetworkNodePolicy `policy`',
    },
    {
      name: 'InfiniBand for Ethernet',
      network: list(network('OVSNetwork', 'vf'), linked('IB')),
      expected: [
        'network.yaml:5:17 OVSNetwork `net` is for Ethernet, and the virtual functions of its resource `vf` are InfiniBand',
      ],
    },
    {
      name: 'no policy',
      network: network('SriovNetwork', 'vf'),
      expected: [`network.yaml:5:17 ${missing('SriovNetwork', 'vf')}`],
      help: 'add a SriovNetworkNodePolicy with it; it may live elsewhere in the cluster',
    },
    {
      name: 'a misspelt resource',
      network: list(network('OVSNetwork', 'storage'), policy('storrage')),
      expected: [`network.yaml:5:17 ${missing('OVSNetwork', 'storage')}`],
      help: 'did you mean `storrage`?',
    },
  ],
});

const rails = (pool: string): string =>
  'apiVersion: spectrumx.nvidia.com/v1alpha1\nkind: SpectrumXRailPoolConfig\nmetadata: {name: rails, namespace: a}\nspec:\n' +
  `  numVfs: 1\n  railTopology:\n    - {name: one, mtu: 9000, cidrPoolRef: ${pool}, nicSelector: {pfNames: [a]}}\n`;
const CIDR_POOL =
  'apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: CIDRPool\nmetadata: {name: rail}\nspec: {cidr: 10.0.0.0/16, perNodeNetworkPrefix: 24}\n';

testRule('WEFT0503', {
  valid: [{ name: 'a pool', network: list(rails('rail'), CIDR_POOL) }],
  invalid: [
    {
      name: 'another pool',
      network: list(rails('raill'), CIDR_POOL),
      expected: ['network.yaml:7:43 SpectrumXRailPoolConfig `rails` names CIDRPool `raill`, which no document defines'],
      help: 'did you mean `rail`?',
    },
  ],
});

const cluster =
  'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec:\n  release: v26.4\n  nodePools:\n' +
  '    - {name: workers, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: a, rack: r1}}\n';
const OPERATOR = '  sriovNetworkOperator: {deploy: true}\n';
const unread = (place: string, kind: string, name: string): string =>
  `${place} ${kind} \`${name}\` has no effect: the SR-IOV operator reads those in \`nvidia-network-operator\` alone`;
const poolConfig = (name: string, selector: string): string =>
  object('SriovNetworkPoolConfig', name, `  nodeSelector: ${selector}\n`);

testRule('WEFT0504', {
  valid: [
    {
      name: 'other nodes',
      cluster,
      network: list(poolConfig('a', '{matchLabels: {pool: a}}'), poolConfig('b', '{matchLabels: {pool: b}}')),
    },
    {
      name: 'one for the offload of Open vSwitch',
      cluster,
      network: list(
        poolConfig('a', '{}'),
        object('SriovNetworkPoolConfig', 'b', '  ovsHardwareOffloadConfig: {name: workers}\n'),
      ),
    },
    {
      name: 'one that the operator does not read',
      cluster: `${cluster}${OPERATOR}`,
      network: list(poolConfig('a', '{}'), poolConfig('b, namespace: other', '{}')),
    },
    {
      name: 'of two operators, which Weft does not deploy',
      cluster,
      network: list(poolConfig('a, namespace: one', '{}'), poolConfig('a, namespace: other', '{}')),
    },
  ],
  invalid: [
    {
      name: 'one without a selector, which selects all nodes',
      cluster,
      network: list(
        poolConfig('a', '{matchLabels: {pool: a}}'),
        object('SriovNetworkPoolConfig', 'b', '  maxUnavailable: 1\n'),
      ),
      expected: ['network.yaml:10:1 SriovNetworkPoolConfigs `a` and `b` both select the nodes of pool `workers`'],
    },
    {
      name: 'each with the first that selects the nodes, past one that does not',
      cluster,
      network: list(
        poolConfig('a', '{matchLabels: {pool: a}}'),
        poolConfig('b', '{matchLabels: {pool: b}}'),
        poolConfig('c', '{matchLabels: {pool: a}}'),
        poolConfig('d', '{matchLabels: {pool: a}}'),
      ),
      expected: ['c', 'd'].map(
        (name, index) =>
          `network.yaml:${String(17 + 6 * index)}:17 SriovNetworkPoolConfigs \`a\` and \`${name}\` both select the nodes of pool \`workers\``,
      ),
    },
    {
      name: 'the same nodes by other labels',
      cluster,
      network: list(
        poolConfig('a', '{matchLabels: {pool: a}}'),
        poolConfig('b', '{matchExpressions: [{key: rack, operator: In, values: [r1, r2]}]}'),
      ),
      expected: ['network.yaml:11:17 SriovNetworkPoolConfigs `a` and `b` both select the nodes of pool `workers`'],
      help: 'let each node belong to one of them: narrow one of the selectors',
    },
  ],
});

testRule('WEFT0535', {
  valid: [
    { name: 'in the namespace of the Cluster', cluster: `${cluster}${OPERATOR}`, network: poolConfig('a', '{}') },
    { name: 'an operator that Weft does not deploy', cluster, network: poolConfig('a, namespace: other', '{}') },
  ],
  invalid: [
    {
      name: 'elsewhere',
      cluster: `${cluster}${OPERATOR}`,
      network: list(
        poolConfig('a, namespace: other', '{}'),
        policy('vf').replace('name: policy', 'name: b, namespace: other'),
      ),
      expected: [
        unread('network.yaml:3:32', 'SriovNetworkPoolConfig', 'a'),
        unread('network.yaml:9:32', 'SriovNetworkNodePolicy', 'b'),
      ],
      help: 'remove `metadata.namespace`: without it the object is in `nvidia-network-operator`',
    },
    {
      name: 'a policy that the operator ignores, wherever that runs',
      cluster,
      network: policy('vf').replace('name: policy', 'name: default'),
      expected: [
        'network.yaml:3:18 SriovNetworkNodePolicy `default` has no effect: the SR-IOV operator ignores a policy of that name',
      ],
      help: 'give it another name',
    },
  ],
});

const plugin = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  sriovDevicePlugin:\n    config:\n      resourceList: [{resourceName: vf, selectors: {vendors: ["15b3"]}}]\n',
);

testRule('WEFT0505', {
  valid: [
    { name: 'another name', policy: plugin, network: policy('other') },
    { name: 'other nodes', policy: plugin, network: policy('vf', '{pool: b}') },
    {
      name: 'another prefix, where the operator is known',
      cluster: `${cluster}${OPERATOR}`,
      policy: plugin,
      network: policy('vf'),
    },
  ],
  invalid: [
    {
      name: 'one name on the same nodes',
      policy: plugin,
      network: policy('vf'),
      expected: [
        'network.yaml:5:17 `vf` is a resource of SriovNetworkNodePolicy `policy` and of a device plugin, `intel.com/vf`',
      ],
      help: 'give one of them another name, or another prefix, or keep them on different nodes',
    },
  ],
});

testRule('WEFT0537', {
  valid: [
    { name: 'one node at a time', network: object('SriovNetworkPoolConfig', 'a', '  maxUnavailable: 1\n') },
    { name: 'all at once', network: object('SriovNetworkPoolConfig', 'a', '  nodeSelector: {}\n') },
  ],
  invalid: [
    {
      name: 'none',
      network: object('SriovNetworkPoolConfig', 'a', '  maxUnavailable: 0\n'),
      expected: [
        'network.yaml:5:19 SriovNetworkPoolConfig `a` has `maxUnavailable: 0`, so none of its nodes is ever drained',
      ],
      help: 'write 1 or more, or a share of the nodes',
    },
  ],
});
