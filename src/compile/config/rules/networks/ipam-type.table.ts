import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (ipam: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata:\n  name: net\nspec:\n  ipam: ${ipam}\n`;
const message = (type: string) =>
  `network \`net\` takes addresses from the IPAM plugin \`${type}\`, which is not known here`;

testRule('WEFT0274', {
  valid: [
    ...['{}', '""', '{type: nv-ipam}', '{type: dhcp}'].map((ipam) => ({ name: ipam, network: network(ipam) })),
    ...['host-local', 'calico-ipam', 'spiderpool', 'kube-ovn', 'azure-vnet-ipam', 'rail'].map((type) => ({
      name: `a plugin of others: ${type}`,
      network: network(`{type: ${type}}`),
    })),
  ],
  invalid: [
    {
      name: 'a missing letter',
      network: network('{type: whereabout, range: 10.0.0.0/24}'),
      expected: [`network.yaml:6:16 ${message('whereabout')}`],
      help: 'did you mean `whereabouts`?',
    },
    {
      name: 'a missing dash, in text',
      network: network(`'{"type": "nvipam"}'`),
      expected: [`network.yaml:6:19 ${message('nvipam')}`],
      help: 'did you mean `nv-ipam`?',
    },
    {
      name: 'in a plugin of a NetworkAttachmentDefinition',
      network: [
        'apiVersion: k8s.cni.cncf.io/v1',
        'kind: NetworkAttachmentDefinition',
        'metadata: {name: net, namespace: default}',
        'spec:',
        '  config: |',
        '    {"cniVersion": "1.0.0", "plugins": [',
        '      {"type": "macvlan", "ipam": {"type": "whereabout"}}]}',
        '',
      ].join('\n'),
      expected: [`network.yaml:7:44 ${message('whereabout')}`],
      help: 'did you mean `whereabouts`?',
    },
  ],
});

const definition = (config: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '${config}'\n`;
const plugin = (type: string) => `network \`net\` has the CNI plugin \`${type}\`, which is not known here`;

testRule('WEFT0274', {
  valid: ['macvlan', 'ib-sriov', 'cilium-cni', 'multus-shim', 'azure-vnet'].map((type) => ({
    name: `a CNI plugin: ${type}`,
    network: definition(`{"type": "${type}"}`),
  })),
  invalid: [
    {
      name: 'a CNI plugin with a dash too many',
      network: definition('{"type": "mac-vlan"}'),
      expected: [`network.yaml:5:21 ${plugin('mac-vlan')}`],
      help: 'did you mean `macvlan`?',
    },
    {
      name: 'one of a list',
      network: definition('{"plugins": [{"type": "macvlan"}, {"type": "tunning"}]}'),
      expected: [`network.yaml:5:55 ${plugin('tunning')}`],
      help: 'did you mean `tuning`?',
    },
  ],
});
