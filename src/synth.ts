import { App, Chart } from 'cdk8s';
import type { Config } from './config/config.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import type { KubernetesObject } from './lib/kubernetes.js';
import { Cluster } from './constructs/cluster.js';
import { placedObjects, type PlacedObject } from './constructs/folder.js';

/** The objects of a configuration, in the order of the tree. One App each: cdk8s is quadratic in the charts of an App. */
export function buildObjects(config: Config): readonly PlacedObject[] {
  const chart = new Chart(new App(), config.cluster.name, { disableResourceNameHashes: true });
  new Cluster(chart, 'cluster', { config });
  return placedObjects(chart);
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return [apiVersion, kind, metadata.namespace ?? '', metadata.name].join(' ');
}

/** Documents that go to the output as they are must not take the place of what a component makes, or of each other. */
export function findCollisions(config: Config, objects: readonly PlacedObject[]): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  for (const { object } of objects) counts.set(identity(object), (counts.get(identity(object)) ?? 0) + 1);
  return config.passthrough
    .filter(({ object }) => (counts.get(identity(object as KubernetesObject)) ?? 0) > 1)
    .map(({ object, origin }) => {
      const { kind, metadata } = object as KubernetesObject;
      return {
        code: 'WEFT0243',
        severity: 'error',
        message: `the output has another ${kind} \`${metadata.name}\` in namespace \`${metadata.namespace ?? ''}\``,
        location: origin.document.locate(['metadata', 'name']),
        path: ['metadata', 'name'],
        help: 'give this one another name',
      };
    });
}
