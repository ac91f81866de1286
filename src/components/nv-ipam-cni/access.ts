import type { Cluster } from '../../model/config.js';
import type { KubernetesObject, PolicyRule } from '../../kubernetes/types.js';
import { clusterRole, clusterRoleBinding, privilegedOnOpenshift, serviceAccount } from '../../kubernetes/rbac.js';
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
  const accounts = [
    { name: NODE, rules: NODE_RULES },
    { name: CONTROLLER, rules: CONTROLLER_RULES },
  ];
  return [
    ...accounts.flatMap(({ name, rules }) => {
      const clusterWide = clusterMetadata(name, undefined, component);
      return [
        serviceAccount(clusterMetadata(name, namespace, component)),
        clusterRole(clusterWide, rules),
        clusterRoleBinding(clusterWide, { name, namespace }),
      ];
    }),
    ...(isOpenshift ? privilegedOnOpenshift(clusterMetadata(NODE, namespace, component), namespace) : []),
  ];
}
