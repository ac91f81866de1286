/** Counts without allocating a list. */
export function count<Item>(items: readonly Item[], isOne: (item: Item) => boolean): number {
  let found = 0;
  for (const item of items) if (isOne(item)) found += 1;
  return found;
}
