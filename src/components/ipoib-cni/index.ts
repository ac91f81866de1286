import type { Component } from '../component.js';
import { CONTAINER, IpoibCni, STATUS_NAME } from './manifests.js';
import { schema, type IpoibCniSpec } from './schema.js';

/** The IPoIB CNI plugin. */
export const ipoibCni = {
  id: 'ipoib-cni',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['secondaryNetwork', 'ipoib'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'Ipoib' }],
  containers: () => [CONTAINER],
  crds: [],
  gated: false,
  providesDriver: false,
  provides: ['ipoib'],
  rules: [],
  build: (scope, props) => new IpoibCni(scope, 'ipoib-cni', props),
} satisfies Component<IpoibCniSpec>;
