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
