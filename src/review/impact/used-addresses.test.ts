import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { diffCluster } from '../diff/diff.js';
import { addressesOfPod } from './used-addresses.js';

const pod = (name: string, statuses: unknown): unknown => ({
  metadata: {
    namespace: 'ns',
    name,
    annotations: {
      'k8s.v1.cni.cncf.io/network-status': typeof statuses === 'string' ? statuses : JSON.stringify(statuses),
    },
  },
});
const on = (network: string, ...ips: readonly string[]) => [{ name: network, interface: 'net1', ips }];

const object = (kind: string, name: string, spec: object): KubernetesObject => ({
  apiVersion: kind === 'IPPool' ? 'nv-ipam.nvidia.com/v1alpha1' : 'k8s.cni.cncf.io/v1',
  kind,
  metadata: { name, namespace: 'ns' },
  spec,
});
const network = (name: string, ipam: object) =>
  object('NetworkAttachmentDefinition', name, { config: JSON.stringify({ type: 'macvlan', ipam }) });
const ofPool = (name: string, poolName: string) => network(name, { type: 'nv-ipam', poolName });
const whereabouts = (name: string, range: string) => network(name, { type: 'whereabouts', range });
const pool = (subnet: string) => object('IPPool', 'p', { subnet, perNodeBlockSize: 16 });

/** The notes about the first object of the old side. */
function notesOf(old: readonly KubernetesObject[], next: readonly KubernetesObject[], pods: readonly unknown[]) {
  const diff = diffCluster({
    name: 'east',
    old: { objects: old, coverage: [] },
    next: { objects: next, coverage: [] },
    addresses: pods.flatMap(addressesOfPod),
  });
  const first = diff.objects.find(({ kind, name }) => kind === old[0]?.kind && name === old[0].metadata.name);
  return (first?.notes ?? []).filter((note) => /in use|no running pod/.test(note));
}

const KEEP = 'these pods keep their addresses, outside of what is allocated now';
const SHRUNK = 'no longer given out: 10.0.0.128-10.0.0.255';

describe('addresses in use that a network or a pool gives no longer', () => {
  const shrinks = [
    [pool('10.0.0.0/24'), ofPool('rail', 'p'), ofPool('other', 'q')],
    [pool('10.0.0.0/25'), ofPool('rail', 'p'), ofPool('other', 'q')],
  ] as const;
  it.each([
    {
      name: 'are named with their pods, from the lowest on',
      pods: [pod('a', on('ns/rail', '10.0.0.200', '10.0.0.9')), pod('b', on('ns/rail', '10.0.0.130'))],
      expected: [`in use: 10.0.0.130 (pod ns/b), 10.0.0.200 (pod ns/a); ${KEEP}`],
    },
    {
      name: 'are counted where they are many',
      pods: [130, 131, 132, 133, 134].map((last) => pod('a', on('ns/rail', `10.0.0.${last}`))),
      expected: [`in use: 10.0.0.130 (pod ns/a), 10.0.0.131 (pod ns/a), 10.0.0.132 (pod ns/a) and 2 more; ${KEEP}`],
    },
    {
      name: 'are none where all pods have others',
      pods: [pod('a', on('ns/rail', '10.0.0.9'))],
      expected: [`${SHRUNK}; no running pod has such an address`],
    },
    {
      name: 'are not those of the networks of another pool',
      pods: [pod('a', on('ns/other', '10.0.0.200'))],
      expected: [`${SHRUNK}; no running pod has such an address`],
    },
    {
      name: 'may be those of a network that the output does not have',
      pods: [pod('a', on('apps/own', '10.0.0.200'))],
      expected: [`in use: 10.0.0.200 (pod ns/a); ${KEEP}`],
    },
    {
      name: 'are not those of the cluster network, and a broken annotation has none',
      pods: [
        pod('a', on('cbr0', '10.0.0.200')),
        pod('b', '{'),
        pod('c', '{}'),
        pod('d', [1, { name: 'a/b', ips: ['x'] }]),
        {},
      ],
      expected: [`${SHRUNK}; no running pod has such an address`],
    },
  ])('of a pool $name', ({ pods, expected }) => {
    expect(notesOf(...shrinks, pods)).toEqual(expected);
  });

  it('are those of the network itself, where its configuration has the range', () => {
    const [old, next] = [whereabouts('rail', '10.0.0.0/24'), whereabouts('rail', '10.0.0.0/25')];
    const pods = [pod('a', on('ns/rail', '10.0.0.200')), pod('b', on('apps/own', '10.0.0.201'))];
    expect(notesOf([old], [next], pods)).toEqual([`in use: 10.0.0.200 (pod ns/a); ${KEEP}`]);
  });

  it('are named where the pool goes', () => {
    const pods = [pod('a', on('ns/rail', '10.0.0.200'))];
    const rail = ofPool('rail', 'p');
    expect(notesOf([pool('10.0.0.0/24'), rail], [rail], pods)).toEqual([
      'in use: 10.0.0.200 (pod ns/a); these pods keep their addresses until they end',
    ]);
  });
});
