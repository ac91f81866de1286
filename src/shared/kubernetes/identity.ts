import { apiGroup } from './names.js';

interface Identified {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: unknown };
}

/** The identity of an object for the API server, which converts between the versions of a group. */
export function identityOf(object: Identified): string {
  return JSON.stringify([groupOf(object), object.kind, namespaceOf(object), object.metadata.name]);
}

/** The API group; empty for the core group. */
export function groupOf({ apiVersion }: Pick<Identified, 'apiVersion'>): string {
  return apiGroup(apiVersion);
}

/** Empty if the object has none. */
export function namespaceOf({ metadata }: Pick<Identified, 'metadata'>): string {
  return typeof metadata.namespace === 'string' ? metadata.namespace : '';
}

/** `<namespace>/<name>`. */
export function namespacedName(object: Pick<Identified, 'metadata'>): string {
  return `${namespaceOf(object)}/${object.metadata.name}`;
}
