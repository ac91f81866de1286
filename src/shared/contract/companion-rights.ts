import { COMPANION_NAMES, NODE_EVENT_NAMESPACE, SRIOV_GROUP } from './labels.js';
import { NETWORK_OPERATOR_LEASE } from './network-operator.js';
import type { Rollout } from './upgrade-settings.js';
import { isGpuDriver, isRestartedByOperator, type DriverPolicy, type UpgradePolicy } from './upgrade-policy.js';

/** Verbs on objects of one kind that the companion needs. */
export interface CompanionRight {
  /** API group; empty for core. */
  readonly group: string;
  /** Plural, with the subresource: `pods/eviction`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Only the object of this name; absent: all. */
  readonly name?: string;
  /** Only reports need it. */
  readonly isForReports?: true;
}

/** What decides which rights a driver of the policy needs. */
type DriverOfRights = Pick<DriverPolicy, 'kind' | 'namespace'>;

/** The fields of the policy that decide which rights the companion needs. */
interface PolicyOfRights {
  readonly drivers: readonly DriverOfRights[];
  readonly sriovNodeStates?: UpgradePolicy['sriovNodeStates'];
  readonly nodeMaintenance?: UpgradePolicy['nodeMaintenance'];
  readonly rollout?: Pick<Rollout, 'afterDrainTimeout'>;
}

/** Rights in the whole cluster, and by namespace. */
export interface CompanionRights {
  readonly cluster: readonly CompanionRight[];
  /** The companion's own namespace first. */
  readonly namespaces: ReadonlyMap<string, readonly CompanionRight[]>;
}

/**
 * What the companion may do for a policy with these drivers, and nothing else. Pods are listed everywhere because a drain sees the pods of
 * a node, DaemonSets are read because it asks whether a pod's DaemonSet exists. `test/cluster/companion/rights.test.ts` finds each verb in
 * the audit log of an API server.
 *
 * @param namespace the companion's own
 */
export function companionRights(
  { drivers, sriovNodeStates, nodeMaintenance, rollout }: PolicyOfRights,
  namespace: string,
): CompanionRights {
  const withDaemonSets = drivers.filter(({ kind }) => kind !== 'sriov');
  const nodeStates = sriovNodeStates === undefined ? [] : [sriovNodeStates.namespace];
  const ofDaemonSets = new Set([namespace, ...withDaemonSets.map((one) => one.namespace)]);
  const maintenances = nodeMaintenance === undefined ? [] : [nodeMaintenance.namespace];
  const others = [...ofDaemonSets, ...nodeStates, ...maintenances, NODE_EVENT_NAMESPACE];
  const namespaces = new Set([namespace, ...others.sort()]);
  return {
    cluster: [
      ...CLUSTER_RIGHTS,
      ...((rollout?.afterDrainTimeout ?? 'fail') === 'fail' ? [] : [DELETED_PODS]),
      ...(drivers.some(isGpuDriver) ? [CLAIMS] : []),
      ...(drivers.some(({ kind }) => kind === 'gpu-operator') ? GPU_OPERATOR_POLICIES : []),
    ],
    namespaces: new Map(
      [...namespaces].map((name) => [
        name,
        [
          ...(ofDaemonSets.has(name) ? driverRights(withDaemonSets.filter((one) => one.namespace === name)) : []),
          ...(nodeStates.includes(name) ? [nodeStateRight(drivers)] : []),
          ...(maintenances.includes(name) ? [NODE_MAINTENANCES] : []),
          ...(name === NODE_EVENT_NAMESPACE ? [NODE_EVENTS] : []),
          ...(name === namespace ? OWN_OBJECTS : []),
        ],
      ]),
    ),
  };
}

const CLUSTER_RIGHTS: readonly CompanionRight[] = [
  { verbs: ['get', 'list', 'watch', 'patch'], group: '', resource: 'nodes' },
  { verbs: ['list', 'watch'], group: '', resource: 'pods' },
  { verbs: ['create'], group: '', resource: 'pods/eviction' },
  { verbs: ['list'], group: 'policy', resource: 'poddisruptionbudgets' },
  { verbs: ['get'], group: 'apps', resource: 'daemonsets' },
];

/** Those that a drain deletes when its time is over, where the policy says so. */
const DELETED_PODS: CompanionRight = { verbs: ['delete'], group: '', resource: 'pods' };

/** An Event of a node that happens again is patched. */
const NODE_EVENTS: CompanionRight = { verbs: ['create', 'patch'], group: '', resource: 'events', isForReports: true };

/** They ask for drains, and say whether virtual functions are back. */
function nodeStateRight(drivers: readonly DriverOfRights[]): CompanionRight {
  const isDrained = drivers.some(({ kind }) => kind === 'sriov');
  const verbs = ['list', 'watch', ...(isDrained ? ['patch'] : [])];
  return { verbs, group: SRIOV_GROUP, resource: 'sriovnetworknodestates' };
}

/** They ask the Maintenance Operator to take nodes out. */
const NODE_MAINTENANCES: CompanionRight = {
  verbs: ['list', 'watch', 'create', 'patch', 'delete'],
  group: 'maintenance.nvidia.com',
  resource: 'nodemaintenances',
};

/** They say which pods hold a GPU by dynamic resource allocation. */
const CLAIMS: CompanionRight = { verbs: ['list', 'watch'], group: 'resource.k8s.io', resource: 'resourceclaims' };

/** They say whether the GPU operator begins nodes by itself. */
const GPU_OPERATOR_POLICIES = ['clusterpolicies', 'nvidiadrivers'].map((resource): CompanionRight => ({
  verbs: ['list'],
  group: 'nvidia.com',
  resource,
  isForReports: true,
}));

/** In the namespace of these drivers. None of them: DaemonSets are watched in the companion's own namespace in any case. */
function driverRights(drivers: readonly DriverOfRights[]): readonly CompanionRight[] {
  const isRestarted = drivers.some((one) => !isRestartedByOperator(one));
  const isRetired = drivers.some(({ kind }) => kind === 'ofed');
  return [
    ...(isRestarted ? [{ verbs: ['delete'], group: '', resource: 'pods' }] : []),
    { verbs: ['list', 'watch', ...(isRetired ? ['delete'] : [])], group: 'apps', resource: 'daemonsets' },
    { verbs: ['list', 'watch'], group: 'apps', resource: 'controllerrevisions' },
  ];
}

/** In the companion's own namespace. Creating cannot be granted for one name. */
const OWN_OBJECTS: readonly CompanionRight[] = [
  { verbs: ['create'], group: 'coordination.k8s.io', resource: 'leases' },
  { verbs: ['get', 'update'], group: 'coordination.k8s.io', resource: 'leases', name: COMPANION_NAMES.lease },
  { verbs: ['get'], group: 'coordination.k8s.io', resource: 'leases', name: NETWORK_OPERATOR_LEASE },
  // The Event of a Job for the end of a run.
  { verbs: ['create'], group: '', resource: 'events', isForReports: true },
  { verbs: ['create'], group: '', resource: 'configmaps', isForReports: true },
  {
    verbs: ['get', 'update'],
    group: '',
    resource: 'configmaps',
    name: COMPANION_NAMES.statusConfigMap,
    isForReports: true,
  },
  { verbs: ['get'], group: '', resource: 'configmaps', name: COMPANION_NAMES.policyConfigMap },
];
