import type { Component } from '../component.js';
import { CONTAINER, SpectrumXOperator, STATUS_NAME } from './manifests.js';
import { rules } from './rules.js';
import { schema, type SpectrumXOperatorSpec } from './schema.js';

/** The Spectrum-X operator. */
export const spectrumXOperator = {
  id: 'spectrum-x-operator',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['spectrumXOperator'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [
    { path: [], release: 'spectrumXOperator' },
    { path: ['xPlane'], release: 'xPlaneService', isHandedOn: true },
  ],
  containers: () => [CONTAINER],
  crds: ['spectrumxrailpoolconfigs.spectrumx.nvidia.com'],
  gated: false,
  providesDriver: false,
  rules,
  build: (scope, props) => new SpectrumXOperator(scope, 'spectrum-x-operator', props),
} satisfies Component<SpectrumXOperatorSpec>;
