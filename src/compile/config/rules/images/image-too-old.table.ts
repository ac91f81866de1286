import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (section: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${section}\n`);
const multus = (version: string): string =>
  policy(
    `secondaryNetwork: {multus: {image: multus-cni, repository: ghcr.io/k8snetworkplumbingwg, version: ${version}}}`,
  );

testRule('WEFT0337', {
  valid: [
    { name: 'of the release', policy: policy('secondaryNetwork: {multus: {}}') },
    { name: 'the oldest', policy: multus('v4.1.0') },
    { name: 'a newer one', policy: multus('v4.2.3') },
    { name: 'a tag without a version', policy: multus('stable') },
    { name: 'a tag of the operator', policy: multus('network-operator-v25.10.0') },
    { name: 'a driver of the release line', policy: policy('ofedDriver: {version: doca3.4.1-26.04-1.1.0.0-1}') },
    { name: 'the oldest driver', policy: policy('ofedDriver: {version: 24.10-0.7.0.0-0}') },
    { name: 'a device plugin without CDI', policy: policy('rdmaSharedDevicePlugin: {version: v1.3.2}') },
    { name: 'the oldest with CDI', policy: policy('rdmaSharedDevicePlugin: {useCdi: true, version: v1.4.0}') },
    { name: 'NV-IPAM', policy: policy('nvIpam: {version: v0.2.0}') },
  ],
  invalid: [
    {
      name: 'the RDMA plugin without CDI',
      policy: policy('rdmaSharedDevicePlugin: {useCdi: true, version: v1.3.2}'),
      expected: [
        'policy.yaml:6:51 `spec.rdmaSharedDevicePlugin.version` is `v1.3.2`, and what is rendered needs 1.4: older images do not know the option `--use-cdi` of `useCdi: true`, and their pods crash-loop',
      ],
    },
    {
      name: 'the SR-IOV plugin without CDI',
      policy: policy('sriovDevicePlugin: {useCdi: true, version: v3.5.1}'),
      expected: [
        'policy.yaml:6:46 `spec.sriovDevicePlugin.version` is `v3.5.1`, and what is rendered needs 3.6: older images do not know the option `--use-cdi` of `useCdi: true`, and their pods crash-loop',
      ],
    },
    {
      name: 'Multus without its entrypoint',
      policy: multus('v3.9.3'),
      expected: [
        'policy.yaml:6:101 `spec.secondaryNetwork.multus.version` is `v3.9.3`, and what is rendered needs 4.1: older images have no `/thin_entrypoint` with `--skip-config-watch`, and their pods crash-loop',
      ],
      help: 'remove `version`, `image` and `repository`: the release fills them',
    },
    {
      name: 'Multus without an option',
      policy: multus('v4.0.2'),
      expected: [
        'policy.yaml:6:101 `spec.secondaryNetwork.multus.version` is `v4.0.2`, and what is rendered needs 4.1: older images have no `/thin_entrypoint` with `--skip-config-watch`, and their pods crash-loop',
      ],
    },
    {
      name: 'the other build of Multus',
      policy: multus('v4.2.3-thick'),
      expected: [
        'policy.yaml:6:101 `spec.secondaryNetwork.multus.version` is `v4.2.3-thick`: the thick plugin has no `/thin_entrypoint`, and its pods crash-loop',
      ],
    },
    {
      name: 'an old driver',
      policy: policy('ofedDriver: {image: mofed, repository: nvcr.io/nvidia/mellanox, version: 23.10-0.5.5.0}'),
      expected: [
        'policy.yaml:6:76 `spec.ofedDriver.version` is `23.10-0.5.5.0`, and what is rendered needs 24.10: older drivers are of operators with other manifests',
      ],
    },
    {
      name: 'NV-IPAM without exclusions',
      policy: policy('nvIpam: {version: v0.1.2}'),
      expected: [
        'policy.yaml:6:21 `spec.nvIpam.version` is `v0.1.2`, and what is rendered needs 0.2: older images know no `exclusions` of pools, and give those addresses to pods',
      ],
    },
  ],
});
