import { escapeLine } from '../diagnostics/render/escape.js';
import { thrownTexts } from '../lib/thrown.js';
import { programsBehind, runningProgram } from '../load/program/run.js';

/** Only a bug of ours has a stack trace. */
export function textOfBug(error: unknown): string {
  const { message, stack } = thrownTexts(error);
  return `error: this is a bug of Weft, please report it\n${stack === '' ? message : stack}\n`;
}

/** What is said of an error that nobody awaits: a program left it behind, or it is a bug of ours. */
export function lateFailure(error: unknown): string {
  const files = programsBehind(error).map(({ file }) => file);
  if (files.length === 0) return textOfBug(error);
  const { message } = thrownTexts(error);
  return (
    `error: ${escapeLine(files.join(' or '))} failed after it was loaded: ${escapeLine(message)}\n` +
    'help: `await` what takes time before the file exports its documents\n'
  );
}

/** What is said when the process ends before the command; `isIdle`: because nothing was left that it could wait for. */
export function earlyEnd(isIdle: boolean): string {
  const running = runningProgram();
  const files = (running ? [running] : programsBehind(undefined)).map((program) => program.file);
  const file = files.length === 0 ? 'the input' : escapeLine(files.join(' or '));
  return isIdle
    ? `error: ${file} waits for something that never comes; nothing written\n` +
        'help: look for an `await` whose promise nothing resolves\n'
    : `error: ${file} ended the process; nothing written\n` +
        'help: leave out the call that ends it, and throw an error where the input is wrong\n';
}
