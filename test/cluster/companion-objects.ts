import { COMPANION_NAMES, POLICY_KEY } from '../../src/contract/labels.js';
import type { LiveObject } from './api-client.js';
import { NAMESPACE } from './fleet.js';

const RBAC = 'rbac.authorization.k8s.io';
const name = COMPANION_NAMES.account;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const rule = (
  apiGroup: string,
  resource: string,
  verbs: readonly string[],
  ...resourceNames: readonly string[]
): Rule => ({
  apiGroups: [apiGroup],
  resources: [resource],
  verbs,
  ...(resourceNames.length > 0 && { resourceNames }),
});

/** The rights of the companion in the whole cluster. */
export const CLUSTER_RULES: readonly Rule[] = [
  rule('', 'nodes', ['get', 'list', 'watch', 'patch']),
  rule('', 'pods', ['get', 'list', 'watch']),
  rule('', 'pods/eviction', ['create']),
  rule('policy', 'poddisruptionbudgets', ['get', 'list']),
  rule('apps', 'daemonsets', ['get']),
  rule('', 'events', ['create', 'patch']),
];

/** Its rights in its own namespace. */
export const NAMESPACE_RULES: readonly Rule[] = [
  rule('', 'pods', ['delete']),
  rule('apps', 'daemonsets', ['get', 'list', 'watch', 'delete']),
  rule('apps', 'controllerrevisions', ['get', 'list', 'watch']),
  rule('coordination.k8s.io', 'leases', ['create']),
  rule('coordination.k8s.io', 'leases', ['get', 'update'], COMPANION_NAMES.lease),
  rule('', 'configmaps', ['create']),
  rule('', 'configmaps', ['get', 'update'], COMPANION_NAMES.statusConfigMap),
  rule('', 'configmaps', ['get'], COMPANION_NAMES.policyConfigMap),
];

/** Account, roles and bindings. */
export function companionAccess(
  clusterRules: readonly Rule[] = CLUSTER_RULES,
  namespaceRules: readonly Rule[] = NAMESPACE_RULES,
): readonly LiveObject[] {
  const subjects = [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }];
  const namespaced = { name, namespace: NAMESPACE };
  const apiVersion = `${RBAC}/v1`;
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespaced },
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: clusterRules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, subjects, roleRef: roleRef('ClusterRole') },
    { apiVersion, kind: 'Role', metadata: namespaced, rules: namespaceRules },
    { apiVersion, kind: 'RoleBinding', metadata: namespaced, subjects, roleRef: roleRef('Role') },
  ];
}

function roleRef(kind: string): object {
  return { apiGroup: RBAC, kind, name };
}

/** The policy's ConfigMap. */
export function policyConfigMap(policy: object): LiveObject {
  const metadata = { name: COMPANION_NAMES.policyConfigMap, namespace: NAMESPACE };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [POLICY_KEY]: JSON.stringify(policy) } };
}
