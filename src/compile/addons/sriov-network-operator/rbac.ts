import {
  bindingTo,
  clusterRole,
  clusterRoleBinding,
  PRIVILEGED_SCC_RULES,
  role,
  serviceAccount,
} from '../../../shared/kubernetes/rbac.js';
import type { KubernetesObject, PolicyRule } from '../../../shared/kubernetes/types.js';
import { clusterMeta, CONFIG_DAEMON, meta, type Parts } from './names.js';

const CORE = [''];
const RBAC = ['rbac.authorization.k8s.io'];
const SRIOV = ['sriovnetwork.openshift.io'];
const LEASES = ['coordination.k8s.io'];
const OPENSHIFT_CONFIG = ['config.openshift.io'];
const READ = ['get', 'list', 'watch'];
const ALL = ['*'];
const NODES: PolicyRule = { apiGroups: CORE, resources: ['nodes'], verbs: [...READ, 'patch', 'update'] };
const CLASSES = [...READ, 'create', 'update', 'patch', 'delete'];

/** The rights of the chart: charts/sriov-network-operator/templates/clusterrole.yaml and role.yaml. */
const OPERATOR_CLUSTER: readonly PolicyRule[] = [
  NODES,
  { apiGroups: CORE, resources: ['pods'], verbs: ALL },
  { apiGroups: CORE, resources: ['pods/eviction'], verbs: ['create'] },
  { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['get'] },
  { apiGroups: CORE, resources: ['namespaces', 'serviceaccounts'], verbs: ALL },
  { apiGroups: ['k8s.cni.cncf.io'], resources: ['network-attachment-definitions'], verbs: ALL },
  { apiGroups: RBAC, resources: ['clusterroles', 'clusterrolebindings'], verbs: ALL },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    verbs: ALL,
  },
  { apiGroups: SRIOV, resources: ALL, verbs: ALL },
  { apiGroups: ['machineconfiguration.openshift.io'], resources: ALL, verbs: ALL },
  { apiGroups: OPENSHIFT_CONFIG, resources: ['infrastructures', 'apiservers'], verbs: READ },
  { apiGroups: ['resource.k8s.io'], resources: ['deviceclasses'], verbs: CLASSES },
  {
    apiGroups: ['sriovnetwork.k8snetworkplumbingwg.io'],
    resources: ['sriovresourcepolicies', 'deviceattributes'],
    verbs: CLASSES,
  },
];

const DAEMON_CLUSTER: readonly PolicyRule[] = [
  NODES,
  { apiGroups: OPENSHIFT_CONFIG, resources: ['infrastructures'], verbs: READ },
];

const OPERATOR: readonly PolicyRule[] = [
  {
    apiGroups: CORE,
    resources: ['pods', 'services', 'endpoints', 'persistentvolumeclaims', 'events', 'configmaps', 'secrets'],
    verbs: ALL,
  },
  { apiGroups: ['apps'], resources: ['deployments', 'daemonsets', 'replicasets', 'statefulsets'], verbs: ALL },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ['get', 'create', 'update', 'delete'] },
  {
    apiGroups: ['monitoring.coreos.com'],
    resources: ['servicemonitors', 'prometheusrules'],
    verbs: ['get', 'create', 'update', 'delete'],
  },
  {
    apiGroups: ['apps'],
    resources: ['deployments/finalizers'],
    resourceNames: ['sriov-network-operator'],
    verbs: ['update'],
  },
  { apiGroups: RBAC, resources: ['serviceaccounts', 'roles', 'rolebindings'], verbs: ALL },
  { apiGroups: OPENSHIFT_CONFIG, resources: ['infrastructures'], verbs: READ },
  { apiGroups: LEASES, resources: ['leases'], verbs: ALL },
];

const DAEMON: readonly PolicyRule[] = [
  { apiGroups: CORE, resources: ['pods'], verbs: [...READ, 'delete', 'patch'] },
  { apiGroups: SRIOV, resources: ['*', 'sriovnetworknodestates'], verbs: ALL },
  ...PRIVILEGED_SCC_RULES,
  { apiGroups: CORE, resources: ['configmaps'], verbs: ['get', 'update'] },
  { apiGroups: LEASES, resources: ['leases'], verbs: ALL },
  { apiGroups: CORE, resources: ['events'], verbs: ['create', 'patch'] },
];

/** For the webhook, which the operator runs with its own account. */
const WEBHOOK: readonly PolicyRule[] = [{ apiGroups: CORE, resources: ['configmaps'], verbs: ['get'] }];

/** Accounts of the operator and of its config daemon, and their rights. */
export function accountsAndRoles(parts: Parts): readonly KubernetesObject[] {
  const { fullnameOverride: name } = parts.spec;
  const { namespace } = parts.cluster;
  const daemon = { name: CONFIG_DAEMON, namespace };
  return [
    serviceAccount(meta(parts, name)),
    serviceAccount(meta(parts, CONFIG_DAEMON)),
    clusterRole(clusterMeta(parts, name), OPERATOR_CLUSTER),
    clusterRoleBinding(clusterMeta(parts, name), { name, namespace }),
    clusterRole(clusterMeta(parts, CONFIG_DAEMON), DAEMON_CLUSTER),
    clusterRoleBinding(clusterMeta(parts, CONFIG_DAEMON), daemon),
    role(meta(parts, name), OPERATOR),
    bindingTo(meta(parts, name), { name, namespace }),
    role(meta(parts, CONFIG_DAEMON), DAEMON),
    bindingTo(meta(parts, CONFIG_DAEMON), daemon),
    role(meta(parts, 'operator-webhook-sa'), WEBHOOK),
  ];
}
