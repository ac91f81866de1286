import type { TextRange } from '../../../shared/diagnostics/diagnostic.js';
import { nestingMax } from '../../../shared/lib/nesting.js';
import type { TextProblem } from '../../model/shapes/json-text.js';
import { withoutTrailing } from '../../../shared/lib/text.js';

/** Longer than any number that users write and JavaScript represents exactly. */
const MAX_NUMBER_LENGTH = 350;

/** Strings, so that their content is skipped, brackets and numbers. A string that does not end goes on to the end of the text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]|-?\d[\d.eE+-]*/g;

/**
 * The first part of JSON text that would change when it is parsed and written again, such as a number that JavaScript
 * rounds; `undefined` if there is none. The text must be valid JSON.
 */
export function jsonProblem(text: string): TextProblem | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const range: TextRange = [index, index + token.length];
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (!token.startsWith('"') && !isExact(token))
      return { message: `has the number ${token}, which cannot be kept exactly`, range };
    if (depth > nestingMax) return { message: `is nested more than ${nestingMax} levels deep`, range };
  }
  return undefined;
}

function isExact(number: string): boolean {
  const digits = number.replace(/^-/, '');
  return digits.length <= MAX_NUMBER_LENGTH && normalForm(digits) === normalForm(String(Number(digits)));
}

/** Digits without leading and trailing zeros, and the power of ten that they are multiplied by. */
function normalForm(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailing(digits, '0');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
