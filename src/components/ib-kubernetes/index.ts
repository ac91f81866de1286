import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { CONTAINER, IbKubernetes, STATUS_NAME } from './manifests.js';
import { schema, type IbKubernetesSpec } from './schema.js';

export { IbKubernetes };

/** ib-kubernetes, which tells the subnet manager about pods. */
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
  rules: [],
  build: (scope, props) => new IbKubernetes(scope, 'ib-kubernetes', props),
} satisfies Component<IbKubernetesSpec>;
