import type { KubernetesObject, PolicyRule } from '../../shared/kubernetes/types.js';
import { clusterRole, clusterRoleBinding, serviceAccount } from '../../shared/kubernetes/rbac.js';
import { clusterMetadata } from './pod-parts.js';

/** A ServiceAccount of a component that only a NicClusterPolicy can have, with a ClusterRole of its own name. */
export function clusterAccount(
  component: { readonly statusName: string },
  account: { readonly name: string; readonly namespace: string },
  rules: readonly PolicyRule[],
): readonly KubernetesObject[] {
  const clusterWide = clusterMetadata(account.name, undefined, component);
  return [
    serviceAccount(clusterMetadata(account.name, account.namespace, component)),
    clusterRole(clusterWide, rules),
    clusterRoleBinding(clusterWide, account),
  ];
}
