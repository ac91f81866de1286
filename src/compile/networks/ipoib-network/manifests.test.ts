import { describe, expect, it } from '@jest/globals';
import { networksOf } from '../../../../test/golden/networks.js';
import { ipoibNetwork } from './index.js';
import type { IPoIBNetworkDocument } from '../../model/input.js';

type Spec = NonNullable<IPoIBNetworkDocument['spec']>;
const { build, problems } = networksOf(ipoibNetwork, 'ipoib');
const head = { cniVersion: '0.3.1', name: 'ipoib', type: 'ipoib' };

describe('IPoIBNetwork', () => {
  it('becomes a NetworkAttachmentDefinition', () => {
    expect(build({ networkNamespace: 'apps', master: 'ibs1', ipam: { type: 'nv-ipam', poolName: 'p' } })).toEqual({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name: 'ipoib',
        namespace: 'apps',
        labels: { 'nvidia.network-operator.state': 'state-IPoIB-Network' },
      },
      spec: {
        config: `{
  "cniVersion": "0.3.1",
  "name": "ipoib",
  "type": "ipoib",
  "master": "ibs1",
  "ipam": {
    "poolName": "p",
    "type": "nv-ipam"
  }
}`,
      },
    });
  });

  const configs: readonly { name: string; spec: Spec | undefined; expected: unknown }[] = [
    { name: 'no spec', spec: undefined, expected: { ...head, master: '', ipam: {} } },
    { name: 'no master', spec: {}, expected: { ...head, master: '', ipam: {} } },
    {
      name: 'empty values',
      spec: { networkNamespace: '', master: '', ipam: '' },
      expected: { ...head, master: '', ipam: {} },
    },
    {
      name: 'a master and an IPAM that would break a template',
      spec: { master: `i"b'}`, ipam: '{"type":"x","y":"a  b\\n\'}"}' },
      expected: { ...head, master: `i"b'}`, ipam: { type: 'x', y: "a  b\n'}" } },
    },
  ];
  it.each(configs)('keeps the data of $name', ({ spec, expected }) => {
    const { metadata, spec: built } = build(spec);
    expect(metadata).toMatchObject({ namespace: 'default' });
    expect(JSON.parse(built.config)).toEqual(expected);
  });

  const rejected: readonly { name: string; spec: unknown; expected: string }[] = [
    {
      name: 'metaPlugins, which it has not',
      spec: { metaPlugins: '' },
      expected: '`spec` has unknown keys: `metaPlugins`',
    },
    {
      name: 'a master with white space',
      spec: { master: 'ib 0' },
      expected: '`spec.master` must be the name of an interface: no white space, `/` or `:`, at most 127 characters',
    },
    { name: 'a list as IPAM', spec: { ipam: [] }, expected: '`spec.ipam` must be a string or a mapping' },
  ];
  it.each(rejected)('refuses $name', ({ spec, expected }) => {
    expect(problems(spec)).toEqual([expected]);
  });
});
