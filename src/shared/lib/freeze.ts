const NONE: ReadonlySet<object> = new Set();

/**
 * Freezes data, deeply.
 *
 * @param except objects inside that stay as they are, with all that they hold
 */
export function freeze<T>(value: T, except: ReadonlySet<object> = NONE): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value) || except.has(value)) return value;
  Object.freeze(value);
  if (value instanceof Map) for (const inner of value.values()) freeze(inner, except);
  for (const inner of Object.values(value)) freeze(inner, except);
  return value;
}
