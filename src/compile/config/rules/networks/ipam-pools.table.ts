import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (ipam: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata:\n  name: net\nspec:\n  ipam: ${ipam}\n`;
const pool = (
  kind: string,
  name: string,
  namespace = 'nvidia-network-operator',
  group = 'nv-ipam.nvidia.com',
): string =>
  `apiVersion: ${group}/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}${namespace && `, namespace: ${namespace}`}}\n` +
  `spec: ${kind === 'IPPool' ? '{subnet: 192.168.0.0/16, perNodeBlockSize: 100}' : '{cidr: 10.0.0.0/16, perNodeNetworkPrefix: 24}'}\n`;
const missing = (kind: string, name: string): string =>
  `network \`net\` takes addresses from ${kind} \`${name}\`, which no document defines`;

/** JSON text as a field of an object of another kind. */
const object = (apiVersion: string, kind: string, field: string, text: unknown): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: net}\nspec:\n  ${field}: '${JSON.stringify(text)}'\n`;
const sriov = (kind: string, ipam: unknown): string =>
  `${object('sriovnetwork.openshift.io/v1', kind, 'ipam', ipam)}  resourceName: a\n`;
const definition = (config: unknown): string =>
  object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'config', config);
const FROM_A = { type: 'nv-ipam', poolName: 'a' };

testRule('WEFT0263', {
  valid: [
    { name: 'no IPAM', network: network('{}') },
    { name: 'another plugin', network: network('{type: whereabouts, range: 10.0.0.0/24}') },
    { name: 'a pool', network: network('{type: nv-ipam, poolName: a}'), policy: pool('IPPool', 'a') },
    {
      name: 'a pool without a namespace',
      network: network('{type: nv-ipam, poolName: a}'),
      policy: pool('IPPool', 'a', ''),
    },
    {
      name: 'a CIDRPool, in text',
      network: network(`'{"type": "nv-ipam", "poolName": "a", "poolType": "CIDRPool"}'`),
      policy: pool('CIDRPool', 'a'),
    },
    {
      name: 'two pools',
      network: network('{type: nv-ipam, poolName: "a,b"}'),
      policy: [pool('IPPool', 'a'), pool('IPPool', 'b')].join('---\n'),
    },
    {
      name: 'pools of other kinds of networks',
      network: [
        sriov('SriovNetwork', FROM_A),
        sriov('OVSNetwork', { type: 'whereabouts', range: '10.0.0.0/24' }),
        definition({ type: 'macvlan', ipam: FROM_A }),
      ].join('---\n'),
      policy: pool('IPPool', 'a'),
    },
    {
      name: 'a pool that is named like the CNI configuration, or like the definition',
      network: [
        definition({ name: 'other', plugins: [{ type: 'macvlan', ipam: { type: 'nv-ipam' } }, { type: 'tuning' }] }),
        definition({ type: 'macvlan', ipam: { type: 'nv-ipam' } }).replace('{name: net}', '{name: one}'),
      ].join('---\n'),
      policy: [pool('IPPool', 'other'), pool('IPPool', 'one')].join('---\n'),
    },
    {
      name: 'text that is no JSON, which is not read here',
      network: sriov('SriovNetwork', FROM_A).replace('}', ''),
    },
    {
      name: 'the pool that is named like the network',
      network: network('{type: nv-ipam}'),
      policy: pool('IPPool', 'net'),
    },
  ],
  invalid: [
    ...['SriovNetwork', 'SriovIBNetwork', 'OVSNetwork'].map((kind) => ({
      name: kind,
      network: sriov(kind, FROM_A),
      expected: [`network.yaml:5:39 ${missing('IPPool', 'a')}`],
      help: 'add a document `kind: IPPool` of that name; it may live elsewhere in the cluster',
    })),
    {
      name: 'a definition, and one with several plugins',
      network: [
        definition({ type: 'macvlan', ipam: FROM_A }),
        definition({ plugins: [{ type: 'macvlan', ipam: FROM_A }] }).replace('{name: net}', '{name: two}'),
      ].join('---\n'),
      expected: [
        `network.yaml:5:66 ${missing('IPPool', 'a')}`,
        `network.yaml:11:78 ${missing('IPPool', 'a').replace('net`', 'two`')}`,
      ],
    },
    {
      name: 'no pool',
      network: network('{type: nv-ipam, poolName: a}'),
      expected: [`network.yaml:6:35 ${missing('IPPool', 'a')}`],
      help: 'add a document `kind: IPPool` of that name; it may live elsewhere in the cluster',
    },
    ...['IPPool', 'CIDRPool'].map((kind) => ({
      name: `a name that is almost that of one ${kind}`,
      network: network(`{type: nv-ipam, poolName: rdma-pol, poolType: ${kind.toLowerCase()}}`),
      policy: pool(kind, 'rdma-pool'),
      expected: [`network.yaml:6:35 ${missing(kind, 'rdma-pol')}`],
      help: 'did you mean `rdma-pool`?',
    })),
    {
      name: 'a name that is almost that of a pool of the other kind',
      network: network('{type: nv-ipam, poolName: rdma-pol}'),
      policy: pool('CIDRPool', 'rdma-pool'),
      expected: [`network.yaml:6:35 ${missing('IPPool', 'rdma-pol')}`],
      help: 'add a document `kind: IPPool` of that name; it may live elsewhere in the cluster',
    },
    {
      name: 'a pool of the other kind, in text',
      network: network(`'{"type": "nv-ipam", "poolName": "a", "poolType": "cidrpool"}'`),
      policy: pool('IPPool', 'a'),
      expected: [`network.yaml:6:42 ${missing('CIDRPool', 'a')}`],
      help: 'the IPPool of that name needs `poolType: ippool` beside `poolName`',
    },
    {
      name: 'a CIDRPool without its `poolType`',
      network: network('{type: nv-ipam, poolName: a}'),
      policy: pool('CIDRPool', 'a'),
      expected: [`network.yaml:6:35 ${missing('IPPool', 'a')}`],
      help: 'the CIDRPool of that name needs `poolType: cidrpool` beside `poolName`',
    },
    {
      name: 'a kind of that name in another group',
      network: network('{type: nv-ipam, poolName: a}'),
      policy: pool('IPPool', 'a', 'nvidia-network-operator', 'crd.projectcalico.org'),
      expected: [`network.yaml:6:35 ${missing('IPPool', 'a')}`],
    },
    {
      name: 'one of two pools',
      network: network('{type: nv-ipam, poolName: "a,b"}'),
      policy: pool('IPPool', 'a'),
      expected: [`network.yaml:6:35 ${missing('IPPool', 'b')}`],
    },
    {
      name: 'a pool in another namespace',
      network: network('{type: nv-ipam, poolName: ""}'),
      policy: pool('IPPool', 'net', 'default'),
      expected: [`network.yaml:6:35 ${missing('IPPool', 'net')}`],
      help: 'move the one in namespace `default` to `nvidia-network-operator`: NV-IPAM sees no other',
    },
  ],
});
