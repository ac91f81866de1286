import { isObject, type JsonObject, type JsonValue } from '../lib/json.js';
import { orderKeys } from './yaml/yaml.js';

/** The value as JSON text with two spaces and a final newline, its keys in the order of the YAML files. */
export function toJson(value: JsonValue): string {
  return `${JSON.stringify(ordered(value), null, 2)}\n`;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  return Object.fromEntries(orderKeys(value as JsonObject).map((key) => [key, ordered(value[key])]));
}
