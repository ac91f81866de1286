const UNIT_SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 };

/** Seconds of a duration such as `90s`, `30m`, `6h`, `1h30m` or `2d`; undefined if the text is invalid. */
export function durationSeconds(text: string): number | undefined {
  if (!/^(?:\d+[dhms])+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([dhms])/gy))
    seconds += Number(count) * (UNIT_SECONDS[unit ?? ''] ?? 0);
  return Number.isSafeInteger(seconds) ? seconds : undefined;
}

/**
 * Milliseconds of a duration that a schema has accepted.
 *
 * @throws Error if the text is invalid, which is a bug of the caller.
 */
export function durationMs(text: string): number {
  const seconds = durationSeconds(text);
  if (seconds === undefined) throw new Error(`${JSON.stringify(text)} is no duration`);
  return seconds * 1000;
}
