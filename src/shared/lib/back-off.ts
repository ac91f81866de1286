/**
 * A delay that doubles from `firstMs` with each attempt (from 1) up to `longestMs`, and varies between half and all of it.
 *
 * @param random gives numbers from 0 up to 1
 */
export function backOffMs(attempt: number, firstMs: number, longestMs: number, random: () => number): number {
  const delay = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(delay * (0.5 + random() / 2));
}
