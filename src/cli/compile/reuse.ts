import type { Config } from '../../model/config.js';
import { freeze } from '../../lib/freeze.js';
import { createFleetCache, type FleetCache } from '../../config/fleet-cache.js';
import { buildObjects, type Built } from '../../synth.js';

/** What the clusters of one run have in common is worked out once. */
export interface Reuse {
  readonly known: FleetCache;
  readonly build: typeof buildObjects;
}

/** Nothing for a single cluster: remembering costs a little, too. */
export function reuseFor(clusters: readonly unknown[]): Reuse | undefined {
  return clusters.length > 1 ? createReuse() : undefined;
}

function createReuse(): Reuse {
  return { known: createFleetCache(), build: rememberingBuild() };
}

/** Configurations that share their instances differ in nothing but the name of the cluster, which is in no object. */
function rememberingBuild(): Reuse['build'] {
  const known = new WeakMap<Config['instances'], Built>();
  return (config, companion) => {
    const before = known.get(config.instances);
    if (before !== undefined) return before;
    const built = buildObjects(config, companion);
    // Diagnostics have places, which differ from cluster to cluster.
    if (built.diagnostics.length === 0) known.set(config.instances, freeze(built));
    return built;
  };
}
