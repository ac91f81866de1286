import type { TextRange } from '../../load/yaml/scalar-place.js';
import type { TextProblem } from '../../model/shapes/json-text.js';

/** Deeper than any CNI configuration, and shallow enough for functions that walk the data recursively. */
const MAX_DEPTH = 100;

/** Longer than any number that JavaScript holds exactly and a person writes. */
const MAX_NUMBER_LENGTH = 350;

/** Strings (so that what is inside them is passed over), brackets, and numbers. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|-?\d[\d.eE+-]*/g;

/**
 * What in JSON text would not come out as it went in, and where: the text is read and written again, and a number that
 * JavaScript rounds would become another one. `undefined` where there is nothing. The text must be valid JSON.
 */
export function jsonProblem(text: string): TextProblem | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const range: TextRange = [index, index + token.length];
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (!token.startsWith('"') && !isExact(token))
      return { message: `has the number ${token}, which cannot be kept exactly`, range };
    if (depth > MAX_DEPTH) return { message: `is nested more than ${MAX_DEPTH} levels deep`, range };
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
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
