import type { NodeLabels } from '../add-on.js';
import { fullName, selectorLabels } from '../chart-names.js';
import { KEEP_ANNOTATIONS, REMOVAL_ANNOTATION } from '../../../shared/contract/labels.js';
import type { ObjectMeta, StringMap } from '../../../shared/kubernetes/types.js';
import type { Cluster } from '../../model/config.js';
import { imageOf } from './images.js';
import type { DiscoverySection, NodeFeatureDiscoverySpec } from './schema.js';

/** The input of every object of Node Feature Discovery. */
export interface Parts {
  readonly spec: DiscoverySection;
  readonly image: string;
  readonly namespace: string;
  /** Namespace of the cluster's components. */
  readonly releaseNamespace: string;
}

export function partsOf(spec: DiscoverySection, cluster: Cluster): Parts {
  const { namespace } = cluster;
  return {
    spec,
    image: imageOf(spec, cluster) ?? '',
    namespace: spec.namespaceOverride || namespace,
    releaseNamespace: namespace,
  };
}

/**
 * Node labels depend on NodeFeature objects, and these on the worker: if a part is removed, labels and driver pods may
 * be removed too.
 */
export const KEPT: StringMap = { ...KEEP_ANNOTATIONS, [REMOVAL_ANNOTATION]: 'drain' };

/** Metadata of a cluster-scoped object. */
export function clusterMeta(parts: Parts, name: string): ObjectMeta {
  return { name, labels: selectorLabels(parts), annotations: KEPT };
}

export function meta(parts: Parts, name: string, more: StringMap = {}, role?: string): ObjectMeta {
  const labels = { ...selectorLabels(parts), ...(role === undefined ? {} : { role }) };
  return { name, namespace: parts.namespace, labels, annotations: { ...more, ...KEPT } };
}

/** The worker, which finds what a node has. */
export function nodeLabels(spec: NodeFeatureDiscoverySpec): NodeLabels | undefined {
  if (!spec.deploy || !spec.worker.enable) return undefined;
  return { daemonSet: fullName({ spec }, '-worker'), tolerations: 'nodeFeatureDiscovery.worker.tolerations' };
}
