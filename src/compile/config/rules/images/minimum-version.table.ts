import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const kubernetes = (version: string, release = '  release: v26.7\n'): string =>
  clusterText(`${release}  kubernetesVersion: "${version}"\n  nodePools: []\n`);

interface Pool {
  readonly osName?: string;
  readonly osVersion: string;
  readonly rhcosVersion?: string;
}

const openshift = (pools: readonly Pool[], version = '1.30', release = '  release: v26.7\n'): string =>
  clusterText(
    `${release}  platform: openshift\n  kubernetesVersion: "${version}"\n  nodePools:\n${pools
      .map(
        ({ osName = 'rhcos', osVersion, rhcosVersion = '' }, index) =>
          `    - {name: p${index}, osName: ${osName}, osVersion: "${osVersion}", rhcosVersion: "${rhcosVersion}", arch: amd64, kernels: [a, b]}\n`,
      )
      .join('')}`,
  );
const policy = (sections: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', sections);
/** A section whose image is written by hand. */
const image = (section: string, name: string, version: string): string =>
  `  ${section}: {repository: nvcr.io/nvidia/mellanox, image: ${name}, version: ${version}}\n`;
const driver = (version: string): string => image('ofedDriver', 'doca-driver', version);
const telemetry = image('docaTelemetryService', 'doca_telemetry', '1.25.5-doca3.4.0-host');

testRule('WEFT0261', {
  valid: [
    { name: 'the oldest', cluster: kubernetes('1.32') },
    { name: 'a newer one, with its patch', cluster: kubernetes('v1.100.3') },
    { name: 'no version', cluster: clusterText('  release: v26.7\n  nodePools: []\n') },
    { name: 'no release', cluster: kubernetes('1.20', '') },
    { name: 'an unknown release', cluster: kubernetes('1.20', '  release: v1.0\n') },
    { name: 'an older release', cluster: kubernetes('1.31', '  release: v26.4\n') },
    { name: 'OpenShift', cluster: openshift([{ osVersion: '4.17' }, { osVersion: '4.18.3' }]) },
    {
      name: 'OpenShift whose nodes report RHEL',
      cluster: openshift([{ osName: 'rhel', osVersion: '9.6', rhcosVersion: '9.6.20250916-0' }], '1.33'),
    },
    {
      name: 'nodes of OpenShift 4.17 by their image',
      cluster: openshift([{ osVersion: '4.17', rhcosVersion: '417.94.202412170000-0' }]),
    },
    {
      name: 'an image that an older release has, too',
      cluster: kubernetes('1.25', ''),
      policy: policy(telemetry),
    },
    {
      name: 'an image that the chosen release has, too',
      cluster: kubernetes('1.32'),
      policy: policy(telemetry),
    },
    {
      name: 'images that the catalog does not have',
      cluster: kubernetes('1.20', ''),
      policy: policy(driver('doca3.5.0-26.07-0.1.1.1-0')),
    },
    {
      name: 'what a component needs',
      cluster: kubernetes('1.25', ''),
      policy: policy(image('nvIpam', 'nvidia-k8s-ipam', 'v0.3.7')),
    },
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
      cluster: kubernetes('v1.9.12', '  release: v26.4\n'),
      expected: ['cluster.yaml:7:22 release v26.4 needs Kubernetes 1.21, and this is v1.9.12'],
    },
    {
      name: 'an old OpenShift, once for each pool',
      cluster: openshift([{ osVersion: '4.9' }, { osVersion: '4.18' }, { osVersion: '4.16' }]),
      expected: [
        'cluster.yaml:10:44 release v26.7 needs OpenShift 4.17, and pool `p0` has 4.9',
        'cluster.yaml:12:44 release v26.7 needs OpenShift 4.17, and pool `p2` has 4.16',
      ],
    },
    {
      name: 'an old OpenShift, with its patch',
      cluster: openshift([{ osVersion: '4.16.3' }]),
      expected: ['cluster.yaml:10:44 release v26.7 needs OpenShift 4.17, and pool `p0` has 4.16'],
    },
    {
      name: 'an old OpenShift by the image of its nodes',
      cluster: openshift([
        { osName: 'rhel', osVersion: '9.4', rhcosVersion: '416.94.202406172220-0' },
        { osVersion: '4.18', rhcosVersion: '49.84.202110081407-0' },
      ]),
      expected: [
        'cluster.yaml:10:64 release v26.7 needs OpenShift 4.17, and pool `p0` has 4.16',
        'cluster.yaml:11:66 release v26.7 needs OpenShift 4.17, and pool `p1` has 4.9',
      ],
    },
    {
      name: 'an old Kubernetes on OpenShift',
      cluster: openshift([{ osVersion: '4.18' }], '1.20', '  release: v26.4\n'),
      expected: ['cluster.yaml:8:22 release v26.4 needs OpenShift 4.17, which has Kubernetes 1.30, and this is 1.20'],
    },
    ...[
      { release: 'v26.7', version: '1.20', minimum: '1.32', image: driver('doca3.5.0-26.07-0.7.7.0-0') },
      { release: 'v26.4', version: '1.15', minimum: '1.21', image: driver('doca3.4.1-26.04-1.1.0.0-1') },
      { release: 'v26.4', version: '1.15', minimum: '1.21', image: telemetry },
    ].map(({ release, version, minimum, image: section }) => ({
      name: `an image of ${release} without a release: ${section.trim()}`,
      cluster: kubernetes(version, ''),
      policy: policy(section),
      expected: [`cluster.yaml:6:22 release ${release} needs Kubernetes ${minimum}, and this is ${version}`],
      help: 'choose an older release, or upgrade the cluster first',
    })),
    {
      name: 'images of one release, once',
      cluster: kubernetes('1.20', ''),
      policy: policy(
        `${driver('doca3.5.0-26.07-0.7.7.0-0')}${image('nvIpam', 'nvidia-k8s-ipam', 'network-operator-v26.7.0')}`,
      ),
      expected: ['cluster.yaml:6:22 release v26.7 needs Kubernetes 1.32, and this is 1.20'],
    },
    {
      name: 'an image of a newer release than the chosen one',
      cluster: kubernetes('1.31', '  release: v26.4\n'),
      policy: policy('  nvIpam: {version: network-operator-v26.7.0}\n'),
      expected: ['cluster.yaml:7:22 release v26.7 needs Kubernetes 1.32, and this is 1.31'],
    },
    {
      name: 'images of a release on OpenShift',
      cluster: openshift([{ osVersion: '4.16' }], '1.30', ''),
      policy: policy('  nvIpam: {repository: nvcr.io/a, image: b, version: network-operator-v26.7.0}\n'),
      expected: ['cluster.yaml:9:44 release v26.7 needs OpenShift 4.17, and pool `p0` has 4.16'],
    },
    {
      name: 'components, more than the release',
      cluster: kubernetes('1.24', '  release: v26.4\n'),
      policy: policy(
        '  nvIpam: {}\n  nicConfigurationOperator: {operator: {}, configurationDaemon: {}}\n  ofedDriver: {}\n',
      ),
      expected: [
        'cluster.yaml:7:22 `spec.nicConfigurationOperator` needs Kubernetes 1.25, and this is 1.24',
        'cluster.yaml:7:22 `spec.nvIpam` needs Kubernetes 1.25, and this is 1.24',
      ],
      help: 'remove the section, or upgrade the cluster first',
    },
    {
      name: 'components that ask for more than an old release',
      cluster: kubernetes('1.20', '  release: v26.4\n'),
      policy: policy('  spectrumXOperator: {}\n  secondaryNetwork: {multus: {}}\n'),
      expected: [
        'cluster.yaml:7:22 `spec.spectrumXOperator` needs Kubernetes 1.25, and this is 1.20',
        'cluster.yaml:7:22 release v26.4 needs Kubernetes 1.21, and this is 1.20',
      ],
    },
    {
      name: 'components that ask for less than the release',
      cluster: kubernetes('1.20'),
      policy: policy('  nvIpam: {}\n'),
      expected: ['cluster.yaml:7:22 release v26.7 needs Kubernetes 1.32, and this is 1.20'],
    },
    {
      name: 'components without a release',
      cluster: kubernetes('1.16', ''),
      policy: policy(
        `${driver('24.01-0.3.3.1-0')}  secondaryNetwork:\n    multus: {repository: ghcr.io/a, image: b, version: c}\n    cniPlugins: {repository: ghcr.io/a, image: b, version: c}\n`,
      ),
      expected: [
        'cluster.yaml:6:22 `spec.ofedDriver` needs Kubernetes 1.18, and this is 1.16',
        'cluster.yaml:6:22 `spec.secondaryNetwork.multus` needs Kubernetes 1.17, and this is 1.16',
      ],
    },
    {
      name: 'components on OpenShift',
      cluster: openshift([{ osVersion: '4.9' }], '1.24', ''),
      policy: policy('  nvIpam: {repository: ghcr.io/a, image: b, version: c}\n'),
      expected: [
        'cluster.yaml:7:22 `spec.nvIpam` needs Kubernetes 1.25, and this is 1.24',
        'cluster.yaml:9:44 `spec.nvIpam` needs Kubernetes 1.25, and pool `p0` has OpenShift 4.9, which has Kubernetes 1.22',
      ],
    },
  ],
});
