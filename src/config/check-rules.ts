import { codeInfo } from '../diagnostics/codes.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { buildConfig } from './build-config.js';
import type { Config, Finding } from '../model/config.js';
import type { ReadDocuments, ValidDocument } from './documents.js';
import type { Enough } from './diagnostic-sink.js';
import { freeze } from '../lib/freeze.js';
import { rules } from './rules/rules.js';

/** A configuration, and what the rules find in it. */
export interface Judged {
  readonly config: Config;
  readonly findings: readonly { readonly code: string; readonly finding: Finding }[];
}

/** @param isAllRead whether nothing is missing that the input may offer to what is there */
export function judge(cluster: ValidDocument, read: ReadDocuments, isAllRead: boolean): Judged {
  const config = freeze(buildConfig(cluster, read));
  const applied = rules.filter(({ needsAllDocuments }) => isAllRead || !needsAllDocuments);
  const findings = applied.flatMap((rule) => [...rule.check(config)].map((finding) => ({ code: rule.code, finding })));
  return { config, findings };
}

export function sayFindings({ say }: Enough, { findings }: Judged): void {
  for (const { code, finding } of findings) say(codeInfo(code).severity, () => toDiagnostic(code, finding));
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
