import { identityOf } from '../../shared/kubernetes/identity.js';
import { allAddOns } from '../addons/all.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { within, type Config } from '../model/config.js';
import { found } from '../model/found.js';
import type { PlacedObject } from '../model/placed-object.js';

/**
 * Documents that go to the output unchanged must not have the same identity as objects of components, or as each other.
 */
export function findCollisions(config: Config, objects: readonly PlacedObject[]): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  for (const { object } of objects) counts.set(identityOf(object), (counts.get(identityOf(object)) ?? 0) + 1);
  const ofDocuments: readonly Diagnostic[] = config.passthrough
    .filter(({ object }) => (counts.get(identityOf(object as KubernetesObject)) ?? 0) > 1)
    .map(({ object, origin }) => {
      const { kind, metadata } = object as KubernetesObject;
      return found('WEFT0243', {
        message: `the output has another ${kind} \`${metadata.name}\` in namespace \`${metadata.namespace ?? ''}\``,
        origin: { document: origin.document, path: ['metadata', 'name'] },
        help: 'give this one another name; to change the object that a component makes, use `spec.patches` of the Cluster',
      });
    });
  return ofDocuments.length > 0 ? ofDocuments : addOnCollisions(config, objects);
}

/** Objects of add-ons can collide if the input sets their names. Each add-on is named once. */
function addOnCollisions({ cluster }: Config, objects: readonly PlacedObject[]): readonly Diagnostic[] {
  return allAddOns.flatMap(({ id, source }) => {
    const others = new Set(objects.filter(({ folder }) => folder !== id).map(({ object }) => identityOf(object)));
    const taken = objects.find(({ folder, object }) => folder === id && others.has(identityOf(object)));
    if (!taken) return [];
    const { kind, metadata } = taken.object;
    return [
      found('WEFT0243', {
        message: `the output has another ${kind} \`${metadata.name}\` in namespace \`${metadata.namespace ?? ''}\``,
        origin: within(cluster.origin, 'spec', ...source.path),
        at: 'key',
        help: 'give the add-on another `fullnameOverride`',
      }),
    ];
  });
}
