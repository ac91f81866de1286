import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { crds } from './crds.js';
import { CONTAINER, SpectrumXOperator, STATUS_NAME } from './manifests.js';
import { schema, type SpectrumXOperatorSpec } from './schema.js';

export { SpectrumXOperator };
export type { SpectrumXOperatorProps } from './manifests.js';

/**
 * The Spectrum-X operator.
 *
 * @internal
 */
export const spectrumXOperator = {
  id: 'spectrum-x-operator',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['spectrumXOperator'], scopes: ['cluster'] } as const,
  schema,
  removedKeys: {
    spectrumXConfig: 'removed from the API in v25.7: delete it',
    sriovObjNamespace: 'removed from the API in v25.7: delete it',
  },
  imageKeys: [
    { path: [], release: 'spectrumXOperator' },
    { path: ['xPlane'], release: 'xPlaneService', isHandedOn: true },
  ],
  imageVariables: {
    parts: { repository: 'XPLANE_REPOSITORY', image: 'XPLANE_IMAGE', version: 'XPLANE_VERSION' },
    pullSecrets: 'IMAGE_PULL_SECRETS',
  },
  containers: () => [CONTAINER],
  crds,
  minimumKubernetes: SINCE.validationRules,
  gated: false,
  providesDriver: false,
  construct: SpectrumXOperator,
} satisfies Component<SpectrumXOperatorSpec>;
