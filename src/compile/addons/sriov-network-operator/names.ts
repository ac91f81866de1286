import { selectorLabels } from '../chart-names.js';
import type { ObjectMeta } from '../../../shared/kubernetes/types.js';
import type { Cluster } from '../../model/config.js';
import type { SriovSection } from './schema.js';

/** The input of every object of the operator. */
export interface Parts {
  readonly spec: SriovSection;
  readonly cluster: Cluster;
}

/** Name of the config daemon's account and roles, which the operator expects. */
export const CONFIG_DAEMON = 'sriov-network-config-daemon';

/** Metadata of a cluster-scoped object. */
export function clusterMeta(parts: Parts, name: string): ObjectMeta {
  return { name, labels: selectorLabels(parts) };
}

export function meta(parts: Parts, name: string): ObjectMeta {
  return { name, namespace: parts.cluster.namespace, labels: selectorLabels(parts) };
}
