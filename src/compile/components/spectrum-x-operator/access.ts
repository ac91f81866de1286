import type { Cluster } from '../../model/config.js';
import { since } from '../../releases/changes.js';
import type { KubernetesObject, PolicyRule } from '../../../shared/kubernetes/types.js';
import { ALL_VERBS, privilegedOnOpenshift } from '../../../shared/kubernetes/rbac.js';
import { clusterAccount } from '../cluster-account.js';
import { clusterMetadata } from '../pod-parts.js';

/** Name of the account, the ClusterRole and their bindings. */
export const ACCOUNT = 'spectrum-x-operator';

const VIEW = ['get', 'list', 'watch'];
const STATUS = ['get', 'patch', 'update'];

const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});

/** In the order of the operator's ClusterRole. */
const rules = (cluster: Cluster): readonly PolicyRule[] => [
  rule('', ['events'], ['create', 'get', 'patch', 'update']),
  rule('', ['nodes'], VIEW),
  rule('', ['pods'], ALL_VERBS),
  rule('', ['pods/finalizers'], ['update']),
  rule('', ['pods/status'], STATUS),
  rule('coordination.k8s.io', ['leases'], ALL_VERBS),
  rule('spectrumx.nvidia.com', ['spectrumxrailpoolconfigs'], VIEW),
  rule('spectrumx.nvidia.com', ['spectrumxrailpoolconfigs/status'], STATUS),
  rule('sriovnetwork.openshift.io', ['ovsnetworks', 'sriovnetworknodepolicies', 'sriovnetworkpoolconfigs'], ALL_VERBS),
  rule('sriovnetwork.openshift.io', ['sriovnetworknodestates'], VIEW),
  ...(since(cluster, 'spectrum-x-reads-cidr-pools') ? [rule('nv-ipam.nvidia.com', ['cidrpools'], VIEW)] : []),
];

/** The ServiceAccount of the pods, and its RBAC objects. */
export function accessObjects(
  component: { readonly statusName: string },
  cluster: Cluster,
): readonly KubernetesObject[] {
  const { namespace, isOpenshift } = cluster;
  return [
    ...clusterAccount(component, { name: ACCOUNT, namespace }, rules(cluster)),
    ...(isOpenshift ? privilegedOnOpenshift(clusterMetadata(ACCOUNT, namespace, component), namespace) : []),
  ];
}
