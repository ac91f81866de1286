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
import type { CompanionRight, CompanionRights } from '../../shared/contract/companion-rights.js';
import { COMPANION_NAMES } from '../../shared/contract/labels.js';

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
  verbs: ['get', 'delete'],
  group: 'batch',
  resource: 'jobs',
  name: job,
});

/**
 * Roles of the companion, bound to its account: for the whole cluster, for its own namespace, and for each other namespace of a driver.
 *
 * @param job name of the Job that a run of the CronJob may delete; absent where there is no CronJob
 */
export function addAccess(
  scope: Construct,
  account: ServiceAccount,
  namespace: string,
  rights: CompanionRights,
  job?: string,
): void {
  // Names outside of its namespace must not be those of a companion in another one.
  const elsewhere = `${namespace}-${COMPANION_NAMES.account}`;
  const clusterRole = new ClusterRole(scope, 'cluster-role', { metadata: { name: elsewhere } });
  for (const right of rights.cluster) clusterRole.allow([...right.verbs], resourceOf(right));
  // cdk8s-plus writes an empty list of names, which the API server drops.
  const withoutNames = rights.cluster.map((_rule, index) => JsonPatch.remove(`/rules/${index}/resourceNames`));
  ApiObject.of(clusterRole).addJsonPatch(...withoutNames);
  const roles = [...rights.namespaces].map(([name, own]) => {
    const isOwn = name === namespace;
    const metadata = { name: isOwn ? COMPANION_NAMES.account : elsewhere, namespace: name };
    const suffix = isOwn ? '' : `-${name}`;
    const role = new Role(scope, `role${suffix}`, { metadata });
    const all = [...own, ...(isOwn && job !== undefined ? [jobRight(job)] : [])];
    for (const right of all) role.allow([...right.verbs], namedResourceOf(right));
    return { role, metadata, suffix };
  });
  // The types of cdk8s-plus do not distinguish an absent property from an undefined one.
  new ClusterRoleBinding(scope, 'cluster-role-binding', {
    metadata: { name: elsewhere },
    role: clusterRole as IClusterRole,
  }).addSubjects(account);
  for (const { role, metadata, suffix } of roles)
    new RoleBinding(scope, `role-binding${suffix}`, { metadata, role: role as IRole }).addSubjects(account);
}
