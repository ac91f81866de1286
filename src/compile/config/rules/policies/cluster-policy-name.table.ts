import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

testRule('WEFT0230', {
  valid: [
    { name: 'the name', policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  {}\n') },
    { name: 'a NicNodePolicy of any name', policy: policyText('NicNodePolicy', 'other', '  {}\n') },
  ],
  invalid: [
    {
      name: 'another name',
      policy: policyText('NicClusterPolicy', 'my-policy', '  {}\n'),
      expected: ['policy.yaml:4:9 a NicClusterPolicy must be named `nic-cluster-policy`'],
      help: 'write `name: nic-cluster-policy`',
    },
  ],
});
