import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (version: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n    version: ${JSON.stringify(version)}\n`);

/** The operator's own examples (network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go). */
const VALID = [
  '23.10-0.2.2.0',
  '23.10-0.2.2.0.1',
  '24.01-0.3.3.1-0',
  '25.01-0.6.0.0-0-6.8.0-1019-oracle-ubuntu22.04-arm64',
  'doca3.1-24.01-0.3.3.1-0',
  'doca3.1.0-25.07-0.6.6.0-0',
  'doca3.1-25.07-0.9.7.0-0-5.14.0-427.87.1.el9_4.x86_64-rhcos4.18-amd64',
  `sha256:${'9a'.repeat(32)}`,
  `sha256:${'9A'.repeat(32)}`,
];

const INVALID = [
  'latest',
  '24.01',
  '24.01-',
  'doca3.1',
  'doca3-24.01-0.3.3.1-0',
  'v24.01-0.3.3.1-0',
  '24.01-0.3.3.1-0\n',
];

testRule('WEFT0210', {
  valid: VALID.map((version) => ({ name: version, policy: policy(version) })),
  invalid: [
    ...INVALID.map((version) => ({
      name: JSON.stringify(version),
      policy: policy(version),
      expected: [`policy.yaml:7:14 \`spec.ofedDriver.version\` is not a driver version: \`${version}\``],
    })),
  ],
});

const withSystem = (system: string): string =>
  `policy.yaml:7:14 \`spec.ofedDriver.version\` ends with a system, and each image of the driver has that of its node pool behind it: \`…-${system}-${system}\``;

testRule('WEFT0308', {
  valid: [
    { name: 'a version', policy: policy('doca3.4.1-26.04-1.1.0.0-3') },
    { name: 'an ending of a registry of its own', policy: policy('26.07-1.1.0.0-3-corp') },
  ],
  invalid: [
    {
      name: 'a tag of the registry',
      policy: policy('doca3.4.1-26.04-1.1.0.0-3-ubuntu24.04-amd64'),
      expected: [withSystem('ubuntu24.04-amd64')],
      help: 'write `doca3.4.1-26.04-1.1.0.0-3`',
    },
    {
      name: 'a tag of a precompiled driver',
      policy: policy('doca3.4.1-26.04-1.1.0.0-3-5.14.0-427.87.1.el9_4.x86_64-rhcos4.18-arm64'),
      expected: [withSystem('rhcos4.18-arm64')],
      help: 'write `doca3.4.1-26.04-1.1.0.0-3`',
    },
  ],
});
