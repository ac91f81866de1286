import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { crds } from './crds.js';
import { CONTAINER, MultusCni, STATUS_NAME } from './manifests.js';
import { schema, type MultusCniSpec } from './schema.js';

export { MultusCni };

/** Multus, the CNI plugin that gives pods further networks. */
export const multusCni = {
  id: 'multus-cni',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['secondaryNetwork', 'multus'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'Multus' }],
  containers: () => [CONTAINER],
  crds,
  minimumKubernetes: SINCE.systemPriority,
  gated: false,
  providesDriver: false,
  provides: [{ id: 'multus', name: 'Multus', isInOpenshift: true }],
  rules: [],
  build: (scope, props) => new MultusCni(scope, 'multus-cni', props),
} satisfies Component<MultusCniSpec>;
