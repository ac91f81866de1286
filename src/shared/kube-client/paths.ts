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

/** What the paths of an API version begin with: `/apis/apps/v1`, `/api/v1`. */
export function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
