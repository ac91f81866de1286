import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { describeIssue } from '../../model/issues.js';
import { ipam, ipamData } from './ipam.js';

const schema = z.strictObject({ ipam });

/** The expected diagnostics. */
function problems(input: unknown): readonly string[] {
  const document = { ipam: input };
  return (schema.safeParse(document).error?.issues ?? []).map((issue) => describeIssue(issue, document).message);
}

const accepted: readonly { name: string; value: unknown }[] = [
  { name: 'nothing', value: {} },
  { name: 'nv-ipam', value: { type: 'nv-ipam', poolName: 'a,b', poolType: 'CIDRPool', forcePoolName: true } },
  { name: 'nv-ipam without a pool, which is the network name', value: { type: 'nv-ipam' } },
  { name: 'static with addresses of the pod', value: { type: 'static' } },
  {
    name: 'static',
    value: {
      type: 'static',
      addresses: [{ address: '10.10.0.1/24', gateway: '10.10.0.254' }, { address: 'fd00::1/64' }],
      routes: [{ dst: '0.0.0.0/0' }, { dst: '::/0', gw: 'fd00::ffff', mtu: 1400 }],
      dns: { nameservers: ['10.1.1.1'], search: ['example.com'] },
    },
  },
  {
    name: 'whereabouts',
    value: {
      type: 'whereabouts',
      range: '192.168.2.225/28',
      range_start: '192.168.2.226',
      range_end: '',
      exclude: ['192.168.2.229/30', '192.168.2.236'],
      gateway: '192.168.2.225',
      log_level: 'info',
    },
  },
  {
    name: 'whereabouts with ranges of two addresses',
    value: {
      type: 'whereabouts',
      range: '10.0.0.10-10.0.0.20/16',
      ipRanges: [{ range: 'fd00::/64' }, { range: 'fd01::1-fd01::9/64' }],
    },
  },
  {
    name: 'dhcp',
    value: {
      type: 'dhcp',
      daemonSocketPath: '/run/cni/dhcp.sock',
      provide: [{ option: 'host-name', fromArg: 'K8S_POD_NAME' }],
      request: [{ skipDefault: true }, { option: '3' }],
    },
  },
  { name: 'another plugin', value: { type: 'host-local', ranges: [[{ subnet: 'anything' }]] } },
];

const rejected: readonly { name: string; value: object; expected: string }[] = [
  { name: 'no type', value: { poolName: 'a' }, expected: '`type` is missing' },
  { name: 'a type that is no text', value: { type: 5 }, expected: '`type` must be a string' },
  {
    name: 'three pools',
    value: { type: 'nv-ipam', poolName: 'a,b,c' },
    expected: '`poolName` must be the name of a pool, or two names with a comma between them and no blanks',
  },
  {
    name: 'an unknown pool type',
    value: { type: 'nv-ipam', poolType: 'pool' },
    expected: '`poolType` must be `ippool` or `cidrpool`',
  },
  {
    name: 'a static address without prefix length',
    value: { type: 'static', addresses: [{ address: '10.0.0.1' }] },
    expected: '`addresses[0].address` must be an IP address with a prefix length such as `192.168.2.1/24`',
  },
  {
    name: 'a route to nowhere',
    value: { type: 'static', routes: [{ gw: '10.0.0.1' }] },
    expected: '`routes[0].dst` is missing',
  },
  {
    name: 'a prefix length out of range',
    value: { type: 'whereabouts', range: '10.0.0.0/33' },
    expected: '`range` must be a range such as `192.168.2.0/24` or `192.168.2.10-192.168.2.20/24`',
  },
  {
    name: 'a gateway that is no address',
    value: { type: 'whereabouts', range: '10.0.0.0/24', gateway: '10.0.0.256' },
    expected: '`gateway` must be an IP address such as `192.168.2.1`',
  },
  {
    name: 'a zone',
    value: { type: 'whereabouts', gateway: 'fe80::1%eth0' },
    expected: '`gateway` must be an IP address such as `192.168.2.1`',
  },
  { name: 'a number for a list', value: { type: 'dhcp', request: 5 }, expected: '`request` must be a list' },
];

describe('ipam', () => {
  it.each(accepted)('accepts $name as an object and as text', ({ value }) => {
    expect(problems(value)).toEqual([]);
    expect(problems(JSON.stringify(value, null, 2))).toEqual([]);
  });

  it.each(rejected)('refuses $name as an object and as text', ({ value, expected }) => {
    expect(problems(value)).toEqual([expected.replace('`', '`ipam.')]);
    expect(problems(JSON.stringify(value))).toEqual([`\`ipam\`: ${expected}`]);
  });

  it('refuses an unknown key of an object, not of text, which upstream accepts', () => {
    const value = { type: 'nv-ipam', pool: 'a' };
    expect(problems(value)).toEqual(['`ipam` has unknown keys: `pool`']);
    expect(problems(JSON.stringify(value))).toEqual([]);
    expect(problems('{"type": "nv-ipam", "pool": "a", "poolName": 5}')).toEqual([
      '`ipam`: `poolName` must be a string',
    ]);
  });

  it.each(['', ' \n'])('takes blank text for no IPAM: %j', (text) => {
    expect(problems(text)).toEqual([]);
    expect(ipamData(text)).toEqual({});
  });

  it.each(['[]', 'null', '"nv-ipam"', '5'])('refuses JSON that is no object: %s', (text) => {
    expect(problems(text)).toEqual(['`ipam` must be JSON of one object']);
  });

  it.each([5, [], null, true])('refuses what is neither text nor an object: %j', (value) => {
    expect(problems(value)).toEqual(['`ipam` must be a string or a mapping']);
  });

  it('refuses what is no JSON', () => {
    expect(problems('{"type": "nv-ipam",}')).toEqual([expect.stringMatching(/^`ipam` is not valid JSON: /)]);
  });

  it('refuses a number that would be rounded', () => {
    expect(problems('{"type": "other", "id": 12345678901234567890}')).toEqual([
      '`ipam` has the number 12345678901234567890, which cannot be kept exactly',
    ]);
  });
});

describe('ipamData', () => {
  it('gives text and objects, in any order of keys, the same order', () => {
    const expected = '{"a":{"b":1,"c":[{"x":1,"y":2}]},"type":"other"}';
    expect(JSON.stringify(ipamData('{"type":"other","a":{"c":[{"y":2,"x":1}],"b":1}}'))).toBe(expected);
    expect(JSON.stringify(ipamData({ a: { b: 1, c: [{ x: 1, y: 2 }] }, type: 'other' }))).toBe(expected);
  });

  it('is empty where there is none', () => {
    expect(ipamData(undefined)).toEqual({});
  });
});
