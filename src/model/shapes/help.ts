import * as z from 'zod';

/** What to write instead of a value that the schema refuses; `undefined` where nobody knows. */
export interface ValueHelp {
  /** Gets the value as it was written: a number that YAML made of bare digits is the text of them. */
  readonly help: (value: unknown) => string | undefined;
}

/**
 * Help for values that are often given in a form that is not meant. Register it last: each method of a schema makes another
 * one, which is not registered.
 */
export const helps = z.registry<ValueHelp>();
