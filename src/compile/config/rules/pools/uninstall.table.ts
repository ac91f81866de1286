import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const POOLS = `  release: v26.4
  nodePools:
    - {name: noble, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {rack: r1}}
    - {name: noble-2, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {rack: r2}}
    - {name: jammy, osName: ubuntu, osVersion: "22.04", arch: amd64}
`;
const cluster = (uninstall: string): string => clusterText(`${POOLS}  driver: {uninstall: ${uninstall}}\n`);
const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n');

testRule('WEFT0300', {
  valid: [
    { name: 'all', cluster: cluster('true'), policy },
    { name: 'a pool', cluster: cluster('{nodePools: [jammy]}'), policy },
    { name: 'a policy', cluster: cluster('{policies: [nic-cluster-policy]}'), policy },
  ],
  invalid: [
    {
      name: 'a pool that is not there',
      cluster: cluster('{nodePools: [jamy]}'),
      policy,
      expected: ['cluster.yaml:11:36 no policy installs a driver on a node pool `jamy`'],
      help: 'did you mean `jammy`?',
    },
    {
      name: 'a policy that is not there',
      cluster: cluster('{policies: [gpu-nodes]}'),
      policy,
      expected: ['cluster.yaml:11:35 no policy `gpu-nodes` installs a driver'],
      help: 'a pool or a policy is put back with its driver until the companion has uninstalled it',
    },
  ],
});

testRule('WEFT0301', {
  valid: [
    { name: 'a pool with a DaemonSet of its own', cluster: cluster('{nodePools: [jammy]}'), policy },
    { name: 'all pools of the DaemonSet', cluster: cluster('{nodePools: [noble, noble-2]}'), policy },
    { name: 'its policy, too', cluster: cluster('{nodePools: [noble], policies: [nic-cluster-policy]}'), policy },
    {
      name: 'pools that policies tell apart',
      cluster: cluster('{nodePools: [noble]}'),
      policy: [
        policyText('NicNodePolicy', 'r1', '  nodeSelector: {rack: r1}\n  ofedDriver: {}\n'),
        policyText('NicNodePolicy', 'r2', '  nodeSelector: {rack: r2}\n  ofedDriver: {}\n'),
      ].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'one of two pools that share a DaemonSet',
      cluster: cluster('{nodePools: [noble]}'),
      policy,
      expected: [
        'cluster.yaml:11:36 DaemonSet `mofed-ubuntu24.04-ds` puts the driver on the nodes of pool `noble` and of `noble-2`',
      ],
    },
  ],
});
