import { ApiObject, JsonPatch } from 'cdk8s';
import {
  ApiResource,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  type IClusterRole,
  type IRole,
  type ServiceAccount,
} from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { COMPANION_NAMES } from '../contract/labels.js';

function resource(apiGroup: string, resourceType: string): ApiResource {
  return ApiResource.custom({ apiGroup, resourceType });
}

/**
 * What the companion may do in the whole cluster. Pods are listed everywhere because a drain sees the pods of a node, DaemonSets
 * are read because it asks whether a pod's DaemonSet exists. `test/cluster/companion/rights.test.ts` finds each verb in the audit log
 * of an API server.
 */
const CLUSTER_RULES = [
  { verbs: ['get', 'list', 'watch', 'patch'], on: resource('', 'nodes') },
  { verbs: ['list', 'watch'], on: resource('', 'pods') },
  { verbs: ['create'], on: resource('', 'pods/eviction') },
  { verbs: ['list'], on: resource('policy', 'poddisruptionbudgets') },
  { verbs: ['get'], on: resource('apps', 'daemonsets') },
  { verbs: ['create', 'patch'], on: resource('', 'events') },
];

/** What it may do in its own namespace, which is that of the drivers. Creating cannot be granted for one name. */
const NAMESPACE_RULES = [
  { verbs: ['delete'], on: resource('', 'pods') },
  { verbs: ['list', 'watch', 'delete'], on: resource('apps', 'daemonsets') },
  { verbs: ['list', 'watch'], on: resource('apps', 'controllerrevisions') },
  { verbs: ['create'], on: resource('coordination.k8s.io', 'leases') },
  {
    verbs: ['get', 'update'],
    on: { apiGroup: 'coordination.k8s.io', resourceType: 'leases', resourceName: COMPANION_NAMES.lease },
  },
  { verbs: ['create'], on: resource('', 'configmaps') },
  {
    verbs: ['get', 'update'],
    on: { apiGroup: '', resourceType: 'configmaps', resourceName: COMPANION_NAMES.statusConfigMap },
  },
  { verbs: ['get'], on: { apiGroup: '', resourceType: 'configmaps', resourceName: COMPANION_NAMES.policyConfigMap } },
];

/** A run of the CronJob deletes the Job of the current policy where it failed and the nodes were repaired. */
const jobRule = (job: string) => ({
  verbs: ['get', 'delete'],
  on: { apiGroup: 'batch', resourceType: 'jobs', resourceName: job },
});

/**
 * Roles of the companion, bound to its account.
 *
 * @param job name of the Job that a run of the CronJob may delete; absent where there is no CronJob
 */
export function addAccess(scope: Construct, account: ServiceAccount, namespace: string, job?: string): void {
  // Cluster-wide names must not be those of a companion in another namespace.
  const clusterWide = { name: `${namespace}-${COMPANION_NAMES.account}` };
  const namespaced = { name: COMPANION_NAMES.account, namespace };
  const clusterRole = new ClusterRole(scope, 'cluster-role', { metadata: clusterWide });
  const role = new Role(scope, 'role', { metadata: namespaced });
  for (const { verbs, on } of CLUSTER_RULES) clusterRole.allow([...verbs], on);
  // cdk8s-plus writes an empty list of names, which the API server drops.
  const withoutNames = CLUSTER_RULES.map((_rule, index) => JsonPatch.remove(`/rules/${index}/resourceNames`));
  ApiObject.of(clusterRole).addJsonPatch(...withoutNames);
  const ownRules = [...NAMESPACE_RULES, ...(job === undefined ? [] : [jobRule(job)])];
  for (const { verbs, on } of ownRules) role.allow([...verbs], on);
  // The types of cdk8s-plus do not distinguish an absent property from an undefined one.
  new ClusterRoleBinding(scope, 'cluster-role-binding', {
    metadata: clusterWide,
    role: clusterRole as IClusterRole,
  }).addSubjects(account);
  new RoleBinding(scope, 'role-binding', { metadata: namespaced, role: role as IRole }).addSubjects(account);
}
