import { parseAllDocuments, Scalar, visit } from 'yaml';
import type { ChartValues } from '../addons/values.js';
import { isObject } from '../lib/json.js';
import { thrownTexts } from '../lib/thrown.js';
import { resolvePlain, scalarToJson } from '../load/yaml/scalars.js';
import { mergeValues, type ChartRelease } from './chart.js';
import { malformedField, namedObject, type NamedObject } from '../kubernetes/listed-object.js';

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
  const releaseOf = (values: ChartValues) => ({ values, given: whose === 'COMPUTED' ? {} : values });
  const objects: NamedObject[] = [];
  let chart: ChartRelease | undefined;
  for (const [index, document] of parsed.documents.entries()) {
    if (document === null || document === undefined) continue;
    const where = parsed.documents.length === 1 ? '' : `document ${index + 1}: `;
    if (!isObject(document)) return { problem: `${where}it is neither an object nor values of a chart` };
    if (document['apiVersion'] === undefined && document['kind'] === undefined) {
      chart = mergeReleases(chart, releaseOf(document));
      continue;
    }
    for (const [position, item] of itemsOf(document).entries()) {
      const object = namedObject(item);
      if (object === undefined) return { problem: `${where}${objectProblem(item, position + 1)}` };
      objects.push(object);
    }
  }
  if (header !== '') chart ??= releaseOf({});
  return { objects, ...(chart && { chart }) };
}

function objectProblem(item: unknown, position: number): string {
  const path = malformedField(item).join('.');
  return NAMES.includes(path)
    ? `object ${position} lacks \`apiVersion\`, \`kind\` or \`metadata.name\``
    : `\`${path}\` of object ${position} is not as the API server has it`;
}

/** Fields without which nothing is known of an object; the empty path is that of the object itself. */
const NAMES = ['', 'apiVersion', 'kind', 'metadata', 'metadata.name'];

/** Releases of which the second is of a later file: its values win. */
export function mergeReleases(first: ChartRelease | undefined, second: ChartRelease): ChartRelease {
  if (first === undefined) return second;
  return {
    ...first,
    ...second,
    values: mergeValues(first.values, second.values),
    given: mergeValues(first.given, second.given),
  };
}

function documentsIn(text: string): { readonly documents: readonly unknown[] } | { readonly problem: string } {
  const content = text.replace(/^\uFEFF/, '');
  try {
    // kubectl's JSON of a large cluster is read in a fraction of the time.
    if (/^\s*[{[]/.test(content)) return { documents: [JSON.parse(content)] };
  } catch {
    // A flow mapping of YAML.
  }
  const parsed = parseAllDocuments(content, { merge: true, logLevel: 'silent' });
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
