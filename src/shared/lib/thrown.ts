/** The texts of a thrown value. */
export interface ThrownTexts {
  /** For a value that is no Error: the value as text. */
  readonly message: string;
  /** Empty if there is none. */
  readonly stack: string;
}

/** The texts of a thrown value. Errors of another realm are not instances of this realm's class, so only their properties are used. */
export function thrownTexts(thrown: unknown): ThrownTexts {
  const { message, stack = '' } = (thrown ?? {}) as { readonly message?: unknown; readonly stack?: unknown };
  return { message: String(message ?? thrown), stack: String(stack) };
}
