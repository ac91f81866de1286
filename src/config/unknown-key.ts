import type * as z from 'zod';
import type { Diagnostic, PathStep } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { isObject } from '../lib/json.js';
import { formatPath } from '../model/issues.js';
import { removedKey } from './removed-keys.js';
import { keysAt, placeOfKey } from './schema-walk.js';
import type { SourceDocument } from '../load/yaml.js';

/** Says that a mapping has a key that its schema does not know, and what may be meant. */
export function unknownKey(
  document: SourceDocument,
  parent: readonly PathStep[],
  key: string,
  schema: z.ZodType,
): Diagnostic {
  const path = [...parent, key];
  const where = parent.length === 0 ? 'the document' : `\`${formatPath(parent)}\``;
  const kind = isObject(document.value) ? document.value['kind'] : undefined;
  const help = removedKey(kind, formatPath(path)) ?? meantKey(schema, parent, key);
  return {
    code: 'WEFT0140',
    severity: 'error',
    message: `${where} has no key \`${key}\``,
    location: document.locate(path, 'key'),
    path,
    ...(help === undefined ? {} : { help }),
  };
}

/** A typo of a key that is known here, or a key that is known elsewhere in the document, or all that are known here. */
function meantKey(schema: z.ZodType, parent: readonly PathStep[], key: string): string | undefined {
  const known = keysAt(schema, parent);
  const meant = suggest(key, known) ?? placeOfKey(schema, parent, key) ?? shorterKey(key, known);
  if (meant !== undefined) return `did you mean \`${meant}\`?`;
  return known.length === 0 ? undefined : `known keys: ${known.map((name) => `\`${name}\``).join(', ')}`;
}

/** The longest known key that the unknown one begins with, as `kernel` in `kernelVersion`. */
function shorterKey(key: string, known: readonly string[]): string | undefined {
  const begins = (name: string) => key.startsWith(name) && /^[A-Z]/.test(key.slice(name.length));
  return known.filter(begins).sort((a, b) => b.length - a.length)[0];
}
