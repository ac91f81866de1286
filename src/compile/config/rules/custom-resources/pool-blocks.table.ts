import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const POOLS = ['a', 'b', 'c']
  .map((name) => `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {rack: ${name}}}\n`)
  .join('');
const cluster = clusterText(`  release: v26.7\n  nodePools:\n${POOLS}`);
const POLICY = policyText('NicClusterPolicy', 'nic-cluster-policy', '  nvIpam: {}\n');
const pool = (kind: string, spec: string) => ({
  cluster,
  policy: `${POLICY}---\napiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: ${kind}\nmetadata: {name: rail}\nspec: {${spec}}\n`,
});
const said = (kind: string, blocks: string, nodes: number) =>
  `${kind} \`rail\` has ${blocks} of addresses, each for one node, and there are at least ${nodes} nodes, one in each node pool`;
const IN_A_OR_B =
  'nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [a, b]}]}]}';

testRule('WEFT0506', {
  valid: [
    {
      name: 'a block for each pool',
      ...pool('IPPool', 'subnet: 10.0.0.0/24, perNodeBlockSize: 84, gateway: 10.0.0.1'),
    },
    {
      name: 'one block for one pool',
      ...pool('IPPool', 'subnet: 10.0.0.0/24, perNodeBlockSize: 200, ' + IN_A_OR_B.replace(', b', '')),
    },
    {
      name: 'a label that no pool lists',
      ...pool('IPPool', 'subnet: 10.0.0.0/24, perNodeBlockSize: 200, ' + IN_A_OR_B.replace('rack', 'row')),
    },
    { name: 'a network for each pool', ...pool('CIDRPool', 'cidr: 10.0.0.0/24, perNodeNetworkPrefix: 26') },
    { name: 'IPv6', ...pool('IPPool', 'subnet: fd00::/64, perNodeBlockSize: 1000') },
  ],
  invalid: [
    {
      name: 'one block for three pools',
      ...pool('IPPool', 'subnet: 10.0.0.0/24, perNodeBlockSize: 200'),
      expected: [`policy.yaml:11:47 ${said('IPPool', '1 block', 3)}`],
      help: 'widen `subnet`, or make the blocks smaller',
    },
    {
      name: 'a last block that would have the broadcast address',
      ...pool('IPPool', 'subnet: 10.0.0.0/24, perNodeBlockSize: 85'),
      expected: [`policy.yaml:11:47 ${said('IPPool', '2 blocks', 3)}`],
    },
    {
      name: 'one block for the pools that it selects',
      ...pool('IPPool', 'subnet: 10.0.0.0/24, perNodeBlockSize: 200, ' + IN_A_OR_B),
      expected: [`policy.yaml:11:47 ${said('IPPool', '1 block', 2)}`],
    },
    {
      name: 'two networks',
      ...pool('CIDRPool', 'cidr: 10.0.0.0/24, perNodeNetworkPrefix: 25'),
      expected: [`policy.yaml:11:49 ${said('CIDRPool', '2 blocks', 3)}`],
      help: 'widen `cidr`, or make the blocks smaller',
    },
  ],
});
