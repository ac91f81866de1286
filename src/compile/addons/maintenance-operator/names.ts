import { selectorLabels } from '../chart-names.js';
import { withVersion } from '../../../shared/kubernetes/image-reference.js';
import type { ObjectMeta, StringMap } from '../../../shared/kubernetes/types.js';
import type { Cluster } from '../../model/config.js';
import type { MaintenanceSection } from './schema.js';

/** The input of every object of the operator. */
export interface Parts {
  readonly spec: MaintenanceSection;
  readonly cluster: Cluster;
}

/** The selector labels of the Deployment and of the Service. */
export function controllerLabels(parts: Parts): StringMap {
  return { 'control-plane': `${parts.spec.releaseName}-controller-manager`, ...selectorLabels(parts) };
}

/** Labels of an object that is a part of the operator. */
export function partLabels(parts: Parts, component: string): StringMap {
  return {
    'app.kubernetes.io/component': component,
    'app.kubernetes.io/created-by': 'maintenance-operator',
    'app.kubernetes.io/part-of': 'maintenance-operator',
    ...selectorLabels(parts),
  };
}

export function meta(parts: Parts, name: string, labels: StringMap): ObjectMeta {
  return { name, namespace: parts.cluster.namespace, labels };
}

/** The image; `undefined` if section and release together do not have all parts of it. */
export function imageOf({ operator }: MaintenanceSection, { releaseImages }: Cluster): string | undefined {
  const { repository, image: name, version: tag } = releaseImages['maintenanceOperator'] ?? {};
  const parts = { repository, name, tag, ...operator.image };
  if (parts.repository === undefined || parts.name === undefined || parts.tag === undefined) return undefined;
  return withVersion(`${parts.repository}/${parts.name}`, parts.tag);
}
