import * as z from 'zod';

/** A replacement for a value that the schema refuses; `undefined` without a proposal. */
export interface ValueHelp {
  /** Gets the value as written: for a number from unquoted digits, the text of the digits; `undefined` for a required key that is missing. */
  readonly help: (value: unknown) => string | undefined;
}

/**
 * Help for values that are often given in a wrong form. Register it last: each method of a schema returns another one,
 * which is not registered.
 */
export const helps = z.registry<ValueHelp>();

/** Help for text only: converting other values to text may fail, because a mapping may have a key `toString`. */
export function helpForText(help: (text: string) => string | undefined): ValueHelp {
  return { help: (value) => (typeof value === 'string' ? help(value) : undefined) };
}
