import { dirname } from 'node:path';
import type { Diagnostic, Location } from '../../diagnostics/diagnostic.js';
import { compareText, isObject } from '../../lib/json.js';
import { thrownTexts } from '../../lib/thrown.js';
import type { CommentRange } from '../ignores.js';
import { mayHoldIgnores, readIgnores } from '../ignores.js';
import { loadCodes } from '../../diagnostics/load-codes.js';
import { locateKey } from './place.js';
import { runProgram } from './run.js';
import { plainData } from './data.js';
import { fullBudget, isSpent, type Budget } from '../yaml/budget.js';
import type { TextPlaces } from '../yaml/text.js';
import { textPlaces } from '../yaml/text.js';
import type { LoadedDocuments, SourceDocument } from '../yaml/yaml.js';
import { documentTooLarge, join, tooMuch } from '../yaml/yaml.js';

const hasKind = (value: unknown): boolean => isObject(value) && 'kind' in value;

/** Exports that are a document, or a list with one in it; other exports are helpers of the file. */
function collectDocuments(exported: Readonly<Record<string, unknown>>): unknown[] {
  const found = Object.keys(exported)
    .sort(compareText)
    .map((name) => exported[name])
    .flatMap((value) =>
      Array.isArray(value) && value.some(hasKind) ? (value as unknown[]) : hasKind(value) ? [value] : [],
    );
  return [...new Set(found)];
}

const failed = (diagnostic: Omit<Diagnostic, 'severity'>): LoadedDocuments => ({
  documents: [],
  diagnostics: [{ severity: 'error', ...diagnostic }],
});

/** A stack, or the message of a syntax error, names the place as `path:line:column`. */
function placeOfError(error: unknown, path: string, places: TextPlaces): Location {
  const { message, stack } = thrownTexts(error);
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

function firstLine(error: unknown): string {
  return thrownTexts(error)
    .message.trim()
    .replace(/\s*\n[^]*$/, '');
}

function toDocument(exported: unknown, places: TextPlaces, budget: Budget): LoadedDocuments {
  const { value, flaws, characters, exceeded } = plainData(exported);
  const locate: SourceDocument['locate'] = (path) => locateKey(places, value, path);
  budget.documents -= 1;
  budget.characters -= characters;
  if (exceeded !== undefined) return { documents: [], diagnostics: [documentTooLarge(exceeded, locate([]))] };
  const diagnostics = flaws.map(({ path, fact }): Diagnostic => {
    const name = path.length === 0 ? 'the document' : `\`${path.join('.')}\``;
    const help = 'export the document as plain objects, lists, text, numbers and booleans';
    const { code } = loadCodes.notData;
    return { code, severity: 'error', message: `${name} ${fact}`, location: locate(path), path, help };
  });
  return { documents: diagnostics.length > 0 ? [] : [{ file: places.file, value, locate }], diagnostics };
}

/** Comments with the word; one in a text literal counts as well, since nobody writes that. */
function lineComments(text: string): readonly CommentRange[] {
  if (!mayHoldIgnores(text)) return [];
  return [...text.matchAll(/(?<=^|\s)\/\/.*$/gm)].map(({ 0: comment, index }) => [index, index + comment.length]);
}

/**
 * Runs a TypeScript file and takes its exports for documents, as many as the budget allows. What the program itself takes has
 * no bound: it may do what any program may. jiti compiles it in memory, because Node 20 cannot; nothing
 * is written to a cache, so that a read-only checkout works.
 */
export async function loadModule(
  path: string,
  file: string,
  text: string,
  aliases: Readonly<Record<string, string>>,
  budget: Budget = fullBudget(),
): Promise<LoadedDocuments> {
  const places = textPlaces(file, text);
  try {
    const { createJiti } = await import('jiti');
    const jiti = createJiti(dirname(path), { moduleCache: false, fsCache: false, alias: { ...aliases } });
    const values = collectDocuments(await runProgram({ path, file }, () => jiti.import<Record<string, unknown>>(path)));
    if (values.length === 0) {
      const message = 'the file exports no document';
      const help = 'export objects with "apiVersion" and "kind", or a list of them';
      return failed({ code: loadCodes.noExport.code, message, location: { file }, help });
    }
    const parts: LoadedDocuments[] = [];
    for (const value of values) {
      parts.push(toDocument(value, places, budget));
      if (isSpent(budget)) return { documents: [], diagnostics: [tooMuch(budget, { file })] };
    }
    return join([...parts, { documents: [], ...readIgnores(places, lineComments(text), '//') }]);
  } catch (error) {
    const message = `the file cannot be loaded: ${firstLine(error)}`;
    return failed({ code: loadCodes.module.code, message, location: placeOfError(error, path, places) });
  }
}
