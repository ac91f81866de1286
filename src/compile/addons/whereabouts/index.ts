import { imageSpec } from '../../model/shapes/image-spec.js';
import type { AddOn } from '../add-on.js';
import { definitions } from './crds.js';
import { Whereabouts } from './manifests.js';
import { whereaboutsSpec, type WhereaboutsSpec } from './schema.js';

/**
 * whereabouts, an IPAM plugin. Releases of the operator before v25.10 installed it.
 *
 * @internal
 */
export const whereabouts = {
  id: 'whereabouts',
  source: { kind: 'cluster', path: ['whereabouts'] },
  schema: whereaboutsSpec,
  installedAs: ['whereabouts', 'whereabouts-chart'],
  definitions,
  crds: (spec) => (spec.deploy ? definitions : []),
  images: (spec) => (spec.deploy ? { image: spec.image } : {}),
  inOpenshift: 'the Cluster Network Operator',
  provides: [{ id: 'whereabouts', name: 'whereabouts', isInOpenshift: true }],
  policySection: {
    path: ['secondaryNetwork', 'ipamPlugin'],
    schema: imageSpec.describe('whereabouts, in policies for releases before v25.10. Its image is that of the add-on.'),
  },
  construct: Whereabouts,
} as const satisfies AddOn<WhereaboutsSpec>;

export { Whereabouts };
export type { WhereaboutsProps } from './manifests.js';
