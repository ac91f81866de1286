import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (selector: string): string => policyText('NicNodePolicy', 'gpu', `  nodeSelector: ${selector}\n`);

testRule('WEFT0234', {
  valid: [
    { name: 'every pool', policy: policy('{}') },
    { name: 'a label that NFD gives', policy: policy('{feature.node.kubernetes.io/system-os_release.ID: ubuntu}') },
    { name: 'the architecture', policy: policy('{kubernetes.io/arch: amd64}') },
    { name: 'a cluster without pools', cluster: clusterText('  nodePools: []\n'), policy: policy('{a: b}') },
  ],
  invalid: [
    {
      name: 'a label that no pool has',
      policy: policy('{pool: gpu}'),
      expected: ['policy.yaml:6:17 NicNodePolicy `gpu` selects no node pool of the Cluster'],
    },
    {
      name: 'a label of the name of a method',
      policy: policy('{toString: gpu}'),
      expected: ['policy.yaml:6:17 NicNodePolicy `gpu` selects no node pool of the Cluster'],
    },
  ],
});
