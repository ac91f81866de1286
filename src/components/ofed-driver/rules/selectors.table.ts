import { policyText } from '../../../../test/golden/compile.js';
import { testRule } from '../../../../test/golden/rule-table.js';

const policy = (upgradePolicy: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n    upgradePolicy: ${upgradePolicy}\n`);

testRule('WEFT0222', {
  valid: [
    { name: 'none', policy: policy('{waitForCompletion: {}, drain: {podSelector: ""}}') },
    {
      name: 'selectors',
      policy: policy('{waitForCompletion: {podSelector: "app in (a, b),!c"}, drain: {podSelector: d==e}}'),
    },
  ],
  invalid: [
    {
      name: 'two',
      policy: policy('{waitForCompletion: {podSelector: training==yes==no}, drain: {podSelector: app in x}}'),
      expected: [
        'policy.yaml:7:54 `spec.ofedDriver.upgradePolicy.waitForCompletion.podSelector` is no label selector: `yes==no` in `training==yes==no` is no valid label value',
        'policy.yaml:7:95 `spec.ofedDriver.upgradePolicy.drain.podSelector` is no label selector: `app in x` is neither a label key nor a requirement',
      ],
      help: 'write it as kubectl takes it, for instance `app=training,tier!=test` or `app in (a, b)`',
    },
  ],
});
