import { escapeLines } from '../shared/lib/escape.js';
import { thrownTexts } from '../shared/lib/thrown.js';

/** Only internal errors print a stack trace. */
export function bugReport(error: unknown): string {
  const { message, stack } = thrownTexts(error);
  return `error: this is a bug of Weft, please report it\n${escapeLines(stack === '' ? message : stack)}\n`;
}
