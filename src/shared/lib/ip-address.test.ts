import { describe, expect, it } from '@jest/globals';
import { addressCount, type IpNetwork, isInNetwork, parseAddress, parseNetwork } from './ip-address.js';

/** What Go's `net.ParseIP` takes, and what it does not (net/ip_test.go). */
const addresses: readonly (readonly [text: string, bits: number | undefined, value?: bigint])[] = [
  ['127.0.1.2', 32, 0x7f000102n],
  ['255.255.255.255', 32, 0xffffffffn],
  ['::ffff:127.1.2.3', 32, 0x7f010203n],
  ['::ffff:7f01:0203', 32, 0x7f010203n],
  ['0:0:0:0:0000:ffff:127.1.2.3', 32, 0x7f010203n],
  ['::', 128, 0n],
  ['::1', 128, 1n],
  ['1::', 128, 1n << 112n],
  ['2001:4860:0:2001::68', 128, 0x20014860000020010000000000000068n],
  ['FE80::A', 128, (0xfe80n << 112n) | 0xan],
  ['127.001.002.003', undefined],
  ['127.0.0.256', undefined],
  ['127.0.0', undefined],
  ['abc', undefined],
  ['', undefined],
  ['fe80::1%lo0', undefined],
  ['fe80::1::2', undefined],
  [':1:2:3:4:5:6:7', undefined],
  ['1:2:3:4:5:6:7:', undefined],
  ['1:2:3:4:5:6:7:8:9', undefined],
  ['1:2:3:4::5:6:7:8', undefined],
  ['12345::', undefined],
  ['1.2.3.4:1::', undefined],
  [' 1.2.3.4', undefined],
];

it.each(addresses.map(([text, bits, value]) => ({ text, expected: bits && { bits, value } })))(
  'parseAddress("$text")',
  ({ text, expected }) => {
    expect(parseAddress(text)).toEqual(expected);
  },
);

describe('parseNetwork', () => {
  it.each([
    ['10.0.0.0/8', { bits: 32, value: 0x0a000000n, prefix: 8, hasHostBits: false }],
    ['10.1.2.3/8', { bits: 32, value: 0x0a000000n, prefix: 8, hasHostBits: true }],
    ['10.1.2.3/32', { bits: 32, value: 0x0a010203n, prefix: 32, hasHostBits: false }],
    ['0.0.0.0/0', { bits: 32, value: 0n, prefix: 0, hasHostBits: false }],
    ['fd00::/64', { bits: 128, value: 0xfd00n << 112n, prefix: 64, hasHostBits: false }],
  ])('reads %j', (text, expected) => {
    expect(parseNetwork(text)).toEqual(expected);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0/8', 'fd00::/129', '10.0.0.0/8/8', '/8'])(
    'refuses %j',
    (text) => {
      expect(parseNetwork(text)).toBeUndefined();
    },
  );
});

function network(text: string): IpNetwork {
  const parsed = parseNetwork(text);
  if (!parsed) throw new Error(`${text} is no network`);
  return parsed;
}

describe('isInNetwork', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255/32', true],
    ['10.0.0.0/8', '11.0.0.0/32', false],
    ['0.0.0.0/0', '11.0.0.0/32', true],
    ['::/0', '11.0.0.0/32', false],
    ['fd00::/64', 'fd00::ffff/128', true],
    ['fd00::/64', 'fd00:0:0:1::/128', false],
    ['10.0.0.0/16', '10.0.1.0/24', true],
    ['10.0.0.0/16', '10.0.0.0/8', false],
  ])('%s, %s: %s', (outer, inner, expected) => {
    expect(isInNetwork(network(outer), network(inner))).toBe(expected);
  });

  it('takes addresses', () => {
    expect(isInNetwork(network('10.0.0.0/8'), { bits: 32, value: 0x0a000001n })).toBe(true);
  });
});

it('addressCount', () => {
  expect(addressCount(network('10.0.0.0/24'))).toBe(256n);
  expect(addressCount(network('fd00::/64'))).toBe(1n << 64n);
});
