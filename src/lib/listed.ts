/**
 * A comma-separated list: the first `limit` names, and the number of the others. If there is only one more, it is
 * listed too.
 */
export function listed(names: readonly string[], limit: number): string {
  const rest = names.length - limit;
  return rest > 1 ? `${names.slice(0, limit).join(', ')} and ${rest} more` : names.join(', ');
}

/** A number with its noun: `1 node`, `3 nodes`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** A list of names in backticks. */
export function listedNames(names: readonly string[], limit: number): string {
  return listed(
    names.map((name) => `\`${name}\``),
    limit,
  );
}
