import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (webhook: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  nvIpam:\n    enableWebhook: ${webhook}\n`);

testRule('WEFT0266', {
  valid: [
    { name: 'no webhook', policy: policy('false') },
    {
      name: 'OpenShift, which makes the certificate itself',
      cluster: clusterText('  release: v26.4\n  platform: openshift\n  nodePools: []\n'),
      policy: policy('true'),
    },
    {
      name: 'an object of cert-manager',
      policy: `${policy('true')}---\napiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata: {name: a}\n`,
    },
    {
      name: 'the definition of such an object',
      policy: `${policy('true')}---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: issuers.cert-manager.io}\nspec: {group: cert-manager.io}\n`,
    },
  ],
  invalid: [
    {
      name: 'nothing of cert-manager',
      policy: `${policy('true')}---\napiVersion: acme.cert-manager.io/v1\nkind: Order\nmetadata: {name: a}\n`,
      expected: [
        'policy.yaml:7:20 `spec.nvIpam.enableWebhook` needs the API `cert-manager.io`, of which the input has nothing',
      ],
      help: 'install what brings `cert-manager.io` first; it may live elsewhere in the cluster',
    },
  ],
});
