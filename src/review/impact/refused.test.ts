import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { diffCluster } from '../diff/diff.js';

interface Case {
  readonly name: string;
  /** API version and kind. */
  readonly type: readonly [apiVersion: string, kind: string];
  readonly from: object;
  readonly to: object;
  readonly refused?: readonly string[];
  readonly impact: string;
  readonly note?: RegExp;
}

const CLAIM = ['v1', 'PersistentVolumeClaim'] as const;
const JOB = ['batch/v1', 'Job'] as const;
const SERVICE = ['v1', 'Service'] as const;
const STATEFUL_SET = ['apps/v1', 'StatefulSet'] as const;
const claim = (storage: unknown, rest: object = {}) => ({ spec: { resources: { requests: { storage } }, ...rest } });

const table: readonly Case[] = [
  {
    name: 'the storage class of a claim',
    type: CLAIM,
    from: claim('1Gi', { storageClassName: 'nfs' }),
    to: claim('1Gi', { storageClassName: 'ceph' }),
    refused: ['spec.storageClassName'],
    impact: 'rights',
    note: /`spec.storageClassName`; delete the object first, which may delete what is on its volume/,
  },
  {
    name: 'access modes and a smaller size of a claim',
    type: CLAIM,
    from: claim('2Gi', { accessModes: ['ReadWriteMany'] }),
    to: claim('1Gi', { accessModes: ['ReadWriteOnce'] }),
    refused: ['spec.accessModes', 'spec.resources.requests.storage'],
    impact: 'rights',
  },
  {
    name: 'a size of a claim that is no amount',
    type: CLAIM,
    from: claim('1Gi'),
    to: claim({}),
    refused: ['spec.resources.requests.storage'],
    impact: 'rights',
  },
  {
    name: 'a larger size of a claim',
    type: CLAIM,
    from: claim('900Mi'),
    to: claim('1Gi'),
    impact: 'rights',
    note: /refuses this growth where the StorageClass lacks `allowVolumeExpansion: true`/,
  },
  { name: 'the same size of a claim', type: CLAIM, from: claim('1Gi'), to: claim('1024Mi'), impact: 'rights' },
  {
    name: 'a label of a claim',
    type: CLAIM,
    from: claim('1Gi'),
    to: { ...claim('1Gi'), metadata: { labels: { a: 'b' } } },
    impact: 'metadata',
  },
  {
    name: 'the claims of a StatefulSet',
    type: STATEFUL_SET,
    from: { spec: { volumeClaimTemplates: [] } },
    to: { spec: { volumeClaimTemplates: [{}] } },
    refused: ['spec.volumeClaimTemplates'],
    impact: 'restart',
  },
  {
    name: 'how many pods a StatefulSet has',
    type: STATEFUL_SET,
    from: { spec: { replicas: 1 } },
    to: { spec: { replicas: 2 } },
    impact: 'restart',
  },
  {
    name: 'the template of a Job',
    type: JOB,
    from: { spec: { template: { spec: { restartPolicy: 'Never' } } } },
    to: { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } },
    refused: ['spec.template'],
    impact: 'restart',
  },
  {
    name: 'how long a Job may take',
    type: JOB,
    from: { spec: { activeDeadlineSeconds: 1 } },
    to: { spec: { activeDeadlineSeconds: 2 } },
    impact: 'rights',
  },
  {
    name: 'the address of a Service',
    type: SERVICE,
    from: { spec: { clusterIP: '10.0.0.1' } },
    to: { spec: { clusterIP: 'None' } },
    refused: ['spec.clusterIP'],
    impact: 'rights',
  },
  {
    name: 'an address that a Service names no more',
    type: SERVICE,
    from: { spec: { clusterIP: '10.0.0.1' } },
    to: { spec: {} },
    impact: 'rights',
  },
  {
    name: 'a Service that becomes a name',
    type: SERVICE,
    from: { spec: { clusterIP: '10.0.0.1' } },
    to: { spec: { type: 'ExternalName', clusterIP: '' } },
    impact: 'rights',
  },
  {
    name: 'an immutable ConfigMap',
    type: ['v1', 'ConfigMap'],
    from: { immutable: true, data: { a: '1' } },
    to: { data: { a: '2' } },
    refused: ['data', 'immutable'],
    impact: 'remove',
  },
  {
    name: 'a ConfigMap that becomes immutable',
    type: ['v1', 'ConfigMap'],
    from: { data: { a: '1' } },
    to: { immutable: true, data: { a: '2' } },
    impact: 'metadata',
  },
  {
    name: 'the type of a Secret',
    type: ['v1', 'Secret'],
    from: { type: 'a' },
    to: { type: 'b' },
    refused: ['type'],
    impact: 'remove',
  },
  {
    name: 'parameters of a StorageClass',
    type: ['storage.k8s.io/v1', 'StorageClass'],
    from: { parameters: { pool: 'a' } },
    to: { parameters: { pool: 'b' } },
    refused: ['parameters'],
    impact: 'rights',
  },
  {
    name: 'a kind of that name in another API group',
    type: ['example.com/v1', 'StorageClass'],
    from: { parameters: { pool: 'a' } },
    to: { parameters: { pool: 'b' } },
    impact: 'rights',
  },
];

describe('what the API server refuses', () => {
  it.each(table)('$name', ({ type: [apiVersion, kind], from, to, refused, impact, note }) => {
    const object = (rest: { metadata?: object }): KubernetesObject => ({
      apiVersion,
      kind,
      ...rest,
      metadata: { name: 'x', namespace: 'ns', ...rest.metadata },
    });
    const next = { objects: [object(to)], coverage: [] };
    const [found] = diffCluster({ name: 'east', old: { objects: [object(from)] }, next }).objects;
    expect(found?.refusedFields).toEqual(refused);
    expect(found?.impact).toBe(impact);
    if (note) expect(found?.notes.join('\n')).toMatch(note);
    if (!refused) expect(found?.notes.join('\n')).not.toMatch(/cannot be applied/);
  });
});
