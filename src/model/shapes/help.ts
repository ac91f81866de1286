import * as z from 'zod';

/** A replacement for a value that the schema refuses; `undefined` without a proposal. */
export interface ValueHelp {
  /** Gets the value as it was written: a number that YAML made of bare digits is the text of them. */
  readonly help: (value: unknown) => string | undefined;
}

/**
 * Help for values that are often given in a form that is not meant. Register it last: each method of a schema makes another
 * one, which is not registered.
 */
export const helps = z.registry<ValueHelp>();

/** Help that only a text can get: a mapping may have a key `toString`, so that making text of any value may fail. */
export function helpForText(help: (text: string) => string | undefined): ValueHelp {
  return { help: (value) => (typeof value === 'string' ? help(value) : undefined) };
}
