import { KEEP_ANNOTATIONS } from '../../shared/contract/labels.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import { isObject } from '../../shared/lib/json.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import { textsAt } from './data.js';
import { fieldChanges, type FieldChange } from './fields.js';

/** The change of one object. */
export type ObjectChange =
  | { readonly kind: 'added'; readonly to: KubernetesObject }
  | { readonly kind: 'removed'; readonly from: KubernetesObject }
  | {
      readonly kind: 'changed';
      readonly from: KubernetesObject;
      readonly to: KubernetesObject;
      readonly fields: readonly FieldChange[];
    };

/** The value as an object, if it has the fields that every object has. */
export function asKubernetesObject(value: unknown): KubernetesObject | undefined {
  if (!isObject(value) || typeof value['apiVersion'] !== 'string' || typeof value['kind'] !== 'string')
    return undefined;
  const { metadata } = value;
  if (!isObject(metadata) || typeof metadata['name'] !== 'string') return undefined;
  if (metadata['namespace'] !== undefined && typeof metadata['namespace'] !== 'string') return undefined;
  return value as KubernetesObject;
}

/** Whether the object has all annotations that prevent pruning. */
export function isKept(object: KubernetesObject): boolean {
  return hasEntries(Object.fromEntries(textsAt(object, 'metadata', 'annotations')), KEEP_ANNOTATIONS);
}

/** Added, removed and changed objects in the order of the new ones, removed ones last. Takes linear time. */
export function objectChanges(
  old: readonly KubernetesObject[],
  next: readonly KubernetesObject[],
): readonly ObjectChange[] {
  const left = new Map(old.map((object) => [identityOf(object), object]));
  const changes: ObjectChange[] = [];
  for (const to of next) {
    const identity = identityOf(to);
    const from = left.get(identity);
    left.delete(identity);
    if (from === undefined) {
      changes.push({ kind: 'added', to });
      continue;
    }
    const fields = fieldChanges(from, to);
    if (fields.length > 0) changes.push({ kind: 'changed', from, to, fields });
  }
  return [...changes, ...[...left.values()].map((from): ObjectChange => ({ kind: 'removed', from }))];
}
