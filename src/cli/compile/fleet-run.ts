import type { Config } from '../../compile/model/config.js';
import { freeze } from '../../shared/lib/freeze.js';
import { createBaseCache, type BaseCache } from '../../compile/bases/base-cache.js';
import { lockText } from '../../compile/load/lock-file.js';
import { createFleetCache, type FleetCache } from '../../compile/config/fleet-cache.js';
import { buildObjects, type Built } from '../../compile/synth.js';

/** A run for several clusters, which computes what they have in common once. */
export interface FleetRun {
  readonly cache: FleetCache;
  readonly bases: BaseCache;
  readonly build: typeof buildObjects;
}

/** Absent for a single cluster, because the caches cost time, too. */
export function fleetRunFor(clusters: readonly unknown[]): FleetRun | undefined {
  return clusters.length > 1
    ? { cache: createFleetCache(), bases: createBaseCache(), build: cachedBuild() }
    : undefined;
}

/** Configurations that share their instances differ only in the name of the cluster, which is in no object, and in the pins of images. */
function cachedBuild(): typeof buildObjects {
  const cache = new WeakMap<Config['instances'], { readonly built: Built; readonly lock: string }>();
  return (config, companion) => {
    const lock = lockText(config.cluster.pins ?? new Map());
    const before = cache.get(config.instances);
    if (before?.lock === lock) return before.built;
    const built = buildObjects(config, companion);
    // Diagnostics have places, which differ from cluster to cluster.
    if (built.diagnostics.length === 0) cache.set(config.instances, { built: freeze(built), lock });
    return built;
  };
}
