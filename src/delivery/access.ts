import { ApiObject, JsonPatch } from 'cdk8s';
import {
  ApiResource,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  type IApiResource,
  type IClusterRole,
  type IRole,
  type ServiceAccount,
} from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { CLUSTER_RIGHTS, NAMESPACE_RIGHTS, type CompanionRight } from '../contract/companion-rights.js';
import { COMPANION_NAMES } from '../contract/labels.js';

function resourceOf({ group: apiGroup, resource: resourceType }: CompanionRight): ApiResource {
  return ApiResource.custom({ apiGroup, resourceType });
}

/** Without a name, any object. */
function namedResourceOf(right: CompanionRight): IApiResource {
  const { group: apiGroup, resource: resourceType, name: resourceName } = right;
  return resourceName === undefined ? resourceOf(right) : { apiGroup, resourceType, resourceName };
}

/** A run of the CronJob deletes the Job of the current policy where it failed and the nodes were repaired. */
const jobRight = (job: string): CompanionRight => ({
  ...{ verbs: ['get', 'delete'], group: 'batch', resource: 'jobs', name: job },
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
  for (const right of CLUSTER_RIGHTS) clusterRole.allow([...right.verbs], resourceOf(right));
  // cdk8s-plus writes an empty list of names, which the API server drops.
  const withoutNames = CLUSTER_RIGHTS.map((_rule, index) => JsonPatch.remove(`/rules/${index}/resourceNames`));
  ApiObject.of(clusterRole).addJsonPatch(...withoutNames);
  const ownRights = [...NAMESPACE_RIGHTS, ...(job === undefined ? [] : [jobRight(job)])];
  for (const right of ownRights) role.allow([...right.verbs], namedResourceOf(right));
  // The types of cdk8s-plus do not distinguish an absent property from an undefined one.
  new ClusterRoleBinding(scope, 'cluster-role-binding', {
    metadata: clusterWide,
    role: clusterRole as IClusterRole,
  }).addSubjects(account);
  new RoleBinding(scope, 'role-binding', { metadata: namespaced, role: role as IRole }).addSubjects(account);
}
