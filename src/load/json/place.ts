import type { PathStep } from '../../diagnostics/diagnostic.js';
import { fullBudget } from '../yaml/budget.js';
import { documentTree, locateInDocument, type DocumentTree } from '../yaml/locate.js';
import { composeChunk } from '../yaml/parse.js';
import type { TextRange } from '../yaml/scalar-place.js';

/** JSON allows tabs for indentation, YAML does not; a space in their place keeps every column. */
export function untabJson(text: string): string {
  return text.replace(/^[ \t]*\t[ \t]*/gm, (indent) => ' '.repeat(indent.length));
}

/** Where a value (default) or its key is; undefined where the text is too large to be read a second time. */
export type PlaceInJson = (path: readonly PathStep[], at?: 'key' | 'value') => TextRange | undefined;

/**
 * Finds places in JSON text that JSON.parse has read, which has none: it is read again as the YAML that it is, when the first
 * place is asked for. A path that leads nowhere gives the last part of it that exists.
 */
export function placesInJson(text: string): PlaceInJson {
  let found: { readonly yaml: string; readonly tree: DocumentTree | undefined } | undefined;
  return (path, at = 'value') => {
    found ??= readAgain(text);
    return found.tree && locateInDocument(found.tree, path, at, found.yaml);
  };
}

function readAgain(text: string): { readonly yaml: string; readonly tree: DocumentTree | undefined } {
  const yaml = untabJson(text);
  const { documents, problem } = composeChunk({ offset: 0, text: yaml }, fullBudget());
  const [document] = documents;
  const isRead = problem === undefined && document?.errors.length === 0;
  return { yaml, tree: isRead && document.contents !== null ? documentTree(document.contents) : undefined };
}
