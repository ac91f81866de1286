import { fullName } from '../chart-names.js';
import { bindingTo, clusterRole, clusterRoleBinding, role, serviceAccount } from '../../../shared/kubernetes/rbac.js';
import type { KubernetesObject, PolicyRule } from '../../../shared/kubernetes/types.js';
import type { NeededObject } from '../../components/component.js';
import { clusterMeta, meta, type Parts } from './names.js';
import type { NodeFeatureDiscoverySpec } from './schema.js';

interface Account {
  readonly create: boolean;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Default name of a program's ServiceAccount, as in the chart. */
export function accountName(parts: Parts, account: Account, suffix: string): string {
  return account.name || (account.create ? fullName(parts, suffix) : 'default');
}

export function accountsAndRoles(parts: Parts): readonly KubernetesObject[] {
  const { master, worker, gc, topologyUpdater } = parts.spec;
  return withoutSameAccounts([
    ...(master.enable ? [...account(parts, master.serviceAccount, ''), ...masterRoles(parts)] : []),
    ...(worker.enable ? [...account(parts, worker.serviceAccount, '-worker'), ...workerRoles(parts)] : []),
    ...(gc.enable ? [...account(parts, gc.serviceAccount, '-gc'), ...gcRoles(parts)] : []),
    ...(topologyUpdater.enable
      ? [...account(parts, topologyUpdater.serviceAccount, '-topology-updater'), ...updaterRoles(parts)]
      : []),
  ]);
}

/** ServiceAccounts that exist already. `default` is in each namespace. */
export function neededObjects(spec: NodeFeatureDiscoverySpec): readonly NeededObject[] {
  if (!spec.deploy) return [];
  const deployed = (['master', 'worker', 'gc', 'topologyUpdater'] as const).filter((key) => spec[key].enable);
  const made = deployed.map((key) => spec[key].serviceAccount).flatMap(({ create, name }) => (create ? [name] : []));
  return deployed.flatMap((key): readonly NeededObject[] => {
    const { create, name } = spec[key].serviceAccount;
    if (create || ['', 'default', ...made].includes(name)) return [];
    return [{ kind: 'ServiceAccount', name, path: [key, 'serviceAccount', 'name'] }];
  });
}

/** Programs may share a ServiceAccount; it has the annotations of the first one. */
function withoutSameAccounts(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const names = new Set<string>();
  return objects.filter(({ kind, metadata: { name } }) => {
    if (kind !== 'ServiceAccount') return true;
    const isFirst = !names.has(name);
    names.add(name);
    return isFirst;
  });
}

function account(parts: Parts, given: Account, suffix: string): readonly KubernetesObject[] {
  if (!given.create) return [];
  return [serviceAccount(meta(parts, accountName(parts, given, suffix), given.annotations))];
}

function bound(
  parts: Parts,
  suffix: string,
  accountOf: string,
  rules: readonly PolicyRule[],
): readonly KubernetesObject[] {
  const metadata = clusterMeta(parts, fullName(parts, suffix));
  const subject = { name: accountOf, namespace: parts.namespace };
  return [clusterRole(metadata, rules), clusterRoleBinding(metadata, subject)];
}

const NFD = 'nfd.k8s-sigs.io';
const LEASES = 'coordination.k8s.io';
const TOPOLOGY = 'topology.node.k8s.io';

function masterRoles(parts: Parts): readonly KubernetesObject[] {
  const lease = 'nfd-master.nfd.kubernetes.io';
  return bound(parts, '', accountName(parts, parts.spec.master.serviceAccount, ''), [
    { apiGroups: [''], resources: ['namespaces'], verbs: ['watch', 'list'] },
    { apiGroups: [''], resources: ['nodes', 'nodes/status'], verbs: ['get', 'patch', 'update', 'list'] },
    {
      apiGroups: [NFD],
      resources: ['nodefeatures', 'nodefeaturerules', 'nodefeaturegroups'],
      verbs: ['get', 'list', 'watch'],
    },
    { apiGroups: [NFD], resources: ['nodefeaturegroups/status'], verbs: ['patch', 'update'] },
    { apiGroups: [LEASES], resources: ['leases'], verbs: ['create'] },
    { apiGroups: [LEASES], resources: ['leases'], resourceNames: [lease], verbs: ['get', 'update'] },
  ]);
}

function workerRoles(parts: Parts): readonly KubernetesObject[] {
  const { worker } = parts.spec;
  const metadata = meta(parts, fullName(parts, '-worker'));
  const name = accountName(parts, worker.serviceAccount, '-worker');
  const rules: readonly PolicyRule[] = [
    { apiGroups: [NFD], resources: ['nodefeatures'], verbs: ['create', 'get', 'update', 'delete'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  ];
  return [
    role(metadata, rules),
    bindingTo(metadata, { name, namespace: parts.namespace }),
    // A node must be read to set it as the owner of an object.
    ...(worker.ownerRefs.includes('node')
      ? bound(parts, '-worker', name, [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }])
      : []),
  ];
}

function gcRoles(parts: Parts): readonly KubernetesObject[] {
  return bound(parts, '-gc', accountName(parts, parts.spec.gc.serviceAccount, '-gc'), [
    { apiGroups: [''], resources: ['nodes'], verbs: ['list', 'watch'] },
    { apiGroups: [TOPOLOGY], resources: ['noderesourcetopologies'], verbs: ['delete', 'list'] },
    { apiGroups: [NFD], resources: ['nodefeatures'], verbs: ['delete', 'list'] },
  ]);
}

function updaterRoles(parts: Parts): readonly KubernetesObject[] {
  const name = accountName(parts, parts.spec.topologyUpdater.serviceAccount, '-topology-updater');
  return bound(parts, '-topology-updater', name, [
    { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
    { apiGroups: [''], resources: ['nodes/configz'], verbs: ['get'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [TOPOLOGY], resources: ['noderesourcetopologies'], verbs: ['create', 'get', 'update'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get', 'list', 'watch'] },
  ]);
}
