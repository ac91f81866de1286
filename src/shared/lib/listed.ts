/**
 * A comma-separated list: the first `limit` names, and the number of the others. If there is only one more, it is
 * listed too.
 */
export function listed(names: readonly string[], limit: number): string {
  const rest = names.length - limit;
  return rest > 1 ? `${names.slice(0, limit).join(', ')} and ${rest} more` : names.join(', ');
}

/**
 * A number with its noun: `1 node`, `3 nodes`.
 *
 * @param many for any other number than 1. Default: `one` with an s
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A list of names in backticks. */
export function listedNames(names: readonly string[], limit: number): string {
  return listed(
    names.map((name) => `\`${name}\``),
    limit,
  );
}
