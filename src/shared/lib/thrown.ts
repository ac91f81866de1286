/** The texts of a thrown value. */
export interface ThrownTexts {
  /** For a value that is no Error: the value as text. */
  readonly message: string;
  /** Empty if there is none. */
  readonly stack: string;
}

/**
 * The texts of a thrown value; never throws. A program may throw values without text, or values whose properties throw.
 * Errors of another realm are not instances of this realm's class, so only their properties are used.
 */
export function thrownTexts(thrown: unknown): ThrownTexts {
  const message = textOf(() => property(thrown, 'message')) ?? textOf(() => [thrown]);
  const stack = textOf(() => property(thrown, 'stack'));
  return { message: message ?? 'a value without text was thrown', stack: stack ?? '' };
}

/** The value of a property; none where it is missing. */
function property(thrown: unknown, key: string): readonly unknown[] {
  if (typeof thrown !== 'object' || thrown === null) return [];
  const value = (thrown as Readonly<Record<string, unknown>>)[key];
  return value === undefined ? [] : [value];
}

/** Undefined if there is no value, or it cannot be converted to text. */
function textOf(read: () => readonly unknown[]): string | undefined {
  try {
    return read().map(String)[0];
  } catch {
    return undefined;
  }
}
