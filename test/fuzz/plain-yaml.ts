import { isDeepStrictEqual } from 'node:util';
import { isScalar } from 'yaml';
import type { PathStep } from '../../src/diagnostics/diagnostic.js';
import { isObject } from '../../src/lib/json.js';
import { resolveAliases } from '../../src/load/yaml/aliases.js';
import { fullBudget } from '../../src/load/yaml/budget.js';
import { convertDocument } from '../../src/load/yaml/convert.js';
import { composeChunk } from '../../src/load/yaml/parse.js';
import { documentTree, locateInDocument } from '../../src/load/yaml/locate.js';
import { PlainPlaces } from '../../src/load/yaml/plain-places.js';
import { readPlain } from '../../src/load/yaml/plain.js';
import { checkCharacters, textPlaces } from '../../src/load/yaml/text.js';

/** What the library reads in a text; undefined where there is something to say about it. */
function readByLibrary(text: string): ReturnType<typeof readPlain> {
  const budget = fullBudget();
  const { documents, problem } = composeChunk({ offset: 0, text }, budget);
  if (problem !== undefined || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const converted = documents.flatMap(({ contents }, index) => {
    const isEmpty = isScalar(contents) && contents.type === 'PLAIN' && /^(?:~|null)?$/.test(contents.source);
    if (contents === null || isEmpty) return [];
    return [{ index, ...convertDocument(contents, resolveAliases(contents), () => ({ file: 'a.yaml' })) }];
  });
  if (converted.some(({ diagnostics }) => diagnostics.length > 0)) return undefined;
  const read = converted.map(({ index, value }) => ({ index, value }));
  return { text, documents: read, lexemes: fullBudget().lexemes - budget.lexemes };
}

/**
 * What holds for every text whose characters are allowed: what the quick reader reads, the library reads as well, with the same
 * keys in the same order, as many lexemes and nothing to say; and the places that it finds are the library's.
 *
 * @throws Error that has both answers
 */
export function checkPlain(text: string): 'read' | 'left' {
  if (checkCharacters(textPlaces('a.yaml', text)).length > 0) return 'left';
  const quick = readPlain(text);
  if (quick === undefined) return 'left';
  const library = readByLibrary(text);
  // The text of both has the order of the keys, which equality leaves out.
  const [ours, theirs] = [quick, library].map((one) => JSON.stringify(one));
  if (ours !== theirs || !isDeepStrictEqual(quick, library))
    throw new Error(`not what the library reads\n${ours}\n${theirs}`);
  checkPlaces(text);
  return 'read';
}

/** Each place that the reader finds is where the library finds it. */
function checkPlaces(text: string): void {
  const places = new PlainPlaces();
  const [document] = readPlain(text, places)?.documents ?? [];
  const [{ contents } = { contents: null }] = composeChunk({ offset: 0, text }, fullBudget()).documents;
  if (document === undefined || contents === null) return;
  const tree = documentTree(contents);
  for (const path of pathsOf(document.value)) {
    for (const at of ['key', 'value'] as const) {
      const found = places.locate(document.value, path, at);
      const expected = locateInDocument(tree, path, at, text);
      if (found !== undefined && !isDeepStrictEqual(found, expected))
        throw new Error(`the ${at} of ${path.join('.')} is at ${expected.join('-')}, not ${found.join('-')}`);
    }
  }
}

/** Every path of a value, and beside each one that leads nowhere. */
function* pathsOf(value: unknown, path: readonly PathStep[] = []): Generator<readonly PathStep[]> {
  yield path;
  yield [...path, 'nowhere', 0];
  if (Array.isArray(value)) for (const [index, inner] of value.entries()) yield* pathsOf(inner, [...path, index]);
  else if (isObject(value)) for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, key]);
}
