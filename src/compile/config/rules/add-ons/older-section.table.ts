import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (network: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  secondaryNetwork:\n    ${network}\n`);

testRule('WEFT0483', {
  valid: [{ name: 'a section of today', policy: policy('multus: {}') }],
  invalid: [
    {
      name: 'the section of whereabouts',
      policy: policy('ipamPlugin: {image: whereabouts, repository: ghcr.io/a, version: v1}'),
      expected: [
        'policy.yaml:7:5 `secondaryNetwork.ipamPlugin` is of an older release, and turns on the add-on whereabouts',
      ],
      help: 'remove it, and write `whereabouts: {deploy: true}` in the `spec` of the Cluster document',
    },
  ],
});
