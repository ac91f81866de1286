/** A number of nodes, or a percentage of them: rounded up, as upstream reads `maxUnavailable`, unless another rounding is given. */
export function amountOf(amount: number | string | undefined, total: number, rounded = Math.ceil): number {
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  return typeof amount === 'number' ? amount : rounded((total * Number.parseInt(amount, 10)) / 100);
}
