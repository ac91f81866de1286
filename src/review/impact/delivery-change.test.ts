import { describe, expect, it } from '@jest/globals';
import { KEEP_ANNOTATIONS, REMOVAL_ANNOTATION } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { deliveryAnnotations } from '../../compile/gitops/delivery-annotations.js';
import { diffCluster } from '../diff/diff.js';

interface Marks {
  readonly annotations?: object;
  readonly labels?: object;
  readonly ownerReferences?: readonly object[];
  readonly finalizers?: readonly string[];
}

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'u' };
const SYNC = 'argocd.argoproj.io/sync-options';

function driver(marks: Marks = {}, strategy = 'OnDelete'): KubernetesObject {
  const labels = { 'nvidia.com/ofed-driver': '' };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'mofed', namespace: 'ns', labels, annotations: KEEP_ANNOTATIONS, ...marks },
    spec: { updateStrategy: { type: strategy }, template: { metadata: { labels }, spec: { containers: [] } } },
  } as KubernetesObject;
}

const object = (type: string, marks: Marks = {}, rest: object = {}): KubernetesObject => {
  const at = type.lastIndexOf('/');
  return {
    apiVersion: type.slice(0, at),
    kind: type.slice(at + 1),
    metadata: { name: 'x', ...marks },
    ...rest,
  } as KubernetesObject;
};
const kept = (annotations: object): Marks => ({ annotations: { ...KEEP_ANNOTATIONS, ...annotations } });
const without = (name: string): Marks => ({
  annotations: Object.fromEntries(Object.entries(KEEP_ANNOTATIONS).filter(([key]) => key !== name)),
});

/** From, to, the class, and a part of the notes. */
type Row = readonly [
  name: string,
  from: KubernetesObject | undefined,
  to: KubernetesObject | undefined,
  impact: string,
  note?: RegExp,
];

const AT_ONCE = /delete or replace it at once, and its pods end without a drain/;
const OTHERWISE = /handles it in another way/;

const drivers: readonly Row[] = [
  ...[
    ['argocd.argoproj.io/hook', 'Sync'],
    ['argocd.argoproj.io/sync-wave', '-1'],
    [SYNC, 'Prune=false,Delete=false,Replace=true'],
    ['kustomize.toolkit.fluxcd.io/force', 'enabled'],
    ['kustomize.toolkit.fluxcd.io/ssa', 'IfNotPresent'],
    ['helm.sh/hook', 'pre-upgrade'],
    [REMOVAL_ANNOTATION, 'drain'],
  ].map(([key = '', value]): Row => [
    `${key}: ${value}`,
    driver(),
    driver(kept({ [key]: value })),
    'driver-loss',
    AT_ONCE,
  ]),
  ...Object.keys(KEEP_ANNOTATIONS).map((key): Row => [
    `without ${key}`,
    driver(),
    driver(without(key)),
    'driver-loss',
    AT_ONCE,
  ]),
  ['a hook that goes', driver(kept({ 'helm.sh/hook': 'test' })), driver(), 'driver-loss', AT_ONCE],
  ['an owner', driver(), driver({ ownerReferences: [OWNER] }), 'driver-loss', /`metadata.ownerReferences`: /],
  ['a finalizer', driver(), driver({ finalizers: ['a/b'] }), 'driver-loss', /`metadata.finalizers`: /],
  ['RollingUpdate', driver(), driver({}, 'RollingUpdate'), 'driver-loss', /controller replaces outdated driver pods/],
  ['OnDelete again', driver({}, 'RollingUpdate'), driver(), 'metadata'],
  ['a new one with an owner', undefined, driver({ ownerReferences: [OWNER] }), 'driver-loss', AT_ONCE],
  ['a new one', undefined, driver(), 'add'],
  ['another annotation', driver(), driver(kept({ 'example.com/a': 'b' })), 'metadata'],
];

const depended = (marks: Marks = {}) =>
  object('v1/ServiceAccount', { ...kept({ [REMOVAL_ANNOTATION]: 'drain' }), ...marks });

const others: readonly Row[] = [
  ...['argocd.argoproj.io/sync-options', 'helm.sh/hook', 'kustomize.toolkit.fluxcd.io/prune'].map((key): Row => [
    `${key} of a ConfigMap`,
    object('v1/ConfigMap'),
    object('v1/ConfigMap', { annotations: { [key]: 'other' } }),
    'rights',
    OTHERWISE,
  ]),
  ['a new hook', undefined, object('v1/ConfigMap', { annotations: { 'helm.sh/hook': 'test' } }), 'rights', OTHERWISE],
  ['a ConfigMap is not kept', object('v1/ConfigMap', kept({})), object('v1/ConfigMap'), 'rights', OTHERWISE],
  ['a ConfigMap is kept', object('v1/ConfigMap'), object('v1/ConfigMap', kept({})), 'metadata'],
  ['an owner', object('v1/ConfigMap'), object('v1/ConfigMap', { ownerReferences: [OWNER] }), 'remove', /garbage/],
  ['a finalizer', object('v1/ConfigMap'), object('v1/ConfigMap', { finalizers: ['a/b'] }), 'remove', /finalizers/],
  [
    'an owner of a Namespace',
    object('v1/Namespace'),
    object('v1/Namespace', { ownerReferences: [OWNER] }),
    'driver-loss',
    /driver pods that depend on it end without a drain/,
  ],
  ['a Namespace is not kept', object('v1/Namespace', kept({})), object('v1/Namespace'), 'driver-loss'],
  ['drivers depend on it, and it has an owner', depended(), depended({ ownerReferences: [OWNER] }), 'driver-loss'],
  ['drivers depend on it, and it is not kept', depended(), depended(without(SYNC)), 'driver-loss'],
];

const CLUSTER_ROLE = 'rbac.authorization.k8s.io/v1/ClusterRole';
const AGGREGATE = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
const PRIVILEGED = { 'pod-security.kubernetes.io/enforce': 'privileged' };
const NO_RULES = { aggregationRule: { clusterRoleSelectors: [] } };

const labels: readonly Row[] = [
  ['aggregate-to', object(CLUSTER_ROLE), object(CLUSTER_ROLE, { labels: AGGREGATE }), 'rights', /other ClusterRoles/],
  ['aggregate-to goes', object(CLUSTER_ROLE, { labels: AGGREGATE }), object(CLUSTER_ROLE), 'rights'],
  ['an aggregation rule', object(CLUSTER_ROLE), object(CLUSTER_ROLE, {}, NO_RULES), 'rights'],
  ['pods of a Namespace', object('v1/Namespace'), object('v1/Namespace', { labels: PRIVILEGED }), 'rights', /admitted/],
  ['a new Namespace', undefined, object('v1/Namespace', { labels: PRIVILEGED }), 'add'],
  ['another label', object(CLUSTER_ROLE), object(CLUSTER_ROLE, { labels: { a: 'b' } }), 'metadata'],
];

const PROGRAM = /runs programs in the cluster: review it as code/;
const APPLIED = /decides what is applied/;
const guarded = (
  [
    ['v1/Pod', 'rights', PROGRAM],
    ['v1/ReplicationController', 'rights', PROGRAM],
    ['apps/v1/ReplicaSet', 'rights', PROGRAM],
    ['batch/v1/Job', 'rights', PROGRAM],
    ['batch/v1/CronJob', 'rights', PROGRAM],
    ['admissionregistration.k8s.io/v1/MutatingWebhookConfiguration', 'rights', APPLIED],
    ['admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration', 'rights', APPLIED],
    ['admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy', 'rights', APPLIED],
    ['admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding', 'rights', APPLIED],
    ['admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy', 'rights', APPLIED],
    ['admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding', 'rights', APPLIED],
    ['apiregistration.k8s.io/v1/APIService', 'rights', APPLIED],
    ['certificates.k8s.io/v1/CertificateSigningRequest', 'rights', /grants rights/],
    ['security.openshift.io/v1/SecurityContextConstraints', 'rights', APPLIED],
    ['authorization.openshift.io/v1/ClusterRoleBinding', 'rights', /grants rights/],
    ['authorization.openshift.io/v1/RoleBinding', 'rights', /grants rights/],
    ['authorization.openshift.io/v1/ClusterRole', 'rights', /grants rights/],
    ['authorization.openshift.io/v1/Role', 'rights', /grants rights/],
    ['networking.k8s.io/v1/NetworkPolicy', 'network', /connections/],
    ['argoproj.io/v1alpha1/Application', 'rights', APPLIED],
    ['argoproj.io/v1alpha1/ApplicationSet', 'rights', APPLIED],
    ['argoproj.io/v1alpha1/AppProject', 'rights', APPLIED],
    ['source.toolkit.fluxcd.io/v1/GitRepository', 'rights', APPLIED],
    ['kustomize.toolkit.fluxcd.io/v1/Kustomization', 'rights', APPLIED],
    ['helm.toolkit.fluxcd.io/v2/HelmRelease', 'rights', APPLIED],
  ] as const
).flatMap(([type, impact, note]): readonly Row[] => [
  [`a new ${type}`, undefined, object(type), impact, note],
  [`another ${type}`, object(type, {}, { spec: { a: 1 } }), object(type, {}, { spec: { a: 2 } }), impact, note],
  [`a label of ${type}`, object(type), object(type, { labels: { a: 'b' } }), 'metadata'],
]);

const OWN = { 'weft.dev/component': 'companion' };
const STATE = { 'nvidia.network-operator.state': 'state-multus-cni' };
const workloads: readonly Row[] = [
  ...['DaemonSet', 'Deployment', 'StatefulSet'].flatMap((kind): readonly Row[] => [
    [`a new ${kind}`, undefined, object(`apps/v1/${kind}`), 'rights', PROGRAM],
    [`a new ${kind} of a component`, undefined, object(`apps/v1/${kind}`, { labels: STATE }), 'add'],
  ]),
  ['a new DaemonSet of the companion', undefined, object('apps/v1/DaemonSet', { labels: OWN }), 'add'],
  [
    'a Job with the label of the companion alone',
    undefined,
    object('batch/v1/Job', { labels: OWN }),
    'rights',
    PROGRAM,
  ],
  ['a webhook goes', object('admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration'), undefined, 'rights'],
  ['a NetworkPolicy goes', object('networking.k8s.io/v1/NetworkPolicy'), undefined, 'network'],
  ['a Pod goes', object('v1/Pod'), undefined, 'remove'],
];

function compare(from: readonly KubernetesObject[], to: readonly KubernetesObject[]) {
  return diffCluster({ name: 'east', old: { objects: from }, next: { objects: to, coverage: [] } }).objects;
}

const listOf = (found: KubernetesObject | undefined) => (found ? [found] : []);

describe.each([
  ['a driver', drivers],
  ['other objects', others],
  ['labels', labels],
  ['kinds', guarded],
  ['workloads', workloads],
])('what delivery tools and controllers do: %s', (_, rows) => {
  it.each(rows.map(([name, ...row]) => ({ name, row })))('$name', ({ row: [from, to, impact, note] }) => {
    const found = compare(listOf(from), listOf(to));
    expect(found).toMatchObject([{ impact }]);
    if (note) expect(found[0]?.notes.join('\n')).toMatch(note);
  });
});

describe('the section `gitops`', () => {
  const layouts = ['argocd', 'flux', 'none'].map((tool) => ({
    tool,
    of: deliveryAnnotations({ [tool]: {} }) ?? (() => ({})),
  }));
  const script = { data: { a: '${b}' } };
  const base = [
    driver(),
    object('v1/Namespace', kept({})),
    object('v1/ConfigMap', {}, script),
    object('apiextensions.k8s.io/v1/CustomResourceDefinition', kept({})),
  ];
  const pairs = layouts.flatMap((from) => layouts.map((to) => [from.tool, to.tool, from.of, to.of] as const));

  it.each(pairs)('may change from %s to %s', (_from, _to, ...sides) => {
    const [before = [], after = []] = sides.map((of) =>
      base.map((one) => ({
        ...one,
        metadata: { ...one.metadata, annotations: { ...one.metadata.annotations, ...of(one) } },
      })),
    );
    expect(compare(before, after).filter(({ impact }) => impact !== 'metadata')).toEqual([]);
  });
});
