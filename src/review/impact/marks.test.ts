import { expect, it } from '@jest/globals';
import { KEEP_ANNOTATIONS, OFED_DRIVER_LABEL } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { diffCluster } from '../diff/diff.js';

const object = (type: string, rest: object, metadata: object = {}): KubernetesObject => {
  const at = type.lastIndexOf('/');
  return { apiVersion: type.slice(0, at), kind: type.slice(at + 1), metadata: { name: 'x', ...metadata }, ...rest };
};
const marked = (metadata: object) => object('v1/Service', { spec: {} }, metadata);
const labels = { [OFED_DRIVER_LABEL]: '' };
const driver = (pod: object) =>
  object(
    'apps/v1/DaemonSet',
    {
      spec: {
        updateStrategy: { type: 'OnDelete' },
        template: { metadata: { labels }, spec: { containers: [], nodeSelector: { a: 'b' }, ...pod } },
      },
    },
    { labels, annotations: KEEP_ANNOTATIONS },
  );
const toleration = { key: 'a', operator: 'Exists' };
const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } };
const maintenance = (spec: object) => object('maintenance.nvidia.com/v1alpha1/MaintenanceOperatorConfig', { spec });

function classOf(from: KubernetesObject, to: KubernetesObject, isLive = false): string | undefined {
  return diffCluster({
    name: 'east',
    old: { objects: [from], ...(!isLive && { settings: {} }) },
    next: { objects: [to], coverage: [] },
  }).objects[0]?.impact;
}

it.each<[string, KubernetesObject, KubernetesObject, string]>([
  ['a label', marked({}), marked({ labels: { 'app.kubernetes.io/instance': 'other' } }), 'rights'],
  [
    'an annotation of kustomize',
    marked({}),
    marked({ annotations: { 'config.kubernetes.io/local-config': 'true' } }),
    'rights',
  ],
  ['an annotation that goes', marked({ annotations: { 'helm.sh/hook': 'test' } }), marked({}), 'rights'],
  ['what Weft computes', marked({}), marked({ annotations: { 'weft.dev/a': 'b', ...KEEP_ANNOTATIONS } }), 'metadata'],
  [
    'the policy that owns it',
    marked({ labels: { 'ds-owner': 'nnp-a' } }),
    marked({ labels: { 'ds-owner': 'nnp-b' } }),
    'metadata',
  ],
  ['another port of a Service', marked({}), object('v1/Service', { spec: { ports: [] } }), 'rights'],
  ['limits of the Maintenance Operator', maintenance({}), maintenance({ maxUnavailable: '100%' }), 'drain'],
  ['another label that a driver selects', driver({}), driver({ nodeSelector: { a: 'b', c: 'd' } }), 'driver-loss'],
  ['fewer labels that a driver selects', driver({}), driver({ nodeSelector: {} }), 'restart'],
  ['a toleration that goes', driver({ tolerations: [toleration] }), driver({ tolerations: [] }), 'driver-loss'],
  ['one more toleration', driver({ tolerations: [] }), driver({ tolerations: [toleration] }), 'restart'],
  ['an affinity to nodes', driver({}), driver({ affinity }), 'driver-loss'],
  ['resources of a driver', driver({}), driver({ terminationGracePeriodSeconds: 0 }), 'restart'],
])('a change is metadata only where Weft knows that it does nothing: %s', (_name, from, to, impact) => {
  expect(classOf(from, to)).toBe(impact);
});

it('labels and annotations of live objects are those of others', () => {
  expect(classOf(marked({}), marked({ labels: { a: 'b' } }), true)).toBe('metadata');
});
