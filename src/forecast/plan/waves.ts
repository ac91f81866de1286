/**
 * The wave of each node, in the order of their begin: a node that begins after a node of the wave is through begins the next wave. Null: it
 * never begins.
 */
export function wavesOf(
  sorted: readonly { readonly beginMs?: number; readonly endMs?: number }[],
): readonly (number | null)[] {
  let wave = 0;
  let firstEndMs = -Infinity;
  return sorted.map(({ beginMs, endMs }) => {
    if (beginMs === undefined) return null;
    if (beginMs >= firstEndMs) {
      wave += 1;
      firstEndMs = Infinity;
    }
    firstEndMs = Math.min(firstEndMs, endMs ?? Infinity);
    return wave;
  });
}
