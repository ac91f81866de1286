import { escapeJson } from '../shared/lib/escape.js';
import type { JsonValue } from '../shared/lib/json.js';
import { toJson } from '../compile/render/json.js';

/** A document that a command prints with `--output json`. Its type may be an interface, which TypeScript does not take for JSON. */
export function jsonText(document: unknown): string {
  return escapeJson(toJson(document as JsonValue));
}
