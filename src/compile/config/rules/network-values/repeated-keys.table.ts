import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (field: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: net}\nspec:\n  ${field}\n`;
const definition = (config: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '${config}'\n`;
const policy = (config: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\nspec:\n  rdmaSharedDevicePlugin:\n    config: '${config}'\n`;
const found = (place: string, field: string, key: string, taken = 'the last one'): string =>
  `${place} \`${field}\` has the key \`${key}\` twice: the program that reads it takes ${taken}`;

testRule('WEFT0344', {
  valid: [
    { name: 'one key in two objects', network: definition('{"type": "a", "ipam": {"type": "b\\": \\""}}') },
    { name: 'text that is no JSON', network: definition('{"type": "a", "type"}') },
    { name: 'data', network: network('ipam: {type: nv-ipam}') },
  ],
  invalid: [
    {
      name: 'keys of a configuration, and of a part of it',
      network: definition('{"mtu": 1, "type": "macvlan", "ipam": {"type": "a", "type": "b"}, "mtu": 2}'),
      expected: [found('network.yaml:5:64', 'config', 'type'), found('network.yaml:5:78', 'config', 'mtu')],
      help: 'remove one of them',
    },
    {
      name: 'keys of a further plugin',
      network: network(`metaPlugins: '{"type": "rdma"}, {"type": "tuning", "mtu": 1, "mtu": 2}'`),
      expected: [found('network.yaml:5:64', 'metaPlugins', 'mtu')],
    },
    {
      name: 'keys of a device plugin',
      policy: policy(
        '{"configList": [{"resourceName": "a", "rdmaHcaMax": 1, "rdmaHcaMax": 63, "selectors": {"vendors": ["15b3"]}}]}',
      ),
      expected: [found('policy.yaml:6:69', 'config', 'rdmaHcaMax')],
    },
    {
      name: 'objects, which a program may read into each other',
      policy: policy(
        '{"configList": [{"resourceName": "a", "rdmaHcaMax": 1, "selectors": {"vendors": ["15b3"]}, "selectors": {"ifNames": ["a"]}}]}',
      ),
      expected: [found('policy.yaml:6:105', 'config', 'selectors', 'the last one, or what both have together')],
    },
    {
      name: 'lists of objects',
      policy: policy(
        '{"configList": [], "configList": [{"resourceName": "a", "rdmaHcaMax": 1, "selectors": {"vendors": ["a"], "vendors": ["15b3"]}}]}',
      ),
      expected: [found('policy.yaml:6:33', 'config', 'configList'), found('policy.yaml:6:119', 'config', 'vendors')],
    },
  ],
});
