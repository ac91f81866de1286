import { testRule } from '../../../../../test/golden/rule-table.js';

const pool = (name: string, subnet: string, more = ''): string =>
  `apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: ${name}}\nspec:\n  subnet: ${subnet}\n` +
  `  perNodeBlockSize: 4\n${more}`;
const cidr = (name: string, text: string): string =>
  `apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: CIDRPool\nmetadata: {name: ${name}}\nspec:\n  cidr: ${text}\n` +
  '  perNodeNetworkPrefix: 26\n';
const network = (name: string, ipam: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata:\n  name: ${name}\nspec:\n  ipam: ${ipam}\n`;
const whereabouts = (name: string, more: string): string => network(name, `{type: whereabouts, ${more}}`);
const list = (...documents: readonly string[]): string => documents.join('---\n');

testRule('WEFT0500', {
  valid: [
    { name: 'pools apart', policy: list(pool('a', '10.0.0.0/24'), pool('b', '10.0.1.0/24'), cidr('c', '10.0.2.0/24')) },
    {
      name: 'pools that exclude the addresses of each other',
      policy: list(
        pool('a', '10.0.0.0/24', '  exclusions: [{startIP: 10.0.0.0, endIP: 10.0.0.127}]\n'),
        pool('b', '10.0.0.0/25'),
      ),
    },
    { name: 'two families', policy: list(pool('a', '10.0.0.0/24'), pool('b', '"fd00::/120"')) },
    {
      name: 'ranges of one plugin, which knows both',
      network: list(whereabouts('a', 'range: 10.0.0.0/24'), whereabouts('b', 'range: 10.0.0.0/25')),
    },
    {
      name: 'one range in two networks, whose reservations are one object',
      network: list(
        whereabouts('a', 'range: 10.0.0.0/24, enable_overlapping_ranges: false'),
        whereabouts('b', 'range: 10.0.0.0/24, enable_overlapping_ranges: false'),
      ),
    },
    {
      name: 'ranges of networks that are kept apart by name',
      network: list(
        whereabouts('a', 'range: 10.0.0.0/24, network_name: red, enable_overlapping_ranges: false'),
        whereabouts('b', 'range: 10.0.0.0/25, network_name: blue'),
      ),
    },
    {
      name: 'a range that begins behind a pool',
      policy: pool('a', '10.0.0.0/25'),
      network: whereabouts('b', 'range: 10.0.0.0/24, range_start: 10.0.0.128'),
    },
    {
      name: 'a range between two addresses',
      policy: pool('a', '10.0.0.0/25'),
      network: whereabouts('b', 'range: 10.0.0.200-10.0.0.210/24'),
    },
    {
      name: 'a range that leaves a pool out',
      policy: pool('a', '10.0.0.0/25'),
      network: whereabouts('b', 'range: 10.0.0.0/24, exclude: [10.0.0.0/25]'),
    },
  ],
  invalid: [
    {
      name: 'two pools',
      policy: list(pool('a', '10.0.0.0/16'), pool('b', '10.0.4.0/24')),
      expected: ['policy.yaml:12:11 IPPool `b` and IPPool `a` give the same addresses to pods'],
      help: 'give them ranges of their own, or exclude from each the addresses of the other',
    },
    {
      name: 'pools of two kinds',
      policy: list(pool('a', '10.0.0.0/16'), cidr('b', '10.0.4.0/24')),
      expected: ['policy.yaml:12:9 CIDRPool `b` and IPPool `a` give the same addresses to pods'],
    },
    {
      name: 'a pool and a range',
      policy: pool('a', '10.0.0.0/24'),
      network: whereabouts('b', 'range: 10.0.0.0/25'),
      expected: ['network.yaml:6:36 network `b` and IPPool `a` give the same addresses to pods'],
    },
    {
      name: 'ranges of one plugin, one of which is not looked at for others',
      network: list(
        whereabouts('a', 'range: 10.0.0.0/24'),
        whereabouts('b', 'range: 10.0.0.0/25, enable_overlapping_ranges: false'),
      ),
      expected: ['network.yaml:13:36 network `b` and network `a` give the same addresses to pods'],
    },
    {
      name: 'a pool and a further range',
      policy: pool('a', '10.0.0.0/24'),
      network: whereabouts('b', 'ipRanges: [{range: "fd00::/120"}, {range: 10.0.0.0/25}]'),
      expected: ['network.yaml:6:39 network `b` and IPPool `a` give the same addresses to pods'],
    },
  ],
});

const outside = (text: string, range: string): string =>
  `\`${text}\` of network \`a\` lies outside of its range \`${range}\``;

testRule('WEFT0501', {
  valid: [
    {
      name: 'all inside',
      network: whereabouts(
        'a',
        'range: 10.0.0.0/24, gateway: 10.0.0.1, range_start: 10.0.0.9, range_end: 10.0.0.20, exclude: [10.0.0.10, 10.0.0.12/30]',
      ),
    },
    {
      name: 'another plugin',
      network: network('a', '{type: static, addresses: [{address: 10.0.0.1/24, gateway: 10.1.0.1}]}'),
    },
    { name: 'no range', network: whereabouts('a', 'gateway: 10.0.0.1') },
  ],
  invalid: [
    {
      name: 'a gateway',
      network: whereabouts('a', 'range: 10.0.0.0/24, gateway: 10.0.1.1'),
      expected: [`network.yaml:6:58 ${outside('10.0.1.1', '10.0.0.0/24')}`],
      help: 'correct the address or the range',
    },
    {
      name: 'an exclusion of a range between two addresses',
      network: whereabouts('a', 'range: 10.0.0.4-10.0.0.9/24, exclude: [10.0.0.0/23]'),
      expected: [`network.yaml:6:67 ${outside('10.0.0.0/23', '10.0.0.4-10.0.0.9/24')}`],
    },
    ...['range: 10.0.0.0/24, range_start: 10.0.0.9, range_end: 10.0.0.4', 'range: 10.0.0.9-10.0.0.4/24'].map(
      (range) => ({
        name: `an end before the start: ${range}`,
        network: whereabouts('a', range),
        expected: [
          `network.yaml:6:36 the range of network \`a\` ends before it begins, and the plugin ignores its end`,
        ],
        help: 'exchange the two addresses',
      }),
    ),
    {
      name: 'a further range',
      network: whereabouts('a', 'ipRanges: [{range: 10.0.0.0/24, range_start: "fd00::1"}]'),
      expected: [`network.yaml:6:39 ${outside('fd00::1', '10.0.0.0/24')}`],
    },
  ],
});
