/** Freezes data, deeply: what is built from a configuration must not change it. Input documents stay as they are: they are their owner's. */
export function freeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value) || 'locate' in value) return value;
  Object.freeze(value);
  if (value instanceof Map) for (const inner of value.values()) freeze(inner);
  for (const inner of Object.values(value)) freeze(inner);
  return value;
}
