import type { JsonValue } from '../../shared/lib/json.js';

/** The value as JSON text with two spaces and a final newline; keys stay in the order in which the value has them. */
export function toJson(value: JsonValue): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
