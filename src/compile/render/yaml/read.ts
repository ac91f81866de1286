import { parseDocument } from 'yaml';
import type { JsonValue } from '../../../shared/lib/json.js';
import { nestingMax } from '../../../shared/lib/nesting.js';
import { toYaml } from './yaml.js';

/** Each level of a list or a mapping is indented by two columns. */
const TOO_DEEP = new RegExp(`^[ -]{${2 * nestingMax}}`, 'm');

/**
 * Reads text of any size that `toYaml` wrote; `undefined` for other text. A value is returned only if `toYaml` writes
 * the same text for it.
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
    // An alias, which `toYaml` never writes, or a value that is not JSON, such as infinity.
    if (error instanceof ReferenceError || error instanceof TypeError) return undefined;
    throw error;
  }
}
