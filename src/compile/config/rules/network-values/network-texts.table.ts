import { testRule } from '../../../../../test/golden/rule-table.js';

const sriov = (fields: string, kind = 'SriovNetwork'): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: ${kind}\nmetadata: {name: net}\nspec:\n  resourceName: r\n  ${fields}\n`;
const definition = (config: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '${config}'\n`;

testRule('WEFT0321', {
  valid: [
    { name: 'objects', network: sriov(`ipam: '{"type": "nv-ipam"}'\n  capabilities: '{"mac": true}'`) },
    { name: 'one plugin', network: sriov(`metaPlugins: '{"type": "rdma"}'`) },
    { name: 'several plugins', network: sriov(`metaPlugins: '{"type": "rdma"}, {"type": "tuning"}'`, 'OVSNetwork') },
    { name: 'blank text', network: sriov(`ipam: ' '\n  metaPlugins: ''`, 'SriovIBNetwork') },
    { name: 'a configuration', network: definition('{"type": "macvlan", "master": "eth0"}') },
    { name: 'a definition without a configuration', network: definition('') },
  ],
  invalid: [
    {
      name: 'a comma at the end',
      network: sriov(`ipam: '{"type": "nv-ipam", "poolName": "p",}'`),
      expected: [
        'network.yaml:6:46 `spec.ipam` of SriovNetwork `net` must be a JSON object: `}` where a key in double quotes should be',
      ],
      help: 'remove the comma that nothing follows',
    },
    {
      name: 'a name alone',
      network: sriov('ipam: nv-ipam', 'SriovIBNetwork'),
      expected: [
        'network.yaml:6:9 `spec.ipam` of SriovIBNetwork `net` must be a JSON object: `nv-ipam` is no word of JSON; text stands in double quotes',
      ],
      help: 'write a JSON object',
    },
    {
      name: 'a list of capabilities',
      network: sriov(`capabilities: '["mac"]'`),
      expected: ['network.yaml:6:17 `spec.capabilities` of SriovNetwork `net` must be a JSON object'],
    },
    {
      name: 'a comma after the plugins, and a list of them',
      network: `${sriov(`metaPlugins: '{"type": "rdma"},'`, 'OVSNetwork')}---\n${sriov(`metaPlugins: '[{"type": "rdma"}]'`).replace('net}', 'other}')}`,
      expected: [
        'network.yaml:6:33 `spec.metaPlugins` of OVSNetwork `net` must be JSON objects with commas between them: it ends where more should be',
        'network.yaml:13:16 `spec.metaPlugins` of SriovNetwork `other` must be JSON objects with commas between them',
      ],
      help: 'remove the comma that nothing follows',
    },
    {
      name: 'a configuration',
      network: definition('{"type": "macvlan", "master": "eth0",}'),
      expected: [
        'network.yaml:5:49 `spec.config` of NetworkAttachmentDefinition `net` must be a JSON object: `}` where a key in double quotes should be',
      ],
    },
  ],
});
