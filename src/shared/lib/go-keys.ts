/** The key among those that a program of Go knows, as its `encoding/json` finds it: in any case, an exact one first. */
export function keyAsRead(key: string, known: readonly string[]): string | undefined {
  return known.includes(key) ? key : known.find((one) => one.toLowerCase() === key.toLowerCase());
}

/**
 * The mapping with the keys as its program spells them: Go reads `Range` as `range`. Where both are there, the other spelling stays.
 */
export function keysAsRead(
  data: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    const meant = keyAsRead(key, known) ?? key;
    return [Object.hasOwn(data, meant) ? key : meant, value];
  });
  return Object.fromEntries(entries);
}
