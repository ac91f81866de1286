import { createDiagnosticSink } from '../../config/diagnostic-sink.js';
import { codeInfo } from '../../diagnostics/codes.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Config } from '../../model/config.js';
import type { PatchProblem } from './problems.js';

/** Problems of patches with their places in the Cluster document. */
export function patchDiagnostics(config: Config, problems: readonly PatchProblem[]): readonly Diagnostic[] {
  const { all, report } = createDiagnosticSink();
  for (const problem of problems) report(codeInfo(problem.code).severity, () => patchDiagnostic(config, problem));
  return all;
}

function patchDiagnostic({ cluster }: Config, problem: PatchProblem): Diagnostic {
  const { index, code, path: below, at, message, help } = problem;
  const path = ['spec', 'patches', index, ...below];
  return {
    code,
    severity: codeInfo(code).severity,
    message: `\`spec.patches[${index}]\` ${message}`,
    location: cluster.origin.document.locate(path, at),
    path,
    ...(help === undefined ? {} : { help }),
  };
}
