import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (length: number): string => policyText('NicNodePolicy', 'a'.repeat(length), '  {}\n');

testRule('WEFT0231', {
  valid: [{ name: '48 characters', policy: policy(48) }],
  invalid: [
    {
      name: '49 characters',
      policy: policy(49),
      expected: ['policy.yaml:4:9 `metadata.name` of a NicNodePolicy must have at most 48 characters'],
    },
  ],
});

testRule('WEFT0310', {
  valid: [
    { name: '30 characters', policy: policy(30) },
    { name: '49 characters, which is an error', policy: policy(49) },
  ],
  invalid: [
    {
      name: '31 characters',
      policy: policy(31),
      expected: [
        'policy.yaml:4:9 the admission webhook of the operator refuses names of NicNodePolicies with more than 30 characters',
      ],
    },
  ],
});
