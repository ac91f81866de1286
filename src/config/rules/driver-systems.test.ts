import { clusterText, policyText } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const pool = (name: string, osName: string, osVersion: string, more = ''): string =>
  `    - {name: ${name}, osName: ${osName}, osVersion: "${osVersion}", arch: amd64${more}}\n`;
const cluster = (release: string, ...pools: readonly string[]): string =>
  clusterText(`  release: ${release}\n  nodePools:\n${pools.join('')}`);
const policy = (driver = '{}'): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: ${driver}\n`);
const message = (name: string, system: string): string =>
  `pool \`${name}\` has ${system}, on which the driver of release v26.4 was not validated`;

testRule('WEFT0268', {
  valid: [
    { name: 'a validated system', cluster: cluster('v26.4', pool('a', 'ubuntu', '24.04')), policy: policy() },
    {
      name: 'a driver that the catalog does not have',
      cluster: cluster('v26.4', pool('a', 'sles', '12.5')),
      policy: policy('{version: doca3.4.0-26.04-0.8.6.0-0}'),
    },
    {
      name: 'a release whose systems are not published',
      cluster: cluster('v26.7', pool('a', 'sles', '12.5')),
      policy: policy(),
    },
    {
      name: 'no driver',
      cluster: cluster('v26.4', pool('a', 'sles', '12.5')),
      policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  nvIpam: {}\n'),
    },
    {
      name: 'a name that looks misspelt, which another warning says',
      cluster: cluster('v26.4', pool('a', 'ubunut', '24.04')),
      policy: policy(),
    },
    {
      name: 'a pool that gets no driver',
      cluster: cluster('v26.4', pool('a', 'sles', '12.5', ', taints: [{key: a, effect: NoSchedule}]')),
      policy: policy(),
    },
  ],
  invalid: [
    {
      name: 'another version and another system, once for all kernels',
      cluster: cluster(
        'v26.4',
        pool('a', 'ubuntu', '20.04', ', kernels: [one, two]'),
        pool('b', 'debian', '12'),
        pool('c', 'rhel', '9.4'),
      ),
      policy: policy(),
      expected: [`cluster.yaml:8:7 ${message('a', 'ubuntu 20.04')}`, `cluster.yaml:9:7 ${message('b', 'debian 12')}`],
      help: 'validated: ubuntu 22.04, 24.04; rhcos 4.17, 4.18, 4.19, 4.20, 4.21; rhel 8.8, 8.10, 9.4, 9.6, 10.0; sles 15.6, 15.7',
    },
    {
      name: 'a driver of the catalog that the policy names',
      cluster: cluster('v26.7', pool('a', 'constructor', '1')),
      policy: policy('{version: doca3.4.1-26.04-1.1.0.0-1}'),
      expected: [`cluster.yaml:8:7 ${message('a', 'constructor 1')}`],
    },
  ],
});
