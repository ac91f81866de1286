import type { ObjectDiff } from './diff.js';
import { isDerivedField } from '../../cluster/changes/derived.js';
import type { FieldChange } from '../../cluster/changes/fields.js';

/** Objects with the same changes and remarks. */
export interface MergedObjects {
  /** At least one; in their order. */
  readonly objects: readonly [ObjectDiff, ...ObjectDiff[]];
  readonly fields: readonly MergedField[];
  /** Number of derived fields, such as hashes, which are not shown. */
  readonly derivedCount: number;
}

/** One change, and the other places of the object with the same change. */
export interface MergedField {
  readonly field: FieldChange;
  readonly alsoAt: readonly string[];
}

/** Merges equal changes in many objects, and at many places of one object. Keeps the order of the first of each. */
export function mergeObjects(all: readonly ObjectDiff[]): readonly MergedObjects[] {
  const merged = new Map<
    string,
    { readonly objects: [ObjectDiff, ...ObjectDiff[]]; readonly fields: readonly MergedField[] }
  >();
  for (const object of all) {
    const fields = mergeFields(object.fields.filter(({ path }) => !isDerivedField(path)));
    const { change, impact, pools, poolsAtOnce, mover, startsRun, isKept, refusedFields, notes, referrers } = object;
    const alike = [change, impact, pools, poolsAtOnce, mover, startsRun, isKept, refusedFields, notes, referrers];
    const key = JSON.stringify([alike, fields]);
    const known = merged.get(key);
    if (known) known.objects.push(object);
    else merged.set(key, { objects: [object], fields });
  }
  return [...merged.values()].map(({ objects, fields }) => ({
    objects,
    fields,
    derivedCount: objects[0].fields.filter(({ path }) => isDerivedField(path)).length,
  }));
}

/** Changes of fields with the same name from the same value to the same value are equal. */
function mergeFields(fields: readonly FieldChange[]): readonly MergedField[] {
  const merged = new Map<string, { readonly field: FieldChange; readonly alsoAt: string[] }>();
  for (const field of fields) {
    const { path, ...change } = field;
    const isValue = field.kind !== 'reordered' && field.kind !== 'reformatted';
    const key = JSON.stringify(isValue ? [change, lastStep(path)] : [change, path]);
    const known = merged.get(key);
    if (known) known.alsoAt.push(path);
    else merged.set(key, { field, alsoAt: [] });
  }
  return [...merged.values()];
}

/** `env[A].value` of a longer path: the last key, with the list member that contains it. */
function lastStep(path: string): string {
  const dot = path.lastIndexOf('.');
  const key = dot > path.lastIndexOf(']') ? path.slice(dot) : '';
  const list = path.slice(0, path.length - key.length);
  if (!list.endsWith(']')) return key;
  const open = list.indexOf('[', list.lastIndexOf(']', list.length - 2) + 1);
  const name = Math.max(list.lastIndexOf('.', open), list.lastIndexOf(']', open)) + 1;
  return name < open ? path.slice(name) : key;
}
