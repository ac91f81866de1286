import { type Code, severityOf } from '../../shared/diagnostics/codes.js';
import { buildConfig } from './build-config.js';
import type { ClusterSpec } from '../model/cluster.js';
import type { Config, Violation } from '../model/config.js';
import { found } from '../model/found.js';
import type { ReadDocuments, ValidDocument } from './documents.js';
import type { DiagnosticSink } from './diagnostic-sink.js';
import { freeze } from '../../shared/lib/freeze.js';
import { dependsOn } from './validate/accepted-part.js';
import { rules } from './rules/rules.js';

/** A configuration and the violations of the rules. */
export interface CheckedConfig {
  readonly config: Config;
  readonly violations: readonly { readonly code: Code; readonly violation: Violation }[];
}

/** @param isAllRead whether all documents that other documents may refer to were read */
export function checkRules(cluster: ValidDocument, read: ReadDocuments, isAllRead: boolean): CheckedConfig {
  // Constructs must not change the configuration. The documents that it points to belong to the caller.
  const sources = new Set([cluster, ...read.documents].map(({ document }) => document));
  const config = freeze(buildConfig(withRefusedRelease(cluster), read), sources);
  const applied = rules.filter(({ needsAllDocuments }) => isAllRead || !needsAllDocuments);
  const leftOut = new Map(read.documents.flatMap((one) => (one.leftOut ? [[one.document, one.leftOut]] : [])));
  // A finding about a field that the schema refuses may be wrong once that is mended.
  const isCertain = ({ origin: { document, path } }: Violation) => !dependsOn(leftOut.get(document) ?? [], path);
  const violations = applied.flatMap((rule) =>
    [...rule.check(config)].filter(isCertain).map((violation) => ({ code: rule.code, violation })),
  );
  return { config, violations };
}

/** A release that the schema refuses is one that is not known, not none: no rule asks for what it would have filled in. */
function withRefusedRelease(cluster: ValidDocument): ValidDocument {
  if (!dependsOn(cluster.leftOut ?? [], ['spec', 'release'])) return cluster;
  const value = cluster.value as { readonly spec: ClusterSpec };
  return { ...cluster, value: { ...value, spec: { ...value.spec, release: '' } } };
}

export function reportViolations({ report }: DiagnosticSink, { violations }: CheckedConfig): void {
  for (const { code, violation } of violations) report(severityOf(code), () => found(code, violation));
}
