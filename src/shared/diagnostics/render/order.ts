import { compareText } from '../../lib/json.js';
import { counted } from '../../lib/listed.js';
import { isError, type Diagnostic } from '../diagnostic.js';

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.location?.file ?? '', b.location?.file ?? '') ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

/** By place, then code, then message; diagnostics without a place come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(compareDiagnostics);
}

/** @param isOrdered they are in the order in which they count already. Default: they are sorted */
export function inShownOrder(diagnostics: readonly Diagnostic[], isOrdered = false): readonly Diagnostic[] {
  return isOrdered ? diagnostics : sortDiagnostics(diagnostics);
}

interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
}

export function countDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticCounts {
  const errors = diagnostics.filter(isError).length;
  return { errors, warnings: diagnostics.length - errors };
}

/** For instance `1 error, 2 warnings; nothing written`; empty if there are none. */
export function countLine(diagnostics: readonly Diagnostic[], closing?: string): string {
  const { errors, warnings } = countDiagnostics(diagnostics);
  const counts = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return counts.length === 0 || closing === undefined ? counts.join(', ') : `${counts.join(', ')}; ${closing}`;
}
