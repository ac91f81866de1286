import type { Component } from '../component.js';
import { CONTAINER, MultusCni, STATUS_NAME } from './manifests.js';
import { schema, type MultusCniSpec } from './schema.js';

/** Multus, the CNI plugin that gives pods further networks. */
export const multusCni = {
  id: 'multus-cni',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['secondaryNetwork', 'multus'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'Multus' }],
  containers: () => [CONTAINER],
  crds: ['network-attachment-definitions.k8s.cni.cncf.io'],
  gated: false,
  providesDriver: false,
  provides: ['multus'],
  rules: [],
  build: (scope, props) => new MultusCni(scope, 'multus-cni', props),
} satisfies Component<MultusCniSpec>;
