import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (release: string): string => clusterText(`  release: ${release}\n  nodePools:\n${UBUNTU_POOL}`);
const policy = (length: number, section = 'sriovDevicePlugin'): string =>
  policyText('NicNodePolicy', 'a'.repeat(length), `  nodeSelector: {}\n  ${section}: {}\n`);

testRule('WEFT0284', {
  valid: [
    { name: 'the longest name', cluster: cluster('v26.7'), policy: policy(26) },
    { name: 'a hash of the name', cluster: cluster('v26.10'), policy: policy(27) },
    { name: 'another section', cluster: cluster('v26.7'), policy: policy(27, 'rdmaSharedDevicePlugin') },
  ],
  invalid: [
    {
      name: 'a longer name',
      cluster: cluster('v26.4'),
      policy: policy(27),
      expected: [
        'policy.yaml:4:9 `metadata.name` of a NicNodePolicy with `sriovDevicePlugin` must have at most 26 characters in release v26.4',
      ],
    },
  ],
});
