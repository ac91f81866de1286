/**
 * Maximum nesting of lists and mappings in what others write: a NicClusterPolicy needs about 12, a CustomResourceDefinition about 40. Recursive
 * functions take such values without a stack overflow.
 */
export const nestingMax = 100;

/** Whether a value is nested more deeply. The search itself ends at that depth. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > nestingMax) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, depth + 1)) return true;
  return false;
}

/** The value of JSON text without what is nested more deeply, which nothing reads; `undefined` if the text is not JSON. */
export function parsedShallow(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? cut(value, 0) : value;
  } catch {
    return undefined;
  }
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > nestingMax) return undefined;
  if (Array.isArray(value)) return value.map((inner) => cut(inner, depth + 1)).filter((inner) => inner !== undefined);
  const kept = Object.entries(value).map(([key, inner]) => [key, cut(inner, depth + 1)] as const);
  return Object.fromEntries(kept.filter(([, inner]) => inner !== undefined));
}
