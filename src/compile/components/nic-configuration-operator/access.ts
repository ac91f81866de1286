import type { Cluster } from '../../model/config.js';
import { since } from '../../releases/changes.js';
import type { KubernetesObject, PolicyRule } from '../../../shared/kubernetes/types.js';
import { ALL_VERBS, privilegedOnOpenshift } from '../../../shared/kubernetes/rbac.js';
import { clusterAccount } from '../cluster-account.js';
import { clusterMetadata } from '../pod-parts.js';
import { OPERATOR } from './names.js';

const rule = (apiGroup: string, resource: string, verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources: [resource],
  verbs,
});

const ownKind = (resource: string): PolicyRule => rule('configuration.net.nvidia.com', resource, ALL_VERBS);

const finalizers = (resource: string): PolicyRule =>
  rule('configuration.net.nvidia.com', `${resource}/finalizers`, ['update']);

const status = (resource: string): PolicyRule =>
  rule('configuration.net.nvidia.com', `${resource}/status`, ['get', 'patch', 'update']);

const fullKind = (resource: string): readonly PolicyRule[] => [
  ownKind(resource),
  finalizers(resource),
  status(resource),
];

/** In the order of the operator's ClusterRole. */
const rules = (cluster: Cluster): readonly PolicyRule[] => [
  rule('', 'configmaps', since(cluster, 'nic-configuration-watches-config-maps') ? ['get', 'list', 'watch'] : ['get']),
  rule('', 'nodes', ['get', 'list', 'patch', 'update', 'watch']),
  rule('', 'pods', ['list']),
  rule('', 'pods/eviction', ALL_VERBS),
  ...fullKind('nicconfigurationtemplates'),
  ...fullKind('nicdevices'),
  rule('maintenance.nvidia.com', 'nodemaintenances', ALL_VERBS),
  rule('apps', 'daemonsets', ALL_VERBS),
  ...fullKind('nicfirmwaresources'),
  ...fullKind('nicfirmwaretemplates'),
  ownKind('nicinterfacenametemplates'),
  status('nicinterfacenametemplates'),
];

/** The ServiceAccount of the operator and of its daemon, and its RBAC objects. */
export function accessObjects(
  component: { readonly statusName: string },
  cluster: Cluster,
): readonly KubernetesObject[] {
  const { namespace, isOpenshift } = cluster;
  return [
    ...clusterAccount(component, { name: OPERATOR, namespace }, rules(cluster)),
    ...(isOpenshift ? privilegedOnOpenshift(clusterMetadata(OPERATOR, namespace, component), namespace) : []),
  ];
}
