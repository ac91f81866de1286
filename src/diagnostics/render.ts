import type { Diagnostic } from './diagnostic.js';
import { renderGithub } from './render-github.js';
import { renderJson } from './render-json.js';
import type { SarifOptions } from './render-sarif.js';
import { renderSarif } from './render-sarif.js';
import type { TextOptions } from './render-text.js';
import { renderText } from './render-text.js';

export const diagnosticFormats = ['text', 'json', 'github', 'sarif'] as const;
export type DiagnosticFormat = (typeof diagnosticFormats)[number];

/** Diagnostics in one of the forms that `--format` offers; each is sorted and ends with a line break. */
export function renderDiagnostics(
  format: DiagnosticFormat,
  diagnostics: readonly Diagnostic[],
  options: TextOptions & SarifOptions,
): string {
  switch (format) {
    case 'text':
      return renderText(diagnostics, options);
    case 'json':
      return renderJson(diagnostics, options);
    case 'github':
      return renderGithub(diagnostics, options);
    case 'sarif':
      return renderSarif(diagnostics, options);
  }
}
