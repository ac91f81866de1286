import { App, Chart } from 'cdk8s';
import type { Config } from './config/config.js';
import { Cluster } from './constructs/cluster.js';
import { placedObjects, type PlacedObject } from './constructs/folder.js';

/** The objects of a configuration, in the order of the tree. One App each: cdk8s is quadratic in the charts of an App. */
export function buildObjects(config: Config): readonly PlacedObject[] {
  const chart = new Chart(new App(), config.cluster.name, { disableResourceNameHashes: true });
  new Cluster(chart, 'cluster', { config });
  return placedObjects(chart);
}
