import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const pool = (osName: string, osVersion: string): string =>
  `    - {name: ${osName}, osName: ${osName}, osVersion: "${osVersion}", arch: amd64, kernel: one, rhcosVersion: "1"}\n`;
const MIRROR = '  mirrors: [{from: nvcr.io, to: harbor.corp}]\n';
const cluster = (more: string, ...pools: readonly string[]): string =>
  clusterText(`  release: v26.4.1\n${more}  nodePools:\n${pools.join('')}`);
const policy = (driver = '{}'): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: ${driver}\n`);
const UBUNTU = pool('ubuntu', '24.04');

testRule('WEFT0591', {
  valid: [
    { name: 'no mirrors', cluster: cluster('', UBUNTU), policy: policy() },
    { name: 'a mirror for other images', cluster: cluster(MIRROR.replace('nvcr', 'ghcr'), UBUNTU), policy: policy() },
    {
      name: 'repositories',
      cluster: cluster(`${MIRROR}  existingConfigMaps: [{name: repos, keys: [a.list]}]\n`, UBUNTU),
      policy: policy('{repoConfig: {name: repos}}'),
    },
    {
      name: 'a precompiled image',
      cluster: cluster(
        `${MIRROR}  driver: {precompiledTags: [doca3.4.1-26.04-1.1.0.0-1-one-ubuntu24.04-amd64]}\n`,
        UBUNTU,
      ),
      policy: policy(),
    },
    {
      name: 'the OpenShift Driver Toolkit',
      cluster: cluster(
        `${MIRROR}  platform: openshift\n  openshift: {driverToolkitImages: {"1": quay.io/a/b:c}}\n`,
        pool('rhcos', '4.18'),
      ),
      policy: policy(),
    },
  ],
  invalid: [
    {
      name: 'a registry of the policy',
      cluster: cluster('', UBUNTU),
      policy: policy('{repository: harbor.corp/nvidia/mellanox}'),
      expected: [
        'policy.yaml:6:3 the driver is compiled on the nodes of ubuntu, and downloads packages then: `linux-headers-<kernel>`, `pkg-config` and the `gcc` of the kernel, by apt',
      ],
    },
    {
      name: 'two systems',
      cluster: cluster(MIRROR, UBUNTU, pool('sles', '15.7')),
      policy: policy(),
      expected: [
        'policy.yaml:6:3 the driver is compiled on the nodes of sles, and downloads packages then: `kernel-default-devel` and the `gcc` of the kernel, by zypper',
        'policy.yaml:6:3 the driver is compiled on the nodes of ubuntu, and downloads packages then: `linux-headers-<kernel>`, `pkg-config` and the `gcc` of the kernel, by apt',
      ],
    },
  ],
});
