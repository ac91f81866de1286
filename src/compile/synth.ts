import { App, Chart } from 'cdk8s';
import type { AnyAddOn } from './addons/add-on.js';
import { allAddOns } from './addons/all.js';
import { needsCompanion } from './delivery/drivers.js';
import { within, type Config } from './model/config.js';
import { found } from './model/found.js';
import { isError, type Diagnostic } from '../shared/diagnostics/diagnostic.js';
import { freeId } from '../shared/kubernetes/objects.js';
import { ClusterObjects, type Companion } from './constructs/cluster-objects.js';
import { findCollisions } from './constructs/collisions.js';
import { patchDiagnostics } from './constructs/patches/diagnostics.js';
import { PatchError } from './constructs/patches/patches.js';
import { coverageWarnings } from './coverage/warnings.js';
import { withoutPlatform } from './image-list/platforms.js';
import { placedObjects } from './constructs/folder.js';
import type { PlacedObject } from './model/placed-object.js';

/** The objects of a configuration. */
export interface Built {
  /** In the order of the tree; empty when there are errors. */
  readonly objects: readonly PlacedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds the chart of a cluster; the diagnostics are those of its patches. */
function addCluster(
  app: App,
  config: Config,
  companion?: Companion,
): { readonly chart: Chart; readonly diagnostics: readonly Diagnostic[] } {
  const chart = new Chart(app, freeId(app, config.cluster.name), { disableResourceNameHashes: true });
  const cluster = new ClusterObjects(chart, 'cluster', config);
  try {
    const warnings = cluster.complete(config);
    if (companion) cluster.addCompanion(companion, config);
    cluster.annotate(config);
    return { chart, diagnostics: patchDiagnostics(config, warnings) };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { chart, diagnostics: patchDiagnostics(config, error.problems) };
  }
}

/**
 * The objects of a configuration.
 *
 * @param app gets the chart of the cluster. Default: an App of its own, because cdk8s is quadratic in the charts of an App.
 */
export function buildObjects(config: Config, companion?: Companion, app = new App()): Built {
  const { chart, diagnostics } = addCluster(app, config, companion);
  if (diagnostics.some(isError)) return { objects: [], diagnostics };
  const objects = placedObjects(chart);
  const collisions = findCollisions(config, objects);
  const unable = withoutPlatform(config, objects);
  const missing = [...withoutPolicy(config), ...coverageWarnings(config, objects)];
  const errors = [...collisions, ...unable];
  return { objects: errors.length > 0 ? [] : objects, diagnostics: [...diagnostics, ...errors, ...missing] };
}

/**
 * Without a section of a policy there is no component: no driver, no device plugin, no CNI plugin. Where there are networks, other warnings
 * name the components that each of them lacks. A Cluster may be for the companion or add-ons alone.
 */
function withoutPolicy(config: Config): readonly Diagnostic[] {
  const { cluster, policies, networks, addOns } = config;
  const isEmpty = [...config.instances.values()].every((all) => all.length === 0);
  const hasObjects = policies.length > 0 && config.passthrough.length > 0;
  if (!isEmpty || hasObjects || networks.length > 0 || needsCompanion(config)) return [];
  const isDeployed = ({ id, images }: AnyAddOn) =>
    addOns.has(id) && Object.keys(images(addOns.get(id), cluster)).length > 0;
  if (allAddOns.some(isDeployed)) return [];
  return [
    found('WEFT0315', {
      message: `the cluster has no ${policies.length > 0 ? 'section in a policy' : 'policy'}, so its output has no component`,
      origin: within(cluster.origin, 'metadata', 'name'),
      help:
        policies.length > 0
          ? 'add the sections of the components that the nodes need to the policy'
          : 'add a NicClusterPolicy named `nic-cluster-policy` beside the Cluster',
    }),
  ];
}
