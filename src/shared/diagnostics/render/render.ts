import type { Diagnostic } from '../diagnostic.js';
import { renderGithub, type GithubOptions } from './github.js';
import { renderJson } from './json.js';
import type { SarifOptions } from './sarif.js';
import { renderSarif } from './sarif.js';
import type { TextOptions } from './text.js';
import { renderText } from './text.js';

export const diagnosticFormats = ['text', 'json', 'github', 'sarif'] as const;
export type DiagnosticFormat = (typeof diagnosticFormats)[number];

/** Diagnostics in one of the formats of `--format`; each is sorted and ends with a line break. */
export function renderDiagnostics(
  format: DiagnosticFormat,
  diagnostics: readonly Diagnostic[],
  options: TextOptions & SarifOptions & GithubOptions,
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
