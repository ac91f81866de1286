import { isDeepStrictEqual } from 'node:util';
import { isScalar } from 'yaml';
import { resolveAliases } from '../../src/load/yaml-aliases.js';
import { fullBudget } from '../../src/load/yaml-budget.js';
import { convertDocument } from '../../src/load/yaml-convert.js';
import { composeChunk } from '../../src/load/yaml-parse.js';
import { readPlain } from '../../src/load/yaml-plain.js';
import { checkCharacters, textPlaces } from '../../src/load/yaml-text.js';

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
 * keys in the same order, as many lexemes and nothing to say.
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
  if (ours === theirs && isDeepStrictEqual(quick, library)) return 'read';
  throw new Error(`not what the library reads\n${ours}\n${theirs}`);
}
