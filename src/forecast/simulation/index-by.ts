/** The objects of a table by a property, kept up to date, in the order in which they got it. */
export type IndexBy<Item> = (key: string) => Iterable<Item>;

interface Source<Item> {
  entries(): Iterable<[string, Item]>;
  listen(listener: (key: string, before: Item | undefined, after: Item | undefined) => void): unknown;
}

/** @param propertyOf undefined: the object is left out */
export function indexBy<Item>(table: Source<Item>, propertyOf: (item: Item) => string | undefined): IndexBy<Item> {
  const sets = new Map<string, Map<string, Item>>();
  const leave = (at: string | undefined, key: string): void => {
    const set = at === undefined ? undefined : sets.get(at);
    if (at === undefined || set === undefined) return;
    set.delete(key);
    if (set.size === 0) sets.delete(at);
  };
  const enter = (key: string, item: Item): void => {
    const at = propertyOf(item);
    if (at === undefined) return;
    const set = sets.get(at);
    if (set === undefined) sets.set(at, new Map([[key, item]]));
    else set.set(key, item);
  };
  for (const [key, item] of table.entries()) enter(key, item);
  table.listen((key, before, after) => {
    if (before !== undefined && (after === undefined || propertyOf(before) !== propertyOf(after)))
      leave(propertyOf(before), key);
    if (after !== undefined) enter(key, after);
  });
  // A copy, because callers write to the table while they go through it.
  return (at) => [...(sets.get(at)?.values() ?? [])];
}
