import { HIDDEN } from '../../../shared/lib/hidden-characters.js';

const HIDDEN_CHARACTERS = new RegExp(`[${HIDDEN}]`, 'gu');

/** Characters that a literal block cannot have: the above, and all control characters except tab and line feed. */
export const UNPRINTABLE_IN_BLOCK = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${HIDDEN}]`, 'u');

/**
 * The characters of a plain scalar, its first one, and the places of colons. `#`, quotes, brackets, backslashes and tabs
 * are left out although some would be safe: a string that holds them is easier to read in quotes.
 */
const PLAIN_SHAPE =
  /^(?:--?[A-Za-z]|\.[A-Za-z/]|_[A-Za-z]|[A-Za-z0-9/$(])(?:[\w./$()=@+,%~;&<>|*!?-]|:(?=[\w./$(@-])| (?=[^ ]))*$/;

/**
 * What YAML 1.1 or 1.2, or an older parser of either, may read as something other than text: booleans and null (1.1
 * knows `y`, `n`, `on`, `off`), and infinity and not-a-number, which Go's ParseFloat takes without their dot.
 */
const WORDS = /^[-.]*(?:y|yes|n|no|on|off|true|false|null|nil|none|nan|inf|infinity)$/i;

/**
 * Text that starts as a number does is text only with a character that occurs in no spelling of a number or a time:
 * not a digit or sign, not `_ , . :`, not a hexadecimal digit, and none of the letters o (octal), x, p (hexadecimal
 * fraction), t and z (timestamp).
 */
const NUMBER_START = /^\d/;
const NEVER_IN_A_NUMBER = /[g-nq-suvwyG-NQ-SUVWY/=@$()%~;&<>|*!?]/;

/** An exponent without a digit before it is no number, but npm's `yaml` reads it as one when it reads YAML 1.1. */
const BARE_EXPONENT = /^-?\.?e[-+]?\d+$/i;

/** A string in one line: plain where that is provably safe, else quoted. */
export function singleLineText(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

/** The regular expression below backtracks for each character of a plain scalar and overflows at ten million; longer text is quoted. */
const PLAIN_LENGTH_MAX = 1024 * 1024;

function isPlain(text: string): boolean {
  if (text.length > PLAIN_LENGTH_MAX) return false;
  if (!PLAIN_SHAPE.test(text) || WORDS.test(text) || BARE_EXPONENT.test(text)) return false;
  return !NUMBER_START.test(text) || NEVER_IN_A_NUMBER.test(text);
}

/** Single quotes keep JSON and regular expressions readable; they know no escapes, so only for printable ASCII. */
function quoted(text: string): string {
  if (/["\\]/.test(text) && /^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(HIDDEN_CHARACTERS, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
