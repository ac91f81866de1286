import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { renderDiagnostics, type DiagnosticFormat } from '../diagnostics/render.js';
import { usesColour, type Io } from './io.js';

/** True where the input cannot be used. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** Prints diagnostics on standard error, in the form that `--format` asks for; text ends with a count. */
export function report(diagnostics: readonly Diagnostic[], format: DiagnosticFormat, io: Io, closing?: string): void {
  const isForMachines = format === 'json' || format === 'sarif';
  if (diagnostics.length === 0 && !isForMachines) return;
  const colour = !isForMachines && usesColour(io);
  io.stderr(
    renderDiagnostics(format, diagnostics, { colour, docs: pageOf, ...(closing === undefined ? {} : { closing }) }),
  );
}

/** The page about a code, in the folder of the package. */
function pageOf(code: string): string {
  return `docs/errors/${code}.md`;
}
