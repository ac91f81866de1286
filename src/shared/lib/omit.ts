/** An object without some of its keys. */
export function omit<Value>(
  object: Readonly<Record<string, Value>> | undefined,
  isOmitted: (key: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([key]) => !isOmitted(key)));
}
