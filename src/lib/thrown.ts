/** The texts of a thrown value. */
export interface ThrownTexts {
  /** For a value that is no Error: the value as text. */
  readonly message: string;
  /** Empty where there is none. */
  readonly stack: string;
}

/**
 * The texts of anything that was thrown; it never throws itself. A program may throw what has no text, or what fails when it
 * is looked at. Errors of another realm are no instances of this one's class, so that only the properties tell.
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

/** Undefined where there is no value, or no text of it. */
function textOf(read: () => readonly unknown[]): string | undefined {
  try {
    return read().map(String)[0];
  } catch {
    return undefined;
  }
}
