import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const policy = (spec: string) => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const configMap = (name: string) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const NODE_POLICY = policyText(
  'NicNodePolicy',
  'h100',
  '  nodeSelector: {kubernetes.io/os: linux}\n  rdmaSharedDevicePlugin: {}\n',
);
const said = (section: string, name: string) =>
  `\`${section}\` has no \`config\`, and its pods mount the ConfigMap \`${name}\`, which no document defines`;

testRule('WEFT0269', {
  valid: [
    {
      name: 'a config',
      policy: policy(
        '  rdmaSharedDevicePlugin: {config: {configList: [{resourceName: a, rdmaHcaMax: 1, selectors: {vendors: ["15b3"]}}]}}\n',
      ),
    },
    {
      name: 'the ConfigMap in the input',
      policy: `${policy('  rdmaSharedDevicePlugin: {}\n')}${configMap('rdma-devices')}`,
    },
    {
      name: 'the ConfigMap in the cluster',
      cluster: clusterText(
        `  release: v26.7\n  existingConfigMaps: [{name: network-operator-sriovdp-config, keys: [config.json]}]\n  nodePools:\n${UBUNTU_POOL}`,
      ),
      policy: policy('  sriovDevicePlugin: {}\n'),
    },
    { name: 'the ConfigMap of a NicNodePolicy', policy: `${NODE_POLICY}${configMap('rdma-devices-h100')}` },
    { name: 'another component', policy: policy('  nvIpam: {}\n') },
  ],
  invalid: [
    {
      name: 'nothing for the RDMA plugin',
      policy: policy('  rdmaSharedDevicePlugin: {}\n'),
      expected: [`policy.yaml:6:3 ${said('rdmaSharedDevicePlugin', 'rdma-devices')}`],
      help: 'give it a `config`; where somebody else keeps the ConfigMap in `nvidia-network-operator`, name it under `spec.existingConfigMaps` of the Cluster',
    },
    {
      name: 'an empty config',
      policy: policy(`  rdmaSharedDevicePlugin: {config: ''}\n`),
      expected: [`policy.yaml:6:3 ${said('rdmaSharedDevicePlugin', 'rdma-devices')}`],
    },
    {
      name: 'nothing for the SR-IOV plugin',
      policy: policy('  sriovDevicePlugin: {}\n'),
      expected: [`policy.yaml:6:3 ${said('sriovDevicePlugin', 'network-operator-sriovdp-config')}`],
    },
    {
      name: 'a ConfigMap of almost that name',
      policy: `${NODE_POLICY}${configMap('rdma-device-h100')}`,
      expected: [`policy.yaml:7:3 ${said('rdmaSharedDevicePlugin', 'rdma-devices-h100')}`],
      help: 'there is `rdma-device-h100`: the pods take no other name than `rdma-devices-h100`',
    },
    {
      name: 'the ConfigMap in another namespace',
      policy: `${policy('  rdmaSharedDevicePlugin: {}\n')}${configMap('rdma-devices, namespace: default')}`,
      expected: [`policy.yaml:6:3 ${said('rdmaSharedDevicePlugin', 'rdma-devices')}`],
    },
  ],
});
