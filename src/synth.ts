import { App, Chart } from 'cdk8s';
import type { Config } from './config/config.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import type { KubernetesObject } from './lib/kubernetes.js';
import { apiGroup } from './lib/names.js';
import { Cluster } from './constructs/cluster.js';
import { PatchError, type PatchProblem } from './constructs/patches.js';
import { placedObjects, type PlacedObject } from './constructs/folder.js';

/** What became of a configuration. */
export interface Built {
  /** In the order of the tree; empty where there are errors. */
  readonly objects: readonly PlacedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The objects of a configuration. One App each: cdk8s is quadratic in the charts of an App. */
export function buildObjects(config: Config): Built {
  const chart = new Chart(new App(), config.cluster.name, { disableResourceNameHashes: true });
  try {
    new Cluster(chart, 'cluster', { config });
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { objects: [], diagnostics: error.problems.map((problem) => patchDiagnostic(config, problem)) };
  }
  const objects = placedObjects(chart);
  const diagnostics = findCollisions(config, objects);
  return { objects: diagnostics.length > 0 ? [] : objects, diagnostics };
}

function patchDiagnostic({ cluster }: Config, { index, message }: PatchProblem): Diagnostic {
  const path = ['spec', 'patches', index];
  return {
    code: 'WEFT0244',
    severity: 'error',
    message: `\`spec.patches[${index}]\` ${message}`,
    location: cluster.origin.document.locate(path),
    path,
    help: 'compare it with the files of the output: the target is written as they are, and the patch fits them',
  };
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, metadata.namespace ?? '', metadata.name].join(' ');
}

/** Documents that go to the output as they are must not take the place of what a component makes, or of each other. */
function findCollisions(config: Config, objects: readonly PlacedObject[]): readonly Diagnostic[] {
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
