import type { ServedKind } from '../../shared/kube-client/discovery.js';
import { objectPath, type Resource } from '../../shared/kube-client/paths.js';
import type { ListedObject, NamedObject } from '../../shared/kubernetes/listed-object.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { shellWord } from '../../shared/lib/escape.js';

/** An object of the API with its path. */
export interface LocatedObject {
  readonly path: string;
  /** As kubectl names it: `daemonsets.apps/x -n y`. */
  readonly reference: string;
  readonly live: ListedObject;
}

/** The object of a live cluster with its place; in the words of some commands its kind has a singular name. */
export function located(resource: Resource, live: NamedObject, word = resource.plural): LocatedObject {
  const { name, namespace } = live.metadata;
  return {
    path: objectPath(resource, namespace, name),
    reference: referenceOf({ ...resource, plural: word }, name, namespace),
    live,
  };
}

/** The place of a rendered object, which the cluster may not have. */
export function placeOf(
  kind: ServedKind,
  { name, namespace }: { readonly name: string; readonly namespace?: string },
): Omit<LocatedObject, 'live'> {
  return {
    path: objectPath(kind, kind.isNamespaced ? (namespace ?? 'default') : undefined, name),
    reference: referenceOf(kind, name, kind.isNamespaced ? namespace : undefined),
  };
}

function referenceOf({ apiVersion, plural }: Resource, name: string, namespace: string | undefined): string {
  const group = apiGroup(apiVersion);
  const where = namespace === undefined ? '' : ` -n ${shellWord(namespace)}`;
  return `${plural}${group === '' ? '' : `.${group}`}/${shellWord(name)}${where}`;
}
