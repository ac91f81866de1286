import { fullName, selectorLabels } from '../chart-names.js';
import {
  ALL_VERBS,
  bindingTo,
  clusterRole,
  clusterRoleBinding,
  role,
  serviceAccount,
} from '../../../shared/kubernetes/rbac.js';
import type { KubernetesObject, PolicyRule } from '../../../shared/kubernetes/types.js';
import { meta, partLabels, type Parts } from './names.js';

const READ = ['get', 'list', 'watch'];
const WRITE = ['get', 'list', 'patch', 'update', 'watch'];
const OURS = ['maintenance.nvidia.com'];
const OPENSHIFT = ['machineconfiguration.openshift.io'];
const KINDS = ['maintenanceoperatorconfigs', 'nodemaintenances'];
const subresources = (name: string) => KINDS.map((kind) => `${kind}/${name}`);

/** The rights of the chart: charts/maintenance-operator-chart/templates/role.yaml. */
const CLUSTER_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'update'] },
  { apiGroups: [''], resources: ['nodes'], verbs: WRITE },
  { apiGroups: [''], resources: ['pods'], verbs: ['delete', ...WRITE] },
  { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'update'] },
  { apiGroups: ['apps'], resources: ['daemonsets'], verbs: READ },
  { apiGroups: ['config.openshift.io'], resources: ['infrastructures'], verbs: READ },
  { apiGroups: OPENSHIFT, resources: ['machineconfigpools'], verbs: WRITE },
  { apiGroups: OPENSHIFT, resources: ['machineconfigs'], verbs: READ },
  { apiGroups: OURS, resources: KINDS, verbs: ALL_VERBS },
  { apiGroups: OURS, resources: subresources('finalizers'), verbs: ['update'] },
  { apiGroups: OURS, resources: subresources('status'), verbs: ['get', 'patch', 'update'] },
];

const ANY = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['configmaps'], verbs: ANY },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ANY },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
];

export function accountName(parts: Parts): string {
  return fullName(parts, '-controller-manager');
}

/** The account of the operator and its rights. Bindings and roles have different names. */
export function accountAndRoles(parts: Parts): readonly KubernetesObject[] {
  const { annotations } = parts.spec.operator.serviceAccount;
  const labels = partLabels(parts, 'rbac');
  const name = fullName(parts, '-manager-role');
  const binding = fullName(parts, '-manager-rolebinding');
  const account = { name: accountName(parts), namespace: parts.cluster.namespace };
  const accountMeta = meta(parts, account.name, labels);
  return [
    serviceAccount(Object.keys(annotations).length > 0 ? { ...accountMeta, annotations } : accountMeta),
    clusterRole({ name, labels: selectorLabels(parts) }, CLUSTER_RULES),
    clusterRoleBinding({ name: binding, labels }, account, name),
    role(meta(parts, name, labels), RULES),
    bindingTo(meta(parts, binding, labels), account, name),
  ];
}
