import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { diffCluster } from '../diff/diff.js';

const object = (kind: string, spec: object): KubernetesObject => ({
  apiVersion: kind === 'NetworkAttachmentDefinition' ? 'k8s.cni.cncf.io/v1' : 'nv-ipam.nvidia.com/v1alpha1',
  kind,
  metadata: { name: 'x', namespace: 'ns' },
  spec,
});
const attachment = (config: object) => object('NetworkAttachmentDefinition', { config: JSON.stringify(config) });
const pool = (subnet: string, perNodeBlockSize = 32, exclusions: readonly object[] = []) =>
  object('IPPool', { subnet, perNodeBlockSize, exclusions });
const whereabouts = (ipam: object) => attachment({ type: 'macvlan', ipam: { type: 'whereabouts', ...ipam } });
const hostLocal = (ipam: object) =>
  attachment({ plugins: [{ type: 'macvlan', ipam: { type: 'host-local', ...ipam } }] });

const KEEPS = /running pods keep/;
const table: readonly {
  readonly name: string;
  readonly from: KubernetesObject;
  readonly to: KubernetesObject;
  readonly impact?: string;
  /** The addresses that are no longer given out; absent where all are. */
  readonly lost?: string;
}[] = [
  { name: 'a master', from: attachment({ master: 'ens1' }), to: attachment({ master: 'ens2' }) },
  { name: 'a subnet that moves', from: pool('10.0.0.0/24'), to: pool('10.0.1.0/24'), lost: '10.0.0.0-10.0.0.255' },
  { name: 'a subnet that grows', from: pool('10.0.0.0/24'), to: pool('10.0.0.0/23') },
  { name: 'a subnet that shrinks', from: pool('10.0.0.0/24'), to: pool('10.0.0.0/25'), lost: '10.0.0.128-10.0.0.255' },
  {
    name: 'another exclusion',
    from: pool('10.0.0.0/24'),
    to: pool('10.0.0.0/24', 32, [{ startIP: '10.0.0.9', endIP: '10.0.0.9' }]),
    lost: '10.0.0.9',
  },
  {
    name: 'a CIDRPool',
    from: object('CIDRPool', { cidr: 'fd00::/64', perNodeNetworkPrefix: 80 }),
    to: object('CIDRPool', { cidr: 'fd00::/65', perNodeNetworkPrefix: 80 }),
    lost: 'fd00::8000:0:0:0-fd00::ffff:ffff:ffff:ffff',
  },
  {
    name: 'a range of whereabouts',
    from: whereabouts({ range: '10.0.0.0/24', range_end: '10.0.0.99' }),
    to: whereabouts({
      range: '10.0.0.0/24',
      range_start: '10.0.0.10',
      range_end: '10.0.0.99',
      exclude: ['10.0.0.64/30'],
    }),
    lost: '10.0.0.0-10.0.0.9, 10.0.0.64-10.0.0.67',
  },
  {
    name: 'ranges of host-local',
    from: hostLocal({ ranges: [[{ subnet: '10.0.0.0/24' }], [{ subnet: '10.1.0.0/24' }]] }),
    to: hostLocal({ ranges: [[{ subnet: '10.0.0.0/24', rangeEnd: '10.0.0.99' }], [{ subnet: '10.1.0.0/24' }]] }),
    lost: '10.0.0.100-10.0.0.255',
  },
  {
    name: 'text that is no configuration',
    from: attachment({ a: 1 }),
    to: object('NetworkAttachmentDefinition', { config: '{' }),
  },
  {
    name: 'a label of a network',
    from: pool('10.0.0.0/24'),
    to: { ...pool('10.0.0.0/24'), metadata: { name: 'x', namespace: 'ns', labels: { a: 'b' } } },
    impact: 'metadata',
  },
];

function compare(from: KubernetesObject, to: KubernetesObject) {
  const next = { objects: [to], coverage: [] };
  return diffCluster({ name: 'east', old: { objects: [from], coverage: [] }, next }).objects[0];
}

describe('networks', () => {
  it.each(table)('$name', ({ from, to, impact = 'network', lost }) => {
    const found = compare(from, to);
    expect(found?.impact).toBe(impact);
    if (impact === 'network') expect(found?.notes[0]).toMatch(KEEPS);
    const said = found?.notes.filter((note) => note.startsWith('no longer given out: ')) ?? [];
    expect(said.map((note) => note.replace(/^no longer given out: |; pods that run.*$/g, ''))).toEqual(
      lost ? [lost] : [],
    );
  });

  it('says that each node gets another block', () => {
    expect(compare(pool('10.0.0.0/24', 32), pool('10.0.0.0/24', 16))?.notes.join()).toMatch(/each node gets a block/);
  });

  it('says what the settings of nodes do', () => {
    const settings = (mtu: number) => object('SriovNetworkNodePolicy', { mtu });
    expect(compare(settings(1500), settings(9000))).toMatchObject({ impact: 'drain', pools: [] });
  });
});
