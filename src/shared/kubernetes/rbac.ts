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

interface Account {
  readonly name: string;
  readonly namespace: string;
}

/** Binds a ServiceAccount to a ClusterRole. Default: that of the binding's own name. */
export function clusterRoleBinding(metadata: ObjectMeta, account: Account, roleName?: string): KubernetesObject {
  return binding('ClusterRole', metadata, account, roleName);
}

/** A Role. */
export function role(metadata: ObjectMeta, rules: readonly PolicyRule[]): KubernetesObject {
  return { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules };
}

/** Binds a ServiceAccount to a Role. Default: that of the binding's own name. */
export function bindingTo(metadata: ObjectMeta, account: Account, roleName?: string): KubernetesObject {
  return binding('Role', metadata, account, roleName);
}

function binding(
  kind: 'ClusterRole' | 'Role',
  metadata: ObjectMeta,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  roleName = metadata.name,
): KubernetesObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: `${kind}Binding`,
    metadata,
    subjects: [{ kind: 'ServiceAccount', name, ...(namespace !== undefined && { namespace }) }],
    roleRef: { apiGroup: RBAC, kind, name: roleName },
  };
}

/** OpenShift lets a pod run privileged only where its account may use the SecurityContextConstraints of that name. */
export const PRIVILEGED_SCC_RULES: readonly PolicyRule[] = [
  {
    apiGroups: ['security.openshift.io'],
    resources: ['securitycontextconstraints'],
    resourceNames: ['privileged'],
    verbs: ['use'],
  },
];

/**
 * A Role and its binding, named like the account, that allow a DaemonSet to run privileged on OpenShift. Without `namespace` the subject has
 * none, as in some of the operator's templates.
 */
export function privilegedOnOpenshift(metadata: ObjectMeta, namespace?: string): readonly KubernetesObject[] {
  return [role(metadata, PRIVILEGED_SCC_RULES), binding('Role', metadata, { name: metadata.name, namespace })];
}

/** The account of a DaemonSet that needs one only to run privileged on OpenShift, with its Role and binding. */
export function openshiftAccount(metadata: ObjectMeta): readonly KubernetesObject[] {
  return [serviceAccount(metadata), ...privilegedOnOpenshift(metadata)];
}
