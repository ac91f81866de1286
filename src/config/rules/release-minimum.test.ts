import { clusterText } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const kubernetes = (version: string, release = '  release: v26.7\n'): string =>
  clusterText(`${release}  kubernetesVersion: "${version}"\n  nodePools: []\n`);
const openshift = (...versions: readonly string[]): string =>
  clusterText(
    `  release: v26.7\n  platform: openshift\n  kubernetesVersion: "1.29"\n  nodePools:\n${versions
      .map(
        (version, index) =>
          `    - {name: p${index}, osName: rhcos, osVersion: "${version}", arch: amd64, kernels: [a, b]}\n`,
      )
      .join('')}`,
  );

testRule('WEFT0261', {
  valid: [
    { name: 'the oldest', cluster: kubernetes('1.32') },
    { name: 'a newer one, with its patch', cluster: kubernetes('v1.100.3') },
    { name: 'no version', cluster: clusterText('  release: v26.7\n  nodePools: []\n') },
    { name: 'no release', cluster: kubernetes('1.20', '') },
    { name: 'an unknown release', cluster: kubernetes('1.20', '  release: v1.0\n') },
    { name: 'an older release', cluster: kubernetes('1.31', '  release: v26.4\n') },
    { name: 'OpenShift', cluster: openshift('4.17', '4.20') },
    { name: 'OpenShift whose node image is named after RHEL', cluster: openshift('9.6') },
  ],
  invalid: [
    {
      name: 'an old Kubernetes',
      cluster: kubernetes('1.31'),
      expected: ['cluster.yaml:7:22 release v26.7 needs Kubernetes 1.32, and this is 1.31'],
      help: 'choose an older release, or upgrade the cluster first',
    },
    {
      name: 'an old Kubernetes, with v and patch',
      cluster: kubernetes('v1.9.12', '  release: v26.1\n'),
      expected: ['cluster.yaml:7:22 release v26.1 needs Kubernetes 1.21, and this is v1.9.12'],
    },
    {
      name: 'an old OpenShift, once for each pool',
      cluster: openshift('4.9', '4.18', '4.16'),
      expected: [
        'cluster.yaml:10:44 release v26.7 needs OpenShift 4.17, and pool `p0` has 4.9',
        'cluster.yaml:12:44 release v26.7 needs OpenShift 4.17, and pool `p2` has 4.16',
      ],
    },
  ],
});
