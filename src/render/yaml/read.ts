import { parseDocument } from 'yaml';
import type { JsonValue } from '../../lib/json.js';
import { toYaml } from './yaml.js';

/** Deeper than any object of Kubernetes, and shallow enough for functions that walk the data recursively. */
const NESTING_MAX = 100;

/** Each level of a list or a mapping is indented by two columns. */
const TOO_DEEP = new RegExp(`^[ -]{${2 * NESTING_MAX}}`, 'm');

/**
 * Reads what `toYaml` wrote, of any size; `undefined` where the text is anything else. What the parser read counts only where
 * `toYaml` writes the very same text for it.
 */
export function readOwnYaml(text: string): JsonValue | undefined {
  if (TOO_DEEP.test(text)) return undefined;
  const document = parseDocument(text, {
    prettyErrors: false,
    logLevel: 'silent',
    uniqueKeys: false,
    stringKeys: true,
  });
  if (document.errors.length > 0) return undefined;
  try {
    const value = document.toJS({ maxAliasCount: 0 }) as JsonValue;
    return toYaml(value) === text ? value : undefined;
  } catch (error) {
    // An alias, which `toYaml` never writes; or what is not JSON, such as a number without end.
    if (error instanceof ReferenceError || error instanceof TypeError) return undefined;
    throw error;
  }
}
