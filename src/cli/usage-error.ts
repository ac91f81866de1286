import { escapeLine } from '../shared/lib/escape.js';
import { suggest } from '../shared/diagnostics/suggest.js';

/**
 * A usage error in the format of other diagnostics: a fact, then help.
 *
 * @param found what commander prints: a sentence, and a proposal in brackets on a line of its own
 * @param command as the user types it, such as `weft diff`
 */
export function usageError(found: string, command: string): string {
  const [first = '', proposal = ''] = found.trimEnd().split('\n');
  const fact = first.replace(/^error: /, '').replace(/\.$/, '');
  const [, proposed] = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(proposal) ?? [];
  const meant = proposed ?? nearestChoice(fact);
  const question = meant === undefined ? '' : `did you mean \`${meant.replaceAll(', ', '` or `')}\`? `;
  return `error: ${escapeLine(fact)}\nhelp: ${question}\`${command} --help\` shows what there is\n`;
}

/** Proposes a value. (Commander proposes only commands and options.) */
function nearestChoice(fact: string): string | undefined {
  const [, given, allowed] = /'([^']*)' is invalid.* Allowed (?:choices )?are (.*)$/.exec(fact) ?? [];
  const choices = allowed?.split(', ') ?? [];
  // The first invalid value of a comma-separated list.
  const wrong = given?.split(',').find((value) => !choices.includes(value));
  return wrong === undefined ? undefined : suggest(wrong, choices);
}
