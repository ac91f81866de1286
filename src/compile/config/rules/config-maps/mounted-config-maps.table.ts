import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (spec: string) => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const CONFIG = '{"configList": [{"resourceName": "a", "rdmaHcaMax": 1, "devices": ["b"]}]}';
const configMap = (name: string, data = `data: {config.json: '${CONFIG}'}\n`) =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${data}`;
const WITHOUT_CONFIG = policy('  rdmaSharedDevicePlugin: {}\n');
const existing = (key: string) =>
  clusterText(
    `  release: v26.4\n  existingConfigMaps: [{name: rdma-devices, keys: [${key}]}]\n  nodePools:\n${UBUNTU_POOL}`,
  );
const WITHOUT_KEY =
  '`rdmaSharedDevicePlugin` has no `config`, and its pods mount `config.json` of the ConfigMap `rdma-devices`, which has no such key';
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
        `  release: v26.4\n  existingConfigMaps: [{name: network-operator-sriovdp-config, keys: [config.json]}]\n  nodePools:\n${UBUNTU_POOL}`,
      ),
      policy: policy('  sriovDevicePlugin: {}\n'),
    },
    { name: 'the ConfigMap of a NicNodePolicy', policy: `${NODE_POLICY}${configMap('rdma-devices-h100')}` },
    {
      name: 'a key that is not text',
      policy: `${WITHOUT_CONFIG}${configMap('rdma-devices', `binaryData: {config.json: ${btoa(CONFIG)}}\n`)}`,
    },
    {
      name: 'a ConfigMap that cannot be read',
      policy: `${WITHOUT_CONFIG}${configMap('rdma-devices', 'datas: {}\n')}`,
    },
    { name: 'another component', policy: policy('  nvIpam: {}\n') },
  ],
  invalid: [
    {
      name: 'nothing for the RDMA plugin',
      policy: policy('  rdmaSharedDevicePlugin: {}\n'),
      expected: [`policy.yaml:6:3 ${said('rdmaSharedDevicePlugin', 'rdma-devices')}`],
      help: 'give it a `config`; where something else keeps the ConfigMap in `nvidia-network-operator`, name it under `spec.existingConfigMaps` of the Cluster',
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
    {
      name: 'a ConfigMap with another key',
      policy: `${WITHOUT_CONFIG}${configMap('rdma-devices', `data: {config.jsn: '${CONFIG}'}\n`)}`,
      expected: [`policy.yaml:6:3 ${WITHOUT_KEY}`],
      help: 'did you mean `config.jsn`?',
    },
    {
      name: 'a ConfigMap without keys',
      policy: `${WITHOUT_CONFIG}${configMap('rdma-devices', '')}`,
      expected: [`policy.yaml:6:3 ${WITHOUT_KEY}`],
      help: 'give the ConfigMap the key `config.json`',
    },
    {
      name: 'a ConfigMap in the cluster with another key',
      cluster: existing('devices'),
      policy: WITHOUT_CONFIG,
      expected: [`policy.yaml:6:3 ${WITHOUT_KEY}`],
      help: 'give the ConfigMap the key `config.json`',
    },
  ],
});

const text = (json: string) =>
  `${WITHOUT_CONFIG}${configMap('rdma-devices', `data:\n  config.json: |\n    ${json}\n`)}`;

testRule('WEFT0143', {
  valid: [
    { name: 'a configuration', policy: text(CONFIG) },
    { name: 'keys that the plugin does not know', policy: text(CONFIG.replace('{', '{"other": 1, ')) },
    { name: 'a ConfigMap that no pod mounts', policy: text('{').replace('name: rdma-devices', 'name: other') },
    {
      name: 'a ConfigMap in another namespace',
      policy: text('{').replace('name: rdma-devices', 'name: rdma-devices, namespace: default'),
    },
  ],
  invalid: [
    {
      name: 'no JSON',
      policy: text('{"configList": [}'),
      expected: ['policy.yaml:13:21 `data["config.json"]` is not valid JSON: `}` where a value should be'],
    },
    {
      name: 'nothing',
      policy: `${WITHOUT_CONFIG}${configMap('rdma-devices', "data: {config.json: ''}\n")}`,
      expected: ['policy.yaml:11:22 `data["config.json"]` is not valid JSON: it ends where a value should be'],
    },
    {
      name: 'what the section would be refused for',
      policy: text('{"configList": [{"resourceName": "a-", "rdmaHcaMax": 1, "selectors": {"vendor": []}}]}'),
      expected: [
        'policy.yaml:13:21 `data["config.json"]`: `configList[0]` needs `selectors` with one of `vendors`, `deviceIDs`, `drivers`, `ifNames`, `linkTypes`, or `devices`: a list without entries counts as none',
        'policy.yaml:13:38 `data["config.json"]`: `configList[0].resourceName` must be letters, digits and `_`, with a letter or digit at each end, and at most 63 characters',
      ],
      help: 'write `a`',
    },
  ],
});
