import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const clusterPolicy = (sections: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', sections);

testRule('WEFT0233', {
  valid: [
    {
      name: 'a section each',
      policy: [
        clusterPolicy('  ofedDriver: {}\n'),
        policyText('NicNodePolicy', 'gpu', '  rdmaSharedDevicePlugin: {}\n'),
      ].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'both sections in both',
      policy: [
        clusterPolicy('  ofedDriver: {}\n  rdmaSharedDevicePlugin: {}\n'),
        policyText('NicNodePolicy', 'gpu', '  rdmaSharedDevicePlugin: {}\n  ofedDriver: {}\n'),
      ].join('---\n'),
      expected: [
        'policy.yaml:14:3 NicNodePolicy `gpu` has `rdmaSharedDevicePlugin`, which the NicClusterPolicy has too',
        'policy.yaml:15:3 NicNodePolicy `gpu` has `ofedDriver`, which the NicClusterPolicy has too',
      ],
      help: 'keep the section in one of the two',
    },
  ],
});
