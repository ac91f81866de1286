import type * as z from 'zod';
import type { Diagnostic, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { askWhether, suggest } from '../../../shared/diagnostics/suggest.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import { found } from '../../model/found.js';
import { formatPath, noSuchKey } from '../../model/issues.js';
import { removedKey } from './removed-keys.js';
import { keysAt, placeOfKey } from './schema-walk.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';

/** The diagnostic about a key that the schema of its mapping does not have, with the probable correction. */
export function unknownKey(
  document: SourceDocument,
  parent: readonly PathStep[],
  key: string,
  schema: z.ZodType,
): Diagnostic {
  const path = [...parent, key];
  const kind = isObject(document.value) ? document.value['kind'] : undefined;
  const help = removedKey(kind, formatPath(path)) ?? keyHelp({ schema, parent, key, data: document.value });
  return found('WEFT0140', {
    message: noSuchKey(parent, key),
    origin: { document, path },
    at: 'key',
    ...(help && { help }),
  });
}

/** A key that its mapping does not have. */
interface UnknownKey {
  /** Of all of the data. */
  readonly schema: z.ZodType;
  readonly parent: readonly PathStep[];
  readonly key: string;
  readonly data: unknown;
}

/** The key that is probably meant, or all known keys. */
export function keyHelp(unknown: UnknownKey): string | undefined {
  const known = keysAt(unknown.schema, unknown.parent);
  const meant = meantHere(unknown) ?? keyElsewhere(unknown) ?? shorterKey(unknown.key, known);
  if (meant !== undefined) return askWhether(meant);
  return known.length === 0 ? undefined : `known keys: ${known.map((name) => `\`${name}\``).join(', ')}`;
}

/** A key of the same mapping that is spelt almost the same, or that ends with the unknown one. */
export function meantHere({ schema, parent, key }: Omit<UnknownKey, 'data'>): string | undefined {
  const known = keysAt(schema, parent);
  return suggest(key, known) ?? longerKey(key, known);
}

/** Weft reads only the name from a document's metadata, and a key cannot move to a path that already has a value. */
export function keyElsewhere({ schema, parent, key, data }: UnknownKey): string | undefined {
  const place = placeOfKey(schema, parent, key);
  if (place === undefined || /^metadata(?:\.(?!name$)|$)/.test(place)) return undefined;
  return valueAt(data, place.split('.')) === undefined ? place : undefined;
}

/** The only known key that the unknown one is the last word of, as `namespace` in `networkNamespace`. */
function longerKey(key: string, known: readonly string[]): string | undefined {
  const word = key.slice(0, 1).toUpperCase() + key.slice(1);
  const ending = known.filter((name) => name.endsWith(word));
  return word.length > 3 && ending.length === 1 ? ending[0] : undefined;
}

/** The longest known key that the unknown one begins with, as `kernel` in `kernelVersion`. */
function shorterKey(key: string, known: readonly string[]): string | undefined {
  const begins = (name: string) => key.startsWith(name) && /^[A-Z]/.test(key.slice(name.length));
  return known.filter(begins).sort((a, b) => b.length - a.length)[0];
}
