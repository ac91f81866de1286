import type { ServedKind } from '../../shared/kube-client/discovery.js';
import { collectionPath } from '../../shared/kube-client/paths.js';

export { servedKinds, type ServedKinds } from '../../cluster/reader/served.js';

/** Path of the objects of a kind, in a namespace or everywhere. */
export function pathOf(kind: ServedKind, namespace?: string): string {
  return collectionPath(kind, kind.isNamespaced ? namespace : undefined);
}
