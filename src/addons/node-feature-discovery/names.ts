import { selectorLabels } from '../chart-names.js';
import { KEEP_ANNOTATIONS, REMOVAL_ANNOTATION } from '../../contract/labels.js';
import type { ObjectMeta, StringMap } from '../../kubernetes/types.js';
import type { Cluster } from '../../model/config.js';
import { imageOf } from './images.js';
import type { DiscoverySection } from './schema.js';

/** What every object of Node Feature Discovery is made from. */
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

/** Labels stand on NodeFeature objects, and these on the worker: when a part goes, labels and driver pods may go with it. */
export const KEPT: StringMap = { ...KEEP_ANNOTATIONS, [REMOVAL_ANNOTATION]: 'drain' };

/** Metadata of an object that belongs to no namespace. */
export function clusterMeta(parts: Parts, name: string): ObjectMeta {
  return { name, labels: selectorLabels(parts), annotations: KEPT };
}

export function meta(parts: Parts, name: string, more: StringMap = {}, role?: string): ObjectMeta {
  const labels = { ...selectorLabels(parts), ...(role === undefined ? {} : { role }) };
  return { name, namespace: parts.namespace, labels, annotations: { ...more, ...KEPT } };
}
