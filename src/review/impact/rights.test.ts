import { describe, expect, it } from '@jest/globals';
import { KEEP_ANNOTATIONS } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { diffCluster } from '../diff/diff.js';

const RBAC = 'rbac.authorization.k8s.io/v1';
const rule = (verbs: string, resources: string, apiGroup = '', resourceNames: readonly string[] = []) => ({
  apiGroups: [apiGroup],
  resources: resources.split(' '),
  verbs: verbs.split(' '),
  ...(resourceNames.length > 0 ? { resourceNames } : {}),
});
const role = (...rules: readonly object[]): KubernetesObject => ({
  apiVersion: RBAC,
  kind: 'ClusterRole',
  metadata: { name: 'r' },
  rules,
});
const binding = (...names: readonly string[]): KubernetesObject => ({
  apiVersion: RBAC,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'b' },
  roleRef: { kind: 'ClusterRole', name: 'r' },
  subjects: names.map((name) => ({ kind: 'ServiceAccount', namespace: 'ns', name })),
});

const marked = (kind: string, labels: object, annotations: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', labels: { ...labels }, annotations: { ...annotations } },
});

const table: readonly {
  readonly name: string;
  readonly old: readonly KubernetesObject[];
  readonly next: readonly KubernetesObject[];
  readonly impact?: string;
  readonly notes: readonly string[];
}[] = [
  {
    name: 'more verbs',
    old: [role(rule('get', 'pods')), binding('x')],
    next: [role(rule('get list', 'pods nodes')), binding('x')],
    notes: ['allows now: get, list `nodes`; list `pods`', 'held by ServiceAccount `ns/x`'],
  },
  {
    name: 'fewer resources',
    old: [role(rule('delete', 'ippools/status', 'nv-ipam.nvidia.com'))],
    next: [role(rule('delete', 'pods'))],
    notes: [
      'allows now: delete `pods`',
      'no longer allows: delete `ippools.nv-ipam.nvidia.com/status`',
      'nothing here is bound to it',
    ],
  },
  {
    name: 'a wildcard in place of verbs',
    old: [role(rule('get list', 'pods'))],
    next: [role(rule('*', 'pods'))],
    notes: ['allows now: all verbs on `pods`', 'nothing here is bound to it'],
  },
  {
    name: 'the right to delete another Job of the companion',
    old: [role(rule('get delete', 'jobs', 'batch', ['weft-companion-0123456789']), rule('get', 'pods'))],
    next: [role(rule('get delete', 'jobs', 'batch', ['weft-companion-abcdefabcd']), rule('get', 'pods'))],
    impact: 'metadata',
    notes: [],
  },
  {
    name: 'names that go',
    old: [role(rule('get', 'secrets', '', ['a']))],
    next: [role(rule('get', 'secrets'))],
    notes: ['allows now: get `secrets`', 'nothing here is bound to it'],
  },
  {
    name: 'another name after those that are shown',
    old: [role(rule('get', 'secrets', '', ['a', 'b', 'c', 'd', 'e', 'f', 'g']))],
    next: [role(rule('get', 'secrets', '', ['a', 'b', 'c', 'd', 'e', 'f', 'h']))],
    notes: [
      'allows now: get `secrets` named `a`, `b`, `c`, `d`, `e` and 2 more',
      'no longer allows: get `secrets` named `a`, `b`, `c`, `d`, `e` and 2 more',
      'nothing here is bound to it',
    ],
  },
  {
    name: 'rules in another order',
    old: [role(rule('get', 'pods'), rule('get', 'nodes'))],
    next: [role(rule('get', 'nodes'), rule('get', 'pods'))],
    impact: 'metadata',
    notes: [],
  },
  {
    name: 'another subject',
    old: [binding('x')],
    next: [binding('x', 'y')],
    notes: ['gained: ServiceAccount `ns/y` has the rights of ClusterRole `r` in the whole cluster'],
  },
  {
    name: "Weft's own annotations on a ServiceAccount that the operator made",
    old: [marked('ServiceAccount', {})],
    next: [marked('ServiceAccount', {}, { ...KEEP_ANNOTATIONS, 'weft.dev/removal': 'drain' })],
    impact: 'metadata',
    notes: [],
  },
  {
    name: 'a role of a cloud on a ServiceAccount',
    old: [marked('ServiceAccount', {})],
    next: [marked('ServiceAccount', {}, { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x' })],
    notes: ['its annotations may give it rights outside of the cluster, such as those of a cloud'],
  },
  {
    name: 'labels of a Namespace that only warn',
    old: [marked('Namespace', { 'pod-security.kubernetes.io/enforce': 'privileged' })],
    next: [
      marked('Namespace', {
        'pod-security.kubernetes.io/enforce': 'privileged',
        'pod-security.kubernetes.io/warn': 'privileged',
      }),
    ],
    impact: 'metadata',
    notes: [],
  },
  {
    name: 'which pods a Namespace admits',
    old: [marked('Namespace', { 'pod-security.kubernetes.io/enforce': 'baseline' })],
    next: [marked('Namespace', { 'pod-security.kubernetes.io/enforce': 'privileged' })],
    notes: ['which pods are admitted to the namespace changes'],
  },
  {
    name: 'a new role',
    old: [],
    next: [role({ nonResourceURLs: ['/metrics'], verbs: ['get'] })],
    notes: ['allows now: get `/metrics`', 'nothing here is bound to it'],
  },
  {
    name: 'a role that goes',
    old: [role(rule('get', 'pods'))],
    next: [],
    notes: ['no longer allows: get `pods`', 'nothing here is bound to it'],
  },
  {
    name: 'a role that goes and stays in the cluster',
    old: [{ ...role(rule('get', 'pods')), metadata: { name: 'r', annotations: KEEP_ANNOTATIONS } }],
    next: [],
    impact: 'remove',
    notes: [
      'stays in the cluster: its annotations keep Argo CD, Flux and Helm from deleting it; delete it by hand when nothing uses it any more',
    ],
  },
];

describe('rights', () => {
  it.each(table)('$name', ({ old, next, impact = 'rights', notes }) => {
    const sides = { coverage: [] };
    const { objects } = diffCluster({ name: 'east', old: { objects: old }, next: { objects: next, ...sides } });
    expect(objects).toMatchObject([{ impact, notes }]);
  });
});
