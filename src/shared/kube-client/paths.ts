/** A kind in a path. */
export interface Resource {
  readonly apiVersion: string;
  readonly plural: string;
}

/** Path of a collection; without a namespace that of all namespaces. */
export function collectionPath({ apiVersion, plural }: Resource, namespace?: string): string {
  const within = namespace === undefined ? '' : `/namespaces/${encoded(namespace)}`;
  return `${groupPath(apiVersion)}${within}/${plural}`;
}

/** Path of one object; without a namespace that of a cluster-scoped one. */
export function objectPath(resource: Resource, namespace: string | undefined, name: string): string {
  return `${collectionPath(resource, namespace)}/${encoded(name)}`;
}

/** What the paths of an API version begin with: `/apis/apps/v1`, `/api/v1`. */
export function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** Text of others in a path or a query. `encodeURIComponent` throws for half of a surrogate pair. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
