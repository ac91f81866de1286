/** Names with commas between them: the first `limit`, and how many more there are. One name more is written out. */
export function listed(names: readonly string[], limit: number): string {
  const rest = names.length - limit;
  return rest > 1 ? `${names.slice(0, limit).join(', ')} and ${rest} more` : names.join(', ');
}

/** The same in backticks. */
export function listedNames(names: readonly string[], limit: number): string {
  return listed(
    names.map((name) => `\`${name}\``),
    limit,
  );
}
