import { COMPANION_NAMES } from './labels.js';
import { NETWORK_OPERATOR_LEASE } from './network-operator.js';

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

/**
 * What the companion may do in the whole cluster. Pods are listed everywhere because a drain sees the pods of a node, DaemonSets
 * are read because it asks whether a pod's DaemonSet exists. `test/cluster/companion/rights.test.ts` finds each verb in the audit log
 * of an API server.
 */
export const CLUSTER_RIGHTS: readonly CompanionRight[] = [
  { verbs: ['get', 'list', 'watch', 'patch'], group: '', resource: 'nodes' },
  { verbs: ['list', 'watch'], group: '', resource: 'pods' },
  { verbs: ['create'], group: '', resource: 'pods/eviction' },
  { verbs: ['list'], group: 'policy', resource: 'poddisruptionbudgets' },
  { verbs: ['get'], group: 'apps', resource: 'daemonsets' },
  { verbs: ['create', 'patch'], group: '', resource: 'events', isForReports: true },
];

/** What it may do in its own namespace, which is that of the drivers. Creating cannot be granted for one name. */
export const NAMESPACE_RIGHTS: readonly CompanionRight[] = [
  { verbs: ['delete'], group: '', resource: 'pods' },
  { verbs: ['list', 'watch', 'delete'], group: 'apps', resource: 'daemonsets' },
  { verbs: ['list', 'watch'], group: 'apps', resource: 'controllerrevisions' },
  { verbs: ['create'], group: 'coordination.k8s.io', resource: 'leases' },
  { verbs: ['get', 'update'], group: 'coordination.k8s.io', resource: 'leases', name: COMPANION_NAMES.lease },
  { verbs: ['get'], group: 'coordination.k8s.io', resource: 'leases', name: NETWORK_OPERATOR_LEASE },
  { verbs: ['create'], group: '', resource: 'configmaps', isForReports: true },
  {
    ...{ verbs: ['get', 'update'], group: '', resource: 'configmaps', name: COMPANION_NAMES.statusConfigMap },
    isForReports: true,
  },
  { verbs: ['get'], group: '', resource: 'configmaps', name: COMPANION_NAMES.policyConfigMap },
];
