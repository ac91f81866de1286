import { codeInfo } from '../diagnostics/codes.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { buildConfig } from './build-config.js';
import type { Config, Finding } from '../model/config.js';
import type { ReadDocuments, ValidDocument } from './documents.js';
import type { DiagnosticSink } from './diagnostic-sink.js';
import { freeze } from '../lib/freeze.js';
import { rules } from './rules/rules.js';

/** A configuration and the findings of the rules. */
export interface CheckedConfig {
  readonly config: Config;
  readonly findings: readonly { readonly code: string; readonly finding: Finding }[];
}

/** @param isAllRead whether all documents that other documents may refer to were read */
export function checkRules(cluster: ValidDocument, read: ReadDocuments, isAllRead: boolean): CheckedConfig {
  // Constructs must not change the configuration. The documents that it points to belong to the caller.
  const sources = new Set([cluster, ...read.documents].map(({ document }) => document));
  const config = freeze(buildConfig(cluster, read), sources);
  const applied = rules.filter(({ needsAllDocuments }) => isAllRead || !needsAllDocuments);
  const findings = applied.flatMap((rule) => [...rule.check(config)].map((finding) => ({ code: rule.code, finding })));
  return { config, findings };
}

export function reportFindings({ report }: DiagnosticSink, { findings }: CheckedConfig): void {
  for (const { code, finding } of findings) report(codeInfo(code).severity, () => toDiagnostic(code, finding));
}

function toDiagnostic(code: string, { origin, at, message, label, help, related }: Finding): Diagnostic {
  return {
    code,
    severity: codeInfo(code).severity,
    message,
    location: origin.document.locate(origin.path, at),
    path: origin.path,
    ...(label === undefined ? {} : { label }),
    ...(help === undefined ? {} : { help }),
    ...(related && {
      related: { location: related.origin.document.locate(related.origin.path), message: related.message },
    }),
  };
}
