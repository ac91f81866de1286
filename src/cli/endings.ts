import { thrownTexts } from '../lib/thrown.js';

/** Only a bug of ours has a stack trace. */
export function textOfBug(error: unknown): string {
  const { message, stack } = thrownTexts(error);
  return `error: this is a bug of Weft, please report it\n${stack === '' ? message : stack}\n`;
}
