import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const VERSION = '24.10-0.7.0.0-0';
/** NVIDIA's page has its images for single kernels. */
const PUBLISHED = 'doca3.4.0-26.04-0.8.6.0-0';
const policy = (more: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n    version: ${VERSION}\n${more}`);
const cluster = (pools: string, more = ''): string => clusterText(`  release: v26.4\n${more}  nodePools:\n${pools}`);
const tag = `${VERSION}-6.8.0-31-generic-ubuntu24.04-amd64`;

testRule('WEFT0214', {
  valid: [
    { name: 'not forced', policy: policy('') },
    {
      name: 'a known tag',
      cluster: cluster(UBUNTU_POOL, `  driver: {precompiledTags: [${tag}]}\n`),
      policy: policy('    forcePrecompiled: true\n'),
    },
    {
      name: 'a digest',
      policy: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        `  ofedDriver: {forcePrecompiled: true, version: "sha256:${'0'.repeat(64)}"}\n`,
      ),
    },
  ],
  invalid: [
    {
      name: 'a tag that is not listed',
      policy: policy('    forcePrecompiled: true\n'),
      expected: [
        'policy.yaml:8:23 `forcePrecompiled` is set, and no precompiled driver is known for node pool `workers`',
      ],
      help: `if the registry has it, add \`${tag}\` to \`spec.driver.precompiledTags\` of the Cluster`,
    },
    {
      name: 'a kernel for which NVIDIA published none',
      policy: policy('    forcePrecompiled: true\n').replace(VERSION, PUBLISHED),
      expected: [
        'policy.yaml:8:23 `forcePrecompiled` is set, and no precompiled driver is known for node pool `workers`',
      ],
      help: `NVIDIA published precompiled drivers of this version for the kernels \`6.17.0-1016-oracle\`, \`6.17.0-1017-aws\`, \`6.17.0-1017-azure\`, \`6.17.0-1021-nvidia\`, \`6.8.0-124-generic\` of ubuntu24.04-amd64; if the registry has your own, add \`${PUBLISHED}-6.8.0-31-generic-ubuntu24.04-amd64\` to \`spec.driver.precompiledTags\` of the Cluster`,
    },
    {
      name: 'a kernel for which NVIDIA published one',
      cluster: cluster(UBUNTU_POOL.replace('-31-', '-124-')),
      policy: policy('    forcePrecompiled: true\n').replace(VERSION, PUBLISHED),
      expected: [
        'policy.yaml:8:23 `forcePrecompiled` is set, and no precompiled driver is known for node pool `workers`',
      ],
      help: `add \`${PUBLISHED}-6.8.0-124-generic-ubuntu24.04-amd64\` to \`spec.driver.precompiledTags\` of the Cluster`,
    },
    {
      name: 'a pool of many kernels',
      cluster: cluster(UBUNTU_POOL.replace(', kernel: 6.8.0-31-generic', '')),
      policy: policy('    forcePrecompiled: true\n'),
      expected: [
        'policy.yaml:8:23 `forcePrecompiled` is set, and no precompiled driver is known for node pool `workers`',
      ],
      help: 'give the pool its `kernel`: a precompiled driver is for one kernel',
    },
  ],
});

const rhcos = (more: string): string => `    - {name: w, osName: rhcos, osVersion: "4.18", arch: amd64${more}}\n`;
const OPENSHIFT = '  platform: openshift\n';
const TOOLKIT = `${OPENSHIFT}  openshift: {driverToolkitImages: {"418.1": quay.io/a/b:c}}\n`;

testRule('WEFT0215', {
  valid: [
    {
      name: 'a known image',
      cluster: cluster(rhcos(', kernel: a, rhcosVersion: "418.1"'), TOOLKIT),
      policy: policy(''),
    },
    {
      name: 'no toolkit wanted',
      cluster: cluster(rhcos(''), `${OPENSHIFT}  openshift: {useDriverToolkit: false}\n`),
      policy: policy(''),
    },
    { name: 'no OpenShift', policy: policy('') },
    {
      name: 'a precompiled driver',
      cluster: cluster(
        rhcos(', kernel: a'),
        `${OPENSHIFT}  driver: {precompiledTags: [${VERSION}-a-rhcos4.18-amd64]}\n`,
      ),
      policy: policy(''),
    },
  ],
  invalid: [
    {
      name: 'no RHCOS version and no kernel',
      cluster: cluster(rhcos(''), TOOLKIT),
      policy: policy(''),
      expected: [
        'cluster.yaml:10:14 node pool `w` needs its `kernel`: its driver is compiled in the OpenShift Driver Toolkit',
        'cluster.yaml:10:14 node pool `w` needs its `rhcosVersion`: its driver is compiled in the OpenShift Driver Toolkit',
      ],
    },
    {
      name: 'another RHCOS version',
      cluster: cluster(rhcos(', kernel: a, rhcosVersion: "418.2"'), TOOLKIT),
      policy: policy(''),
      expected: ['cluster.yaml:10:89 `spec.openshift.driverToolkitImages` has no image for `rhcosVersion` 418.2'],
      help: 'add it: `oc get imagestream -n openshift driver-toolkit -o yaml` lists the images by version',
    },
  ],
});
