/** A kind in a path: `/apis/apps/v1` and `daemonsets`. */
interface Collection {
  readonly group: string;
  readonly plural: string;
}

/** Path of a collection; without a namespace that of all namespaces. */
export function collectionPath({ group, plural }: Collection, namespace?: string): string {
  return namespace === undefined
    ? `${group}/${plural}`
    : `${group}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

/** Path of one object. */
export function objectPath(group: string, namespace: string, plural: string, name: string): string {
  return `${collectionPath({ group, plural }, namespace)}/${encodeURIComponent(name)}`;
}
