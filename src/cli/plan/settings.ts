import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic, PathStep } from '../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { counted } from '../../shared/lib/listed.js';
import type { LoadedDocuments, SourceDocument } from '../../compile/load/yaml/yaml.js';
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
    const problem = documents.flatMap((one) =>
      isMeant(one.value) ? (missingItem(one.value, kind, ['spec', ...path]) ?? []) : [],
    );
    if (problem[0] !== undefined) {
      return diagnostic('WEFT0446', { message: `\`--set ${text}\`: ${problem[0].message}`, help: problem[0].help });
    }
    documents = documents.map((one) => (isMeant(one.value) ? withSetting(one, ['spec', ...path], value, text) : one));
  }
  return { ...loaded, documents };
}

/** What only the setting brings into the document has its place in the call. */
function withSetting(document: SourceDocument, path: readonly string[], value: unknown, text: string): SourceDocument {
  const isOfSetting = (asked: readonly PathStep[]): boolean => {
    const isOnPath = asked.slice(0, path.length).every((step, index) => String(step) === path[index]);
    return isOnPath && (asked.length >= path.length || valueAt(document.value, asked) === undefined);
  };
  return {
    ...document,
    value: setAt(document.value, path, value),
    locate: (asked, at) => (isOfSetting(asked) ? { file: `--set ${text}` } : document.locate(asked, at)),
  };
}

interface Problem {
  readonly message: string;
  readonly help: string;
}

/** Where a path names an item that a list does not have. */
function missingItem(object: unknown, kind: string, path: readonly string[]): Problem | undefined {
  let value = object;
  for (const [index, part] of path.entries()) {
    const item = Array.isArray(value) && /^\d+$/.test(part) ? Number(part) : undefined;
    if (Array.isArray(value) && item !== undefined && item >= value.length) {
      const list = [...(kind === 'Cluster' ? [] : [kind]), ...path.slice(1, index)].join('.');
      const message = `\`${list}\` has ${counted(value.length, 'item')}, and none with the index ${part}`;
      const last = value.length - 1;
      const help = `${last < 0 ? '' : `the last index is ${last}; `}to add an item, set the whole list: \`--set '${list}=[…]'\``;
      return { message, help };
    }
    if (Array.isArray(value)) value = item === undefined ? undefined : (value[item] as unknown);
    else value = isObject(value) ? value[part] : undefined;
  }
  return undefined;
}

function setAt(object: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(object) && /^\d+$/.test(first)) {
    return object.map((one: unknown, index) => (index === Number(first) ? setAt(one, rest, value) : one));
  }
  const known = isObject(object) ? object : {};
  return { ...known, [first]: setAt(known[first], rest, value) };
}
