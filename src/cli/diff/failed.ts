import { basename } from 'node:path';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isDnsSubdomain } from '../../shared/kubernetes/names.js';
import { valueAt } from '../../shared/lib/json.js';
import type { FailedCluster } from '../../review/diff/context.js';
import { clusterDocuments } from '../compile/left-behind.js';

/** The cluster, if there are errors among the diagnostics. */
export function failedCluster(name: string, diagnostics: readonly Diagnostic[]): FailedCluster | undefined {
  const errors = diagnostics.filter(isError);
  const [first] = errors;
  if (first === undefined) return undefined;
  const codes = [...new Set(errors.map(({ code }) => code))].sort();
  const { file, line, column } = errors.find(({ location }) => location !== undefined)?.location ?? {};
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { name, codes, ...(file !== undefined && { location: { file, ...place } }) };
}

/** The name in the documents of a folder, which may have errors; else that of the folder, which is the same in most projects. */
export function nameOf(folder: string, documents: readonly SourceDocument[]): string {
  const names = clusterDocuments(documents).map(({ value }) => valueAt(value, ['metadata', 'name']));
  const name = names.find((one): one is string => typeof one === 'string' && isDnsSubdomain(one));
  return name ?? basename(folder);
}
