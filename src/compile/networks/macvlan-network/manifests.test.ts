import { describe, expect, it } from '@jest/globals';
import { networksOf } from '../../../../test/golden/networks.js';
import { macvlanNetwork } from './index.js';
import type { MacvlanNetworkDocument } from '../../model/input.js';

type Spec = NonNullable<MacvlanNetworkDocument['spec']>;
const { build, problems } = networksOf(macvlanNetwork, 'macvlan');
const head = { cniVersion: '0.3.1', name: 'macvlan' };

describe('MacvlanNetwork', () => {
  it('becomes a NetworkAttachmentDefinition', () => {
    const spec: Spec = {
      networkNamespace: 'apps',
      master: 'ens2f0',
      mode: 'bridge',
      mtu: 1500,
      ipam: { type: 'nv-ipam', poolName: 'my-pool' },
      metaPlugins: [{ type: 'tuning', mtu: 9000 }],
    };
    expect(build(spec)).toEqual({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name: 'macvlan',
        namespace: 'apps',
        labels: { 'nvidia.network-operator.state': 'state-Macvlan-Network' },
      },
      spec: {
        config: `{
  "cniVersion": "0.3.1",
  "name": "macvlan",
  "plugins": [
    {
      "type": "macvlan",
      "master": "ens2f0",
      "mode": "bridge",
      "mtu": 1500,
      "ipam": {
        "poolName": "my-pool",
        "type": "nv-ipam"
      }
    },
    {
      "mtu": 9000,
      "type": "tuning"
    }
  ]
}`,
      },
    });
  });

  const configs: readonly { name: string; spec: Spec | undefined; expected: unknown }[] = [
    { name: 'no spec', spec: undefined, expected: { ...head, type: 'macvlan', ipam: {} } },
    {
      name: 'empty values',
      spec: { networkNamespace: '', master: '', mtu: 0, ipam: '', metaPlugins: '' },
      expected: { ...head, type: 'macvlan', ipam: {} },
    },
    {
      name: 'IPAM that would break a template',
      spec: { master: `e'"\\{{n`, ipam: `{"type": "x", "'": "a'b\\n} \\"c\\"  two  spaces", "__proto__": {"y": 1}}` },
      expected: {
        ...head,
        type: 'macvlan',
        master: `e'"\\{{n`,
        ipam: JSON.parse(`{"type": "x", "'": "a'b\\n} \\"c\\"  two  spaces", "__proto__": {"y": 1}}`) as unknown,
      },
    },
    {
      name: 'meta plugins as text',
      spec: { metaPlugins: '{"type":"tuning"},{"type":"rdma"}' },
      expected: { ...head, plugins: [{ type: 'macvlan', ipam: {} }, { type: 'tuning' }, { type: 'rdma' }] },
    },
  ];
  it.each(configs)('keeps the data of $name', ({ spec, expected }) => {
    const { metadata, spec: built } = build(spec);
    expect(metadata).toMatchObject({ namespace: 'default' });
    expect(JSON.parse(built.config)).toEqual(expected);
  });

  it('has the same bytes whatever the order of keys', () => {
    const one = build({ ipam: { type: 'own', a: { b: 1, c: 2 } }, metaPlugins: { type: 'tuning', mtu: 1 } });
    const other = build({ metaPlugins: { mtu: 1, type: 'tuning' }, ipam: { a: { c: 2, b: 1 }, type: 'own' } });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  const rejected: readonly { name: string; spec: unknown; expected: string }[] = [
    {
      name: 'mode',
      spec: { mode: 'bridged' },
      expected: '`spec.mode` must be `bridge`, `private`, `vepa` or `passthru`',
    },
    {
      name: 'empty mode',
      spec: { mode: '' },
      expected: '`spec.mode` must be `bridge`, `private`, `vepa` or `passthru`',
    },
    { name: 'negative mtu', spec: { mtu: -1 }, expected: '`spec.mtu` must be at least 0' },
    { name: 'mtu as text', spec: { mtu: '1500' }, expected: '`spec.mtu` must be a number' },
    { name: 'fraction of an mtu', spec: { mtu: 1500.5 }, expected: '`spec.mtu` must be a whole number' },
    {
      name: 'master with a slash',
      spec: { master: '../eth0' },
      expected: '`spec.master` must be the name of an interface: no white space, `/` or `:`, at most 127 characters',
    },
    {
      name: 'networkNamespace',
      spec: { networkNamespace: 'My.Apps' },
      expected: '`spec.networkNamespace` must be lower-case letters, digits and `-`, at most 63 of them',
    },
    { name: 'unknown key', spec: { mastr: 'eth0' }, expected: '`spec` has unknown keys: `mastr`' },
    { name: 'IPAM', spec: { ipam: { type: 'dhcp', provide: 1 } }, expected: '`spec.ipam.provide` must be a list' },
  ];
  it.each(rejected)('refuses a bad $name', ({ spec, expected }) => {
    expect(problems(spec)).toEqual([expected]);
  });

  it.each(['ens2f0', 'bond0.100', 'br-lan@x', 'enp0s31f6-with-a-long-alternative-name'])(
    'takes the master %s',
    (master) => {
      expect(problems({ master })).toEqual([]);
    },
  );
});
