import { describe, expect, it } from '@jest/globals';
import { identityOf } from '../../shared/kubernetes/identity.js';
import { KEEP_ANNOTATIONS } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { deliveryAnnotations } from '../../compile/gitops/delivery-annotations.js';
import { diffCluster, type ObjectDiff } from '../diff/diff.js';

const object = (type: string, rest: object = {}, metadata: object = {}): KubernetesObject => {
  const at = type.lastIndexOf('/');
  return { apiVersion: type.slice(0, at), kind: type.slice(at + 1), metadata: { name: 'x', ...metadata }, ...rest };
};
const NETWORK = 'k8s.cni.cncf.io/v1/NetworkAttachmentDefinition';
const marked = (key: string, type = NETWORK) => object(type, {}, { annotations: { [key]: 'other' } });

const labels = { 'nvidia.com/ofed-driver': '' };
const DRIVER: KubernetesObject = object(
  'apps/v1/DaemonSet',
  {
    spec: {
      updateStrategy: { type: 'OnDelete' },
      template: { metadata: { labels }, spec: { containers: [], nodeSelector: { 'example.com/nic': 'true' } } },
    },
  },
  { name: 'mofed', labels, annotations: KEEP_ANNOTATIONS },
);
const rule = (one: object) => object('nfd.k8s-sigs.io/v1alpha1/NodeFeatureRule', { spec: { rules: [one] } });
const POOL = 'nv-ipam.nvidia.com/v1alpha1/IPPool';
const pool = (metadata: object) => object(POOL, {}, metadata);

/** The difference that a document makes beside a driver. */
function changeOf(from: KubernetesObject | undefined, to: KubernetesObject): ObjectDiff | undefined {
  const old = from ? [from] : [];
  const { objects } = diffCluster({
    name: 'east',
    old: { objects: [DRIVER, ...old] },
    next: { objects: [DRIVER, to], coverage: [], documents: new Set([identityOf(to)]) },
  });
  return objects[0];
}

const strange = [
  'v1/Pod',
  'v1/Node',
  'v1/Namespace',
  'v1/ConfigMap',
  'v1/ResourceQuota',
  'apps/v1/Deployment',
  'batch/v1/Job',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
  'networking.k8s.io/v1/NetworkPolicy',
  'coordination.k8s.io/v1/Lease',
  'nfd.k8s-sigs.io/v1alpha1/NodeFeature',
  'argoproj.io/v1alpha1/Application',
];

describe('a document of a kind that Weft does not know is for a person to judge', () => {
  it.each(strange)('%s', (type) => {
    const forged = {
      labels: { 'nvidia.network-operator.state': 'state-multus-cni', 'weft.dev/component': 'companion' },
    };
    const review = { impact: 'rights', notes: expect.arrayContaining([expect.stringContaining('review it as code')]) };
    expect(changeOf(undefined, object(type))).toMatchObject(review);
    expect(changeOf(undefined, object(type, {}, forged))).toMatchObject(review);
    // The pods of a workload are replaced, which is worse.
    expect(changeOf(object(type), object(type, { spec: { a: 1 } }))?.notes).toEqual(review.notes);
    expect(changeOf(object(type), object(type, {}, { labels: { a: 'b' } }))).toMatchObject(review);
  });
});

const rows: readonly (readonly [
  name: string,
  from: KubernetesObject | undefined,
  to: KubernetesObject,
  impact: string,
])[] = [
  ['a network', undefined, object(NETWORK), 'add'],
  ['a kind of a known name in another group', undefined, object('example.com/v1/IPPool'), 'rights'],
  ['a label of a network', object(NETWORK), object(NETWORK, {}, { labels: { a: 'b' } }), 'metadata'],
  ['a NodeMaintenance', undefined, object('maintenance.nvidia.com/v1alpha1/NodeMaintenance'), 'drain'],
  ['a rule with a label of its own', undefined, rule({ labels: { 'example.com/other': 'true' } }), 'add'],
  ['a rule with a label of drivers', undefined, rule({ labels: { 'example.com/nic': 'false' } }), 'driver-loss'],
  ['a rule with labels by a template', undefined, rule({ labelsTemplate: '{{ .a }}' }), 'driver-loss'],
  ['a rule with taints', undefined, rule({ taints: [{ key: 'a', effect: 'NoExecute' }] }), 'driver-loss'],
  ['a rule without its label', rule({ labels: { 'example.com/nic': 'true' } }), rule({}), 'driver-loss'],
  ['the device of a network', object(NETWORK), marked('k8s.v1.cni.cncf.io/resourceName'), 'network'],
  ['an owner', object(NETWORK), object(NETWORK, {}, { ownerReferences: [{ uid: 'u' }] }), 'rights'],
  ['a finalizer', object(NETWORK), object(NETWORK, {}, { finalizers: ['a/b'] }), 'rights'],
  ['an annotation of Argo CD', undefined, marked('argocd.argoproj.io/hook'), 'rights'],
  ['an annotation of Flux', object(POOL), marked('kustomize.toolkit.fluxcd.io/prune', POOL), 'rights'],
  [
    'a label of Flux',
    undefined,
    object(POOL, {}, { labels: { 'kustomize.toolkit.fluxcd.io/ssa': 'Ignore' } }),
    'rights',
  ],
  ['an annotation of kustomize', undefined, marked('config.kubernetes.io/local-config', POOL), 'rights'],
  ['an annotation of Helm that goes', marked('helm.sh/hook', POOL), object(POOL), 'rights'],
  ['an annotation as Weft writes it', object(POOL), pool({ annotations: KEEP_ANNOTATIONS }), 'metadata'],
  ['an annotation of others', object(POOL), pool({ annotations: { 'example.com/a': 'b' } }), 'metadata'],
];

describe('documents of kinds that Weft knows', () => {
  it.each(rows.map(([name, ...row]) => ({ name, row })))('$name', ({ row: [from, to, impact] }) => {
    expect(changeOf(from, to)?.impact).toBe(impact);
  });
});

describe('the section `gitops`', () => {
  const layouts = ['argocd', 'flux', 'none'].map((tool) => ({
    tool,
    of: deliveryAnnotations({ [tool]: {} }) ?? (() => ({})),
  }));
  const pairs = layouts.flatMap((from) => layouts.map((to) => [from.tool, to.tool, from.of, to.of] as const));
  const script = object(POOL, { spec: { a: '${b}' } }, { annotations: KEEP_ANNOTATIONS });

  it.each(pairs)('may change from %s to %s', (_from, _to, ...sides) => {
    const [before, after] = sides.map((of) => ({
      ...script,
      metadata: { ...script.metadata, annotations: { ...KEEP_ANNOTATIONS, ...of(script) } },
    }));
    if (before === undefined || after === undefined) throw new Error('two sides');
    expect(changeOf(before, after)?.impact ?? 'metadata').toBe('metadata');
  });
});
