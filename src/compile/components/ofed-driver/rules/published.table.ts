import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const pool = (osName: string, osVersion: string, arch = 'amd64'): string =>
  `    - {name: a, osName: ${osName}, osVersion: "${osVersion}", arch: ${arch}, kernel: one}\n`;
const cluster = (pools: string, more = ''): string => clusterText(`  release: v26.4.1\n${more}  nodePools:\n${pools}`);
const policy = (driver = '{}'): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: ${driver}\n`);
const DRIVER = 'doca3.4.1-26.04-1.1.0.0-1';
const expected = (system: string, version = DRIVER): string =>
  `cluster.yaml:8:7 pool \`a\` has ${system}, for which NVIDIA published no image of driver ${version}`;

testRule('WEFT0590', {
  valid: [
    { name: 'a published system', cluster: cluster(pool('ubuntu', '24.04', 'arm64')), policy: policy() },
    { name: 'a system on which it was validated', cluster: cluster(pool('rhel', '8.8')), policy: policy() },
    { name: 'RHCOS', cluster: cluster(pool('rhcos', '4.18')), policy: policy() },
    {
      name: 'an own image of that name',
      cluster: cluster(pool('ubuntu', '20.04'), `  driver: {precompiledTags: [${DRIVER}-ubuntu20.04-amd64]}\n`),
      policy: policy(),
    },
    {
      name: 'a precompiled image',
      cluster: cluster(pool('ubuntu', '20.04'), `  driver: {precompiledTags: [${DRIVER}-one-ubuntu20.04-amd64]}\n`),
      policy: policy(),
    },
    {
      name: 'another repository',
      cluster: cluster(pool('ubuntu', '20.04')),
      policy: policy('{repository: registry.example.com/own}'),
    },
    {
      name: 'a version whose images are not known',
      cluster: cluster(pool('ubuntu', '20.04')),
      policy: policy('{version: doca3.4.1-26.04-1.1.0.0-3}'),
    },
    {
      name: 'a digest',
      cluster: cluster(pool('ubuntu', '20.04')),
      policy: policy(`{version: "sha256:${'0'.repeat(64)}"}`),
    },
    {
      name: 'a misspelt system, which another warning says',
      cluster: cluster(pool('ubunut', '24.04')),
      policy: policy(),
    },
  ],
  invalid: [
    {
      name: 'an old system',
      cluster: cluster(pool('ubuntu', '20.04')),
      policy: policy(),
      expected: [expected('ubuntu 20.04 on amd64')],
      help: `it is published for \`ubuntu22.04-amd64\`, \`ubuntu22.04-arm64\`, \`ubuntu24.04-amd64\`, \`ubuntu24.04-arm64\`, \`rhcos4.17-amd64\`, \`rhcos4.18-amd64\`, \`rhcos4.17-arm64\`, \`rhcos4.18-arm64\`, \`rhel10.0-amd64\`, \`rhel10.0-arm64\`, \`rhel10.2-amd64\`, \`rhel10.2-arm64\`, \`rhel8.10-amd64\`, \`rhel8.10-arm64\`, \`rhel9.4-amd64\`, \`rhel9.6-amd64\`, \`rhel9.4-arm64\`, \`rhel9.6-arm64\`, \`rhel9.8-amd64\`, \`rhel9.8-arm64\`, \`sles15.7-amd64\`, \`sles15.7-arm64\`; if the registry has your own image, add \`${DRIVER}-ubuntu20.04-amd64\` to \`spec.driver.precompiledTags\``,
    },
    {
      name: 'behind a mirror',
      cluster: cluster(pool('sles', '15.6', 'amd64')).replace(
        '  nodePools',
        '  mirrors: [{from: nvcr.io, to: harbor.corp}]\n  nodePools',
      ),
      policy: policy('{repoConfig: {name: repos}}'),
      expected: [expected('sles 15.6 on amd64').replace(':8:', ':9:')],
    },
  ],
});
