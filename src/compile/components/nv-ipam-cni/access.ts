import type { Cluster } from '../../model/config.js';
import type { KubernetesObject, PolicyRule } from '../../../shared/kubernetes/types.js';
import { privilegedOnOpenshift } from '../../../shared/kubernetes/rbac.js';
import { clusterAccount } from '../cluster-account.js';
import { clusterMetadata } from '../pod-parts.js';
import { CONTROLLER, NODE } from './names.js';

const VIEW = ['get', 'list', 'watch'];
const POOLS = { apiGroups: ['nv-ipam.nvidia.com'], resources: ['ippools', 'cidrpools'] };

const NODE_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: VIEW },
  { ...POOLS, verbs: VIEW },
];

const CONTROLLER_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'patch', 'update', 'watch'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: [...VIEW, 'delete'] },
  { ...POOLS, verbs: [...VIEW, 'create'] },
  { ...POOLS, resources: ['ippools/status', 'cidrpools/status'], verbs: ['get', 'update', 'patch'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: [...VIEW, 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
];

/** The ServiceAccounts of the controller and of the DaemonSet, and their RBAC objects. */
export function accessObjects(
  component: { readonly statusName: string },
  { namespace, isOpenshift }: Cluster,
): readonly KubernetesObject[] {
  return [
    ...clusterAccount(component, { name: NODE, namespace }, NODE_RULES),
    ...clusterAccount(component, { name: CONTROLLER, namespace }, CONTROLLER_RULES),
    ...(isOpenshift ? privilegedOnOpenshift(clusterMetadata(NODE, namespace, component), namespace) : []),
  ];
}
