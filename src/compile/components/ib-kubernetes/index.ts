import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { CONTAINER, IbKubernetes, STATUS_NAME } from './manifests.js';
import { schema, type IbKubernetesSpec } from './schema.js';

export { IbKubernetes };
export type { IbKubernetesProps } from './manifests.js';

/**
 * ib-kubernetes, which configures the subnet manager for pods.
 *
 * @internal
 */
export const ibKubernetes = {
  id: 'ib-kubernetes',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['ibKubernetes'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'IbKubernetes' }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.systemPriority,
  gated: false,
  providesDriver: false,
  construct: IbKubernetes,
} satisfies Component<IbKubernetesSpec>;
