import { parseAllDocuments, Scalar, visit } from 'yaml';
import { isObject } from '../../shared/lib/json.js';
import { listedNames } from '../../shared/lib/listed.js';
import { isTooDeep, nestingMax } from '../../shared/lib/nesting.js';
import { thrownTexts } from '../../shared/lib/thrown.js';
import { hasTooDeepDocument } from '../../compile/load/yaml/parse.js';
import { resolvePlain, scalarToJson } from '../../compile/load/yaml/scalars.js';
import type { ChartRelease } from './chart.js';
import { mergeValues } from './merge-values.js';
import { operatorValues, SRIOV_CHART } from './chart-kinds.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { readObjectOfFile } from '../../shared/kubernetes/shapes/file-object.js';

/** What a file tells: objects, and values of the operator's chart. */
interface ReadSource {
  readonly objects: readonly NamedObject[];
  /** Absent where the file has none. */
  readonly chart?: ChartRelease;
}

/** First lines of `helm get values`, and of the same with `--all`. Without values `null` or `{}` follows. */
const HELM_HEADER = /^\s*(USER-SUPPLIED|COMPUTED) VALUES:\r?\n/;

/**
 * Reads what `kubectl get -o yaml|json` and `helm get values` print, or a values file: documents with `apiVersion` and `kind` are
 * objects or lists of them, other mappings are values of the chart.
 */
export function readSource(text: string): ReadSource | { readonly problem: string } {
  const [header = '', whose] = HELM_HEADER.exec(text) ?? [];
  const parsed = documentsIn(text.slice(header.length));
  if ('problem' in parsed) return parsed;
  // Of computed values it is not known which of them the user set.
  const releaseOf = (read: Pick<ChartRelease, 'values' | 'isOnlySriov'>) => ({
    ...read,
    given: whose === 'COMPUTED' ? {} : read.values,
    ...(read.isOnlySriov && { name: SRIOV_CHART }),
  });
  const objects: NamedObject[] = [];
  let chart: ChartRelease | undefined;
  for (const [index, document] of parsed.documents.entries()) {
    if (document === null || document === undefined) continue;
    const where = parsed.documents.length === 1 ? '' : `document ${index + 1}: `;
    if (!isObject(document)) return { problem: `${where}it is neither an object nor values of a chart` };
    if (document['apiVersion'] === undefined && document['kind'] === undefined) {
      const read = operatorValues(document);
      if (read === undefined) return { problem: `${where}${notOfOperator(document)}` };
      chart = mergeReleases(chart, releaseOf(read));
      continue;
    }
    for (const [position, item] of itemsOf(document).entries()) {
      const read = readObjectOfFile(item, position + 1);
      if (read === undefined) continue;
      if ('problem' in read) return { problem: `${where}${read.problem}` };
      objects.push(read.object);
    }
  }
  if (header !== '') chart ??= releaseOf({ values: {} });
  return { objects, ...(chart && { chart }) };
}

const SHOWN_KEYS = 5;

function notOfOperator(values: object): string {
  const keys = listedNames(Object.keys(values), SHOWN_KEYS);
  return `it has no \`apiVersion\` and \`kind\`, and its keys are none of the operator’s chart: ${keys}`;
}

/** Releases of which the second is of a later file: its values win. */
export function mergeReleases(first: ChartRelease | undefined, second: ChartRelease): ChartRelease {
  if (first === undefined) return second;
  const { isOnlySriov, name, ...both } = { ...first, ...second };
  const isEachSriov = first.isOnlySriov === true && second.isOnlySriov === true;
  // The name of the operator's release.
  const named = [second, first].find((one) => isEachSriov || one.isOnlySriov !== true)?.name ?? name;
  return {
    ...both,
    ...(named !== undefined && { name: named }),
    ...(isEachSriov && isOnlySriov && { isOnlySriov }),
    values: mergeValues(first.values, second.values),
    given: mergeValues(first.given, second.given),
  };
}

/** The documents of a YAML or JSON text, with plain text read as Helm and kubectl read it. */
export function documentsIn(text: string): { readonly documents: readonly unknown[] } | { readonly problem: string } {
  const content = text.replace(/^\uFEFF/, '');
  const json = documentOfJson(content);
  const read = json === undefined ? documentsOfYaml(content) : { documents: [json] };
  return 'documents' in read && isTooDeep(read.documents, -1) ? { problem: TOO_DEEP } : read;
}

const TOO_DEEP = `it is nested more than ${nestingMax} levels deep`;

/** kubectl's JSON of a large cluster is read in a fraction of the time. Undefined for other text: a flow mapping of YAML may begin as JSON does. */
function documentOfJson(text: string): unknown {
  try {
    return /^\s*[{[]/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function documentsOfYaml(text: string): { readonly documents: readonly unknown[] } | { readonly problem: string } {
  // The composer is recursive, the parser is not.
  if (hasTooDeepDocument(text)) return { problem: TOO_DEEP };
  const parsed = parseAllDocuments(text, { merge: true, logLevel: 'silent' });
  if ('empty' in parsed) return { documents: [] };
  const [error] = parsed.flatMap(({ errors }) => errors);
  if (error !== undefined) return { problem: `it is not YAML: ${error.message.split('\n')[0] ?? ''}` };
  for (const document of parsed) visit(document, { Scalar: resolve });
  try {
    return { documents: parsed.map((document) => document.toJS() as unknown) };
  } catch (thrown) {
    return { problem: `it cannot be read: ${thrownTexts(thrown).message}` };
  }
}

/** Helm and kubectl read plain text by YAML 1.1, where `yes` is true. Keys stay text. */
function resolve(key: unknown, node: Scalar): void {
  if (key === 'key' || node.type !== Scalar.PLAIN || node.source === undefined || node.tag !== undefined) return;
  const json = scalarToJson(resolvePlain(node.source));
  if (json.ok) node.value = json.value;
}

/** The items of a list. Those of the API server's lists, such as a NodeList, have no `apiVersion` and `kind`. */
function itemsOf(document: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { apiVersion, kind, items } = document;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [document];
  const ofItem = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.map((item: unknown) => (isObject(item) ? { ...ofItem, ...item } : item));
}
