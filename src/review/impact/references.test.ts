import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { indexReferences } from './references.js';

const object = (kind: string, name: string, rest: object = {}, namespace = 'ns'): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...(namespace === '' ? {} : { namespace }) },
  ...rest,
});

const pod = (spec: object) => object('Pod', 'user', { spec });
const network = (ipam: object, wrap: (plugin: object) => object = (plugin) => plugin) =>
  object(
    'NetworkAttachmentDefinition',
    'user',
    { spec: { config: JSON.stringify(wrap({ name: 'net', ipam })) } },
    'other',
  );

const table: readonly { readonly name: string; readonly user: KubernetesObject; readonly target: KubernetesObject }[] =
  [
    {
      name: 'a volume of a ConfigMap',
      user: pod({ volumes: [{ name: 'v', configMap: { name: 'x' } }] }),
      target: object('ConfigMap', 'x'),
    },
    {
      name: 'a volume of a Secret',
      user: pod({ volumes: [{ name: 'v', secret: { secretName: 'x' } }] }),
      target: object('Secret', 'x'),
    },
    {
      name: 'a projected volume',
      user: pod({ volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 'x' } }] } }] }),
      target: object('Secret', 'x'),
    },
    {
      name: 'a claim',
      user: pod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }] }),
      target: object('PersistentVolumeClaim', 'x'),
    },
    {
      name: 'a variable',
      user: pod({ initContainers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 'x' } } }] }] }),
      target: object('ConfigMap', 'x'),
    },
    {
      name: 'imported variables',
      user: pod({ containers: [{ envFrom: [{ secretRef: { name: 'x' } }] }] }),
      target: object('Secret', 'x'),
    },
    { name: 'a service account', user: pod({ serviceAccountName: 'x' }), target: object('ServiceAccount', 'x') },
    { name: 'a pull secret', user: pod({ imagePullSecrets: [{ name: 'x' }] }), target: object('Secret', 'x') },
    {
      name: 'a CronJob',
      user: object('CronJob', 'user', {
        spec: { jobTemplate: { spec: { template: { spec: { serviceAccountName: 'x' } } } } },
      }),
      target: object('ServiceAccount', 'x'),
    },
    {
      name: 'a role',
      user: object('RoleBinding', 'user', { roleRef: { kind: 'Role', name: 'x' } }),
      target: object('Role', 'x'),
    },
    {
      name: 'a cluster role',
      user: object('RoleBinding', 'user', { roleRef: { kind: 'ClusterRole', name: 'x' } }),
      target: object('ClusterRole', 'x', {}, ''),
    },
    {
      name: 'the account of a binding',
      user: object(
        'ClusterRoleBinding',
        'user',
        { subjects: [{ kind: 'ServiceAccount', namespace: 'ns', name: 'x' }] },
        '',
      ),
      target: object('ServiceAccount', 'x'),
    },
    {
      name: 'the pool of a network',
      user: network({ type: 'nv-ipam', poolName: 'a, x' }),
      target: object('IPPool', 'x'),
    },
    {
      name: 'the pool of a network in a list of plugins',
      user: network({ type: 'nv-ipam', poolName: 'x', poolType: 'CIDRPool' }, (plugin) => ({ plugins: [plugin] })),
      target: object('CIDRPool', 'x'),
    },
    {
      name: 'the pool of the name of the network',
      user: network({ type: 'nv-ipam' }),
      target: object('IPPool', 'net'),
    },
    {
      name: 'the kind of an object',
      user: { ...object('Rail', 'user'), apiVersion: 'example.com/v1' },
      target: object(
        'CustomResourceDefinition',
        'rails.example.com',
        { spec: { group: 'example.com', names: { kind: 'Rail' } } },
        '',
      ),
    },
    { name: 'a namespace', user: pod({}), target: object('Namespace', 'ns', {}, '') },
    {
      name: 'the service of a webhook',
      user: object('ValidatingWebhookConfiguration', 'user', {
        webhooks: [{ clientConfig: { service: { name: 'x', namespace: 'ns' } } }],
      }),
      target: object('Service', 'x'),
    },
  ];

describe('references', () => {
  it.each(table)('$name', ({ user, target }) => {
    const find = indexReferences([object('ConfigMap', 'bystander', {}, 'elsewhere'), user]);
    const { kind, metadata } = user;
    expect(find(target)).toEqual([{ kind, namespace: metadata.namespace ?? '', name: 'user' }]);
    expect(find({ ...target, metadata: { ...target.metadata, name: 'another' }, spec: {} })).toEqual([]);
  });

  it('keeps namespaces apart', () => {
    const find = indexReferences([pod({ serviceAccountName: 'x' })]);
    expect(find(object('ServiceAccount', 'x', {}, 'other'))).toEqual([]);
  });

  it('takes objects of any shape', () => {
    const malformed = [null, 7, 'text', [null], { containers: null }, { volumes: [null, 1] }].map((spec) =>
      object('Pod', 'p', { spec }),
    );
    const config = object('NetworkAttachmentDefinition', 'n', { spec: { config: '{' } });
    expect(indexReferences([...malformed, config])(object('ConfigMap', 'x'))).toEqual([]);
  });
});
