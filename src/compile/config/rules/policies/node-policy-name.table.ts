import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

testRule('WEFT0231', {
  valid: [{ name: '30 characters', policy: policyText('NicNodePolicy', 'a'.repeat(30), '  {}\n') }],
  invalid: [
    {
      name: '31 characters',
      policy: policyText('NicNodePolicy', 'a'.repeat(31), '  {}\n'),
      expected: ['policy.yaml:4:9 `metadata.name` of a NicNodePolicy must have at most 30 characters'],
    },
  ],
});
