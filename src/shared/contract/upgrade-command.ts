import { shellWord } from '../lib/escape.js';

/**
 * A command of `weft upgrade` for a node, as texts for users have it.
 *
 * @param driver its label prefix, which the command names; undefined: the policy has no other
 */
export function upgradeCommand(verb: string, node: string, driver?: string): string {
  return `weft upgrade ${verb} ${shellWord(node)}${driver === undefined ? '' : ` --driver ${shellWord(driver)}`}`;
}

/** The label prefix of a driver where a command or a text has to name it, because there are several. */
export function namedDriver(labelPrefix: string, drivers: readonly unknown[]): string | undefined {
  return drivers.length > 1 ? labelPrefix : undefined;
}
