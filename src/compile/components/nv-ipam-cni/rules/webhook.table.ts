import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (more = ''): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v0.4.0${more}}\n`,
  );

testRule('WEFT0281', {
  valid: [
    { name: 'no webhook', policy: policy() },
    { name: 'a webhook that is off', policy: policy(', enableWebhook: false') },
  ],
  invalid: [
    {
      name: 'a webhook',
      policy: policy(', enableWebhook: true'),
      expected: [
        'policy.yaml:6:90 the API server will refuse every new or changed IPPool and CIDRPool: NV-IPAM does not serve its webhook since v0.3.6, in no known release',
      ],
    },
  ],
});
