import { NETWORK_OPERATOR_GROUP } from '../../../shared/contract/network-operator.js';
import type { Code } from '../../../shared/diagnostics/codes.js';
import type { Diagnostic, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { didYouMean, suggest } from '../../../shared/diagnostics/suggest.js';
import { isObject } from '../../../shared/lib/json.js';
import { extraObjectKind } from './extra-object.js';
import { documentKinds, type DocumentKind } from './kinds.js';
import { isSecret, secretFound } from './secrets.js';
import { CLUSTER_BASE, WEFT_API_VERSION } from '../../model/cluster.js';
import { found } from '../../model/found.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';

/** API groups of which Weft reads all kinds. */
export const OWN_GROUPS: readonly string[] = [NETWORK_OPERATOR_GROUP, 'weft.dev'];

/** Kinds that exist in other API groups too. */
export const COMMON_KINDS: readonly string[] = ['Cluster', 'ConfigMap'];

/** The kind of a document, or a diagnostic. Objects of other kinds go to the output unchanged. */
export function kindOf(source: SourceDocument): DocumentKind | Diagnostic {
  const { apiVersion, kind } = isObject(source.value) ? source.value : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return incomplete(source, apiVersion, kind);
  const found = documentKinds.find((candidate) => candidate.kind === kind && candidate.apiVersion === apiVersion);
  return (
    found ??
    wrongVersion(source, apiVersion, kind) ??
    unknownKind(source, apiVersion, kind) ??
    secret(source, apiVersion, kind) ??
    extraObjectKind(apiVersion, kind)
  );
}

/** Keys at the top of the values of the operator's chart, and of a chart around it (network-operator v24.7.0 and v26.4.1). */
const CHART_KEYS = ['deployCR', 'network-operator', 'nfd', 'operator', 'upgradeCRDs', 'useDTK'];

function isChartValues(value: unknown): boolean {
  return isObject(value) && !('metadata' in value) && CHART_KEYS.some((key) => Object.hasOwn(value, key));
}

/** The diagnostic for a document without `apiVersion` or `kind`. The field that it has determines the help for the other. */
function incomplete(source: SourceDocument, apiVersion: unknown, kind: unknown): Diagnostic {
  const [key, given] = typeof kind === 'string' ? ['apiVersion' as const, apiVersion] : ['kind' as const, kind];
  const isHalf = typeof kind === 'string' || typeof apiVersion === 'string';
  const fitting = documentKinds.filter((one) => one.kind === kind || one.apiVersion === apiVersion);
  const help = isChartValues(source.value)
    ? `these look like values of the operator’s chart: \`weft import <cluster> --from ${source.file}\` makes documents of them`
    : fitting.length > 0
      ? `write ${fitting.map((one) => `\`${key}: ${one[key]}\``).join(' or ')}`
      : 'each document starts with `apiVersion: …` and `kind: …`';
  if (isHalf && given !== undefined) return failure('WEFT0100', source, [key], `\`${key}\` must be text`, help);
  const what = isHalf ? `\`${key}\`` : '`apiVersion` and `kind`';
  return failure('WEFT0100', source, [], `the document has no ${what}`, help);
}

function wrongVersion(source: SourceDocument, apiVersion: string, kind: string): Diagnostic | undefined {
  const known = documentKinds.find((candidate) => candidate.kind === kind);
  if (!known) return undefined;
  const isMeant =
    !COMMON_KINDS.includes(kind) ||
    apiVersion.split('/')[0] === known.apiVersion.split('/')[0] ||
    suggest(apiVersion, [known.apiVersion]) !== undefined;
  const message = `\`apiVersion\` of a ${kind} is not \`${apiVersion}\``;
  return isMeant
    ? failure('WEFT0101', source, ['apiVersion'], message, `write \`apiVersion: ${known.apiVersion}\``)
    : undefined;
}

function unknownKind(source: SourceDocument, apiVersion: string, kind: string): Diagnostic | undefined {
  if (!OWN_GROUPS.includes(apiVersion.split('/')[0] ?? '')) return undefined;
  if (kind === CLUSTER_BASE && apiVersion === WEFT_API_VERSION) return baseInCluster(source);
  const names = documentKinds.map((candidate) => candidate.kind);
  const help = didYouMean(kind, [...names, CLUSTER_BASE]) ?? `known kinds: ${names.join(', ')}`;
  return failure(
    'WEFT0101',
    source,
    ['kind'],
    `Weft does not read documents of kind \`${kind}\` (${apiVersion})`,
    help,
  );
}

/** In a base it is merged with the Cluster. */
function baseInCluster(source: SourceDocument): Diagnostic {
  const help =
    'write `kind: Cluster`; a folder that clusters share lies outside of `clusters/`, and their documents name it in `extends`';
  return failure('WEFT0108', source, ['kind'], `a ${CLUSTER_BASE} is in the folder of a cluster`, help);
}

function secret(source: SourceDocument, apiVersion: string, kind: string): Diagnostic | undefined {
  return isSecret(apiVersion, kind) ? secretFound(source, ['kind']) : undefined;
}

function failure(
  code: Code,
  document: SourceDocument,
  path: readonly PathStep[],
  message: string,
  help: string,
): Diagnostic {
  return found(code, { message, origin: { document, path }, help });
}
