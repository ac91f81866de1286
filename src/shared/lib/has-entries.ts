/** Whether an object has all these keys with these values, as an object with labels has those that a selector names. */
export function hasEntries(
  object: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(object, key) && object[key] === value);
}
