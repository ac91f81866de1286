import type { KubernetesObject, ObjectMeta, PolicyRule } from './types.js';

const RBAC = 'rbac.authorization.k8s.io';

/** Every verb on objects except `deletecollection`. */
export const ALL_VERBS: readonly string[] = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/** A ServiceAccount. */
export function serviceAccount(metadata: ObjectMeta): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
}

/** A ClusterRole. */
export function clusterRole(metadata: ObjectMeta, rules: readonly PolicyRule[]): KubernetesObject {
  return { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules };
}

/** Binds a ServiceAccount to the ClusterRole of the binding's own name. */
export function clusterRoleBinding(
  metadata: ObjectMeta,
  account: { name: string; namespace: string },
): KubernetesObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }],
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: metadata.name },
  };
}

/** A Role. */
export function role(metadata: ObjectMeta, rules: readonly PolicyRule[]): KubernetesObject {
  return { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules };
}

/** Binds a ServiceAccount to the Role of the binding's own name. */
export function bindingTo(metadata: ObjectMeta, account: { name: string; namespace: string }): KubernetesObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }],
    roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
  };
}

/**
 * Binds the ServiceAccount of the binding's own name to the Role of the same name. Without `accountNamespace` the subject
 * has no namespace, as in some of the operator's templates.
 */
function roleBinding(metadata: ObjectMeta, accountNamespace?: string): KubernetesObject {
  const namespace = accountNamespace === undefined ? {} : { namespace: accountNamespace };
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    subjects: [{ kind: 'ServiceAccount', name: metadata.name, ...namespace }],
    roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
  };
}

/** OpenShift lets a pod run privileged only where its account may use the SecurityContextConstraints of that name. */
const PRIVILEGED_SCC_RULES: readonly PolicyRule[] = [
  {
    apiGroups: ['security.openshift.io'],
    resources: ['securitycontextconstraints'],
    resourceNames: ['privileged'],
    verbs: ['use'],
  },
];

/** A Role and its binding, named like the account, that allow a DaemonSet to run privileged on OpenShift. */
export function privilegedOnOpenshift(metadata: ObjectMeta, accountNamespace?: string): readonly KubernetesObject[] {
  return [role(metadata, PRIVILEGED_SCC_RULES), roleBinding(metadata, accountNamespace)];
}

/** The account of a DaemonSet that needs one only to run privileged on OpenShift, with its Role and binding. */
export function openshiftAccount(metadata: ObjectMeta): readonly KubernetesObject[] {
  return [serviceAccount(metadata), ...privilegedOnOpenshift(metadata)];
}
