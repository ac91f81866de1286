import { createDiagnosticSink } from '../../config/diagnostic-sink.js';
import { severityOf } from '../../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../../shared/diagnostics/diagnostic.js';
import type { Config } from '../../model/config.js';
import { found } from '../../model/found.js';
import type { PatchProblem } from './problems.js';

/** Problems of patches with their places in the Cluster document. */
export function patchDiagnostics(config: Config, problems: readonly PatchProblem[]): readonly Diagnostic[] {
  const { all, report } = createDiagnosticSink();
  for (const problem of problems) report(severityOf(problem.code), () => patchDiagnostic(config, problem));
  return all;
}

function patchDiagnostic({ cluster: { origin } }: Config, problem: PatchProblem): Diagnostic {
  const { index, code, path, message, ...others } = problem;
  const place = { document: origin.document, path: ['spec', 'patches', index, ...path] };
  return found(code, { ...others, message: `\`spec.patches[${index}]\` ${message}`, origin: place });
}
