import { sortedKeys } from './json.js';

/** Instead of a value: it is not plain data. */
export const NOT_PLAIN = Symbol('not plain');

/**
 * Plain data as cdk8s writes it (2.70, `resolve` and `sanitizeValue`): keys sorted, those without a value left out. Its own
 * walk asks each value, down to the last text, for the resolvers of the App.
 *
 * @returns {@link NOT_PLAIN} where anything is not data, which only cdk8s can resolve
 */
export function sortedData(value: unknown): unknown {
  if (typeof value !== 'object') return isScalar(value) ? value : NOT_PLAIN;
  if (Array.isArray(value)) return sortedList(value);
  // A key of the name `constructor` is refused by cdk8s.
  if (value === null || value.constructor !== Object) return NOT_PLAIN;
  const sorted: Record<string, unknown> = {};
  for (const key of sortedKeys(value)) {
    // cdk8s makes the value the prototype.
    if (key === '__proto__') return NOT_PLAIN;
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (inner === undefined || inner === null) continue;
    const data = sortedData(inner);
    if (data === NOT_PLAIN) return NOT_PLAIN;
    sorted[key] = data;
  }
  return sorted;
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function sortedList(values: readonly unknown[]): unknown {
  const sorted: unknown[] = [];
  for (const value of values) {
    // An entry of a list is kept, such as that of an `enum`: cdk8s makes it `undefined`, which no file can have.
    const data = value === null ? null : sortedData(value);
    if (data === NOT_PLAIN) return NOT_PLAIN;
    sorted.push(data);
  }
  return sorted;
}
