import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const pool = (name: string, arch: string): string =>
  `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: ${arch}, kernel: 6.8.0-31-generic, labels: {pool: ${name}}}\n`;
const cluster = (...pools: readonly string[]): string =>
  clusterText(`  release: v26.4\n  nodePools:\n${pools.join('')}`);
const policy = (version: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: {version: "${version}"}\n`);

testRule('WEFT0572', {
  valid: [
    { name: 'one system', cluster: cluster(pool('a', 'amd64'), pool('b', 'amd64')), policy: policy(DIGEST) },
    {
      name: 'a version',
      cluster: cluster(pool('a', 'amd64'), pool('b', 'arm64')),
      policy: policy('doca3.4.1-26.04-1.1.0.0-3'),
    },
  ],
  invalid: [
    {
      name: 'two architectures',
      cluster: cluster(pool('a', 'amd64'), pool('b', 'arm64')),
      policy: policy(DIGEST),
      expected: [
        'policy.yaml:6:25 the driver of NicClusterPolicy `nic-cluster-policy` is one image by digest, and its node pools have several systems: `ubuntu 24.04 amd64`, `ubuntu 24.04 arm64`',
      ],
    },
  ],
});
