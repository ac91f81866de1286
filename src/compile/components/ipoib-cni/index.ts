import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { CONTAINER, IpoibCni, STATUS_NAME } from './manifests.js';
import { schema, type IpoibCniSpec } from './schema.js';

export { IpoibCni };
export type { IpoibCniProps } from './manifests.js';

/**
 * The IPoIB CNI plugin.
 *
 * @internal
 */
export const ipoibCni = {
  id: 'ipoib-cni',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['secondaryNetwork', 'ipoib'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'Ipoib' }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.appsV1,
  gated: false,
  providesDriver: false,
  provides: [{ id: 'ipoib', name: 'the IPoIB CNI plugin', isInOpenshift: false }],
  construct: IpoibCni,
} satisfies Component<IpoibCniSpec>;
