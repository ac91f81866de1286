import type { Diagnostic } from './diagnostic.js';

/** Warnings that count as errors: all of them, or those with these codes. */
export type DeniedWarnings = 'all' | readonly string[];

/** The diagnostics, with denied warnings as errors. */
export function denyWarnings(diagnostics: readonly Diagnostic[], denied: DeniedWarnings): readonly Diagnostic[] {
  if (denied.length === 0) return diagnostics;
  return diagnostics.map((diagnostic) =>
    diagnostic.severity === 'warning' && (denied === 'all' || denied.includes(diagnostic.code))
      ? { ...diagnostic, severity: 'error' }
      : diagnostic,
  );
}
