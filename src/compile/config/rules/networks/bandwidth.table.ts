import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (metaPlugins: string, kind = 'MacvlanNetwork', fields = ''): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata: {name: net}\nspec:\n  ${fields}metaPlugins: ${metaPlugins}\n`;
const message = (kind: string) =>
  `no pod on ${kind} \`net\` starts: the CNI plugin \`bandwidth\` needs a veth device, which the network does not make`;
const help = 'remove `bandwidth` from `metaPlugins`';

testRule('WEFT0317', {
  valid: [
    { name: 'another plugin', network: network('[{type: tuning, mtu: 9000}]') },
    { name: 'no rate', network: network('[{type: bandwidth, ingressRate: 0, capabilities: {bandwidth: true}}]') },
  ],
  invalid: [
    {
      name: 'incoming traffic',
      network: network('[{type: tuning}, {type: bandwidth, ingressRate: 1000, ingressBurst: 1000}]'),
      expected: [`network.yaml:5:3 ${message('MacvlanNetwork')}`],
      help,
    },
    {
      name: 'outgoing traffic, in text',
      network: network(
        `'{"type": "bandwidth", "egressRate": 1000, "egressBurst": 1000}'`,
        'HostDeviceNetwork',
        'resourceName: a\n  ',
      ),
      expected: [`network.yaml:6:3 ${message('HostDeviceNetwork')}`],
      help,
    },
  ],
});
