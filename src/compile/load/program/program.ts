import { diagnostic } from '../../../shared/diagnostics/codes.js';
import type { Diagnostic, Location } from '../../../shared/diagnostics/diagnostic.js';
import type { ThrownTexts } from '../../../shared/lib/thrown.js';
import type { CommentRange } from '../ignore-comments.js';
import { mayHoldIgnores, readIgnores } from '../ignore-comments.js';
import { locateKey } from './place.js';
import { PROGRAM_LIMITS, runProgram, type ProgramLimits, type ProgramOutcome } from './run.js';
import type { PlainData } from './data.js';
import { fullBudget, isSpent, type Budget } from '../yaml/budget.js';
import type { TextPlaces } from '../yaml/text.js';
import { textPlaces } from '../yaml/text.js';
import type { LoadedDocuments, SourceDocument } from '../yaml/yaml.js';
import { documentTooLarge, failed, join, tooMuch } from '../yaml/yaml.js';
import { textBefore } from '../../../shared/lib/text.js';

/** A place `path:line:column` in a stack or in the message of a syntax error. */
function placeOfError({ message, stack }: ThrownTexts, path: string, places: TextPlaces): Location {
  const text = `${message}\n${stack}`;
  const at = text.indexOf(`${path}:`);
  const numbers = at === -1 ? null : /^:(\d+)/.exec(text.slice(at + path.length));
  const lines = places.text.split('\n');
  const line = Number(numbers?.[1] ?? 0);
  const sourceLine = lines[line - 1];
  if (sourceLine === undefined) {
    return { file: places.file };
  }
  const start = lines.slice(0, line - 1).reduce((sum, previous) => sum + previous.length + 1, 0);
  return places.locate(start + sourceLine.length - sourceLine.trimStart().length, start + sourceLine.length);
}

const firstLine = (text: string): string => textBefore(text.trim(), '\n').trimEnd();

/** The diagnostic about a program that ended without documents. */
function failure(
  outcome: Exclude<ProgramOutcome, { readonly kind: 'documents' }>,
  path: string,
  places: TextPlaces,
  { timeoutSeconds, memoryMebibytes }: ProgramLimits,
): LoadedDocuments {
  const location = { file: places.file };
  switch (outcome.kind) {
    case 'failed': {
      const message = `the file cannot be loaded: ${firstLine(outcome.message)}`;
      return failed('WEFT0026', { message, location: placeOfError(outcome, path, places) });
    }
    case 'timeout': {
      const message = `the file runs for more than ${timeoutSeconds} seconds`;
      const help = 'look for a loop without end; what takes so long belongs in a step before, whose result is a file';
      return failed('WEFT0041', { message, location, help });
    }
    case 'waiting': {
      const message = 'the file waits for something that never comes';
      const help = 'look for an `await` whose promise nothing resolves';
      return failed('WEFT0041', { message, location, help });
    }
    case 'memory': {
      const message = `the file needs more than ${memoryMebibytes} MiB of memory`;
      const help = 'look for a list that grows without end';
      return failed('WEFT0042', { message, location, help });
    }
    case 'exit': {
      const message = 'the file ends the process';
      const help = 'leave out the call that ends it, and throw an error where the input is wrong';
      return failed('WEFT0043', { message, location, help });
    }
  }
}

function toDocument(copy: PlainData, places: TextPlaces, budget: Budget): LoadedDocuments {
  const { value, flaws, characters, exceeded } = copy;
  const locate: SourceDocument['locate'] = (path) => locateKey(places, value, path);
  budget.documents -= 1;
  budget.characters -= characters;
  if (exceeded !== undefined) return { documents: [], diagnostics: [documentTooLarge(exceeded, locate([]))] };
  const diagnostics = flaws.map(({ path, fact }): Diagnostic => {
    const name = path.length === 0 ? 'the document' : `\`${path.join('.')}\``;
    const help = 'export the document as plain objects, lists, text, numbers and booleans';
    return diagnostic('WEFT0027', { message: `${name} ${fact}`, location: locate(path), path, help });
  });
  return { documents: diagnostics.length > 0 ? [] : [{ file: places.file, value, locate }], diagnostics };
}

/** Comments with `weft-ignore`, also in text literals. */
function lineComments(text: string): readonly CommentRange[] {
  if (!mayHoldIgnores(text)) return [];
  return [...text.matchAll(/(?<=^|\s)\/\/.*$/gm)].map(({ 0: comment, index }) => [index, index + comment.length]);
}

interface ModuleOptions {
  readonly budget?: Budget;
  readonly limits?: ProgramLimits;
  /** Output of the program. Default: it is discarded. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/**
 * Runs a TypeScript file in a worker thread and returns its exports as documents, as many as the budget allows. The
 * program has the rights of the caller; `limits` are for its time and memory.
 */
export async function loadModule(
  path: string,
  file: string,
  text: string,
  { budget = fullBudget(), limits = PROGRAM_LIMITS, onOutput = () => undefined }: ModuleOptions = {},
): Promise<LoadedDocuments> {
  const places = textPlaces(file, text);
  const left = { documents: budget.documents, characters: budget.characters };
  const outcome = await runProgram({ path, left }, limits, onOutput);
  if (outcome.kind !== 'documents') return failure(outcome, path, places, limits);
  if (outcome.documents.length === 0) {
    const message = 'the file exports no document';
    const help = 'export objects with "apiVersion" and "kind", or a list of them';
    return failed('WEFT0028', { message, location: { file }, help });
  }
  const parts: LoadedDocuments[] = [];
  for (const copy of outcome.documents) {
    parts.push(toDocument(copy, places, budget));
    if (isSpent(budget)) return { documents: [], diagnostics: [tooMuch(budget, { file })] };
  }
  return join([...parts, { documents: [], ...readIgnores(places, lineComments(text), '//') }]);
}
