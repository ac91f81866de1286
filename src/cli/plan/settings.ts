import { diagnostic } from '../../diagnostics/codes.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { isObject } from '../../lib/json.js';
import type { LoadedDocuments } from '../../load/yaml/yaml.js';
import type { Setting } from './options.js';

/** The documents with other values of some fields; or a setting for which there is no document. */
export function withSettings(loaded: LoadedDocuments, settings: readonly Setting[]): LoadedDocuments | Diagnostic {
  let { documents } = loaded;
  for (const { kind, path, value, text } of settings) {
    const isMeant = (document: unknown): boolean => isObject(document) && document['kind'] === kind;
    if (!documents.some((one) => isMeant(one.value))) {
      return diagnostic('WEFT0446', {
        message: `\`--set ${text}\` is about a ${kind}, and the folder has none`,
        help: 'begin with the kind of a document of the folder, or with a field of the Cluster document',
      });
    }
    documents = documents.map((one) =>
      isMeant(one.value) ? { ...one, value: setAt(one.value, ['spec', ...path], value) } : one,
    );
  }
  return { ...loaded, documents };
}

function setAt(object: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(object) && /^\d+$/.test(first)) {
    return object.map((one: unknown, index) => (index === Number(first) ? setAt(one, rest, value) : one));
  }
  const known = isObject(object) ? object : {};
  return { ...known, [first]: setAt(known[first], rest, value) };
}
