import type { Diagnostic } from './diagnostic.js';
import { escapeJson } from './render-escape.js';
import { countDiagnostics, sortDiagnostics } from './render-order.js';

/** One JSON object: the sorted diagnostics as they are, and their numbers. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  const report = { diagnostics: sortDiagnostics(diagnostics), summary: countDiagnostics(diagnostics) };
  return `${escapeJson(JSON.stringify(report, null, 2))}\n`;
}
