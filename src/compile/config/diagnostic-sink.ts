import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic, Severity } from '../../shared/diagnostics/diagnostic.js';
import { folderMax } from '../load/yaml/budget.js';

/** Collects the diagnostics of one folder, up to a limit. */
export interface DiagnosticSink {
  readonly all: readonly Diagnostic[];
  /** The second argument is called only for diagnostics that are kept, because finding a place takes time. */
  readonly report: (severity: Severity, diagnostic: () => Diagnostic) => void;
}

/** The limit applies to each severity, so that warnings cannot hide an error. */
const reportedMax = folderMax.errors;

const CODE = 'WEFT0040';

/**
 * A sink that keeps a limited number of errors and of warnings. Above the limit it adds one diagnostic that says so.
 */
export function createDiagnosticSink(): DiagnosticSink {
  const all: Diagnostic[] = [];
  const left: Record<Severity, number> = { error: reportedMax, warning: reportedMax };
  let isCut = false;
  const report: DiagnosticSink['report'] = (severity, diagnostic) => {
    const isFull = left[severity] === 0;
    if (isFull && isCut) return;
    const found = diagnostic();
    if (!isFull && found.code !== CODE) {
      left[severity] -= 1;
      all.push(found);
      return;
    }
    // The diagnostics of one document may end with the same code.
    if (!isCut) all.push(found.code === CODE ? found : more(found));
    isCut = true;
  };
  return { all, report };
}

/** Reports all of them. */
export function reportAll({ report }: DiagnosticSink, found: readonly Diagnostic[]): void {
  for (const diagnostic of found) report(diagnostic.severity, () => diagnostic);
}

function more({ severity, location }: Diagnostic): Diagnostic {
  return diagnostic(CODE, {
    message: `there are more than ${reportedMax} ${severity}s; what is left begins here and is not shown`,
    ...(location && { location }),
    help: 'fix what is shown, and run it again',
  });
}
