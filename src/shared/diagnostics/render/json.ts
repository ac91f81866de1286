import type { Diagnostic } from '../diagnostic.js';
import { escapeJson } from '../../lib/escape.js';
import { countDiagnostics, sortDiagnostics } from './order.js';
import { shownDiagnostic } from './source.js';

interface JsonOptions {
  /** How a user opens the page about a code, for instance a command. */
  readonly see?: (code: string) => string | undefined;
}

/** One JSON object: the sorted diagnostics, with long lines and texts cut as in the text output, and their numbers. */
export function renderJson(diagnostics: readonly Diagnostic[], { see }: JsonOptions = {}): string {
  const report = {
    diagnostics: sortDiagnostics(diagnostics).map((diagnostic) => ({
      ...shownDiagnostic(diagnostic),
      see: see?.(diagnostic.code),
    })),
    summary: countDiagnostics(diagnostics),
  };
  return `${escapeJson(JSON.stringify(report, null, 2))}\n`;
}
