import type { Diagnostic, PathStep } from '../../shared/diagnostics/diagnostic.js';
import { compareText, isObject } from '../../shared/lib/json.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { createDiagnosticSink, reportAll } from './diagnostic-sink.js';
import { kindOf } from './kinds/kind-of.js';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';
import { textSlips, withFillHelp } from './kinds/text-slips.js';
import { secretFound, secretsWithin } from './kinds/secrets.js';
import type { AcceptedPart } from './validate/accepted-part.js';
import { validate, type Validated } from './validate/validate.js';
import { passthroughKinds } from '../passthrough/table.js';
import { found } from '../model/found.js';
import type { SourceDocument } from '../load/yaml/yaml.js';

/** A document of a known kind: what its schema accepts of it. */
export interface ValidDocument {
  readonly document: SourceDocument;
  readonly kind: DocumentKind;
  readonly name: string;
  /** Empty if none is given, and for cluster-scoped kinds. */
  readonly namespace: string;
  /** The output of the schema. */
  readonly value: unknown;
  /** Fields that the schema refuses, which the value lacks. */
  readonly leftOut?: AcceptedPart['leftOut'];
}

/** The input after validation: documents sorted by kind and name. The order of the files does not matter. */
export interface ReadDocuments {
  readonly documents: readonly ValidDocument[];
  /**
   * Documents of a known kind of which their schema refuses a part. References to them must not be reported as well. What is accepted of them
   * is among the documents.
   */
  readonly broken: readonly Pick<ValidDocument, 'kind' | 'name'>[];
  /** Whether the input has documents of unknown kinds. Rules then draw no conclusion from a missing object. */
  readonly hasUnknown: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The results for values of documents that had no diagnostics. Values and results are shared and must not be changed. */
export type CheckedValues = WeakMap<object, Validated>;

/** Finds the kind of each document and validates it, unless its value is known. */
export function readDocuments(sources: readonly SourceDocument[], checked?: CheckedValues): ReadDocuments {
  const documents: ValidDocument[] = [];
  const broken: Pick<ValidDocument, 'kind' | 'name'>[] = [];
  const sink = createDiagnosticSink();
  const seen = new Map<string, SourceDocument>();
  let hasUnknown = false;
  for (const source of sources) {
    const kind = kindOf(source);
    if ('code' in kind) {
      reportAll(sink, [kind]);
      hasUnknown = true;
      continue;
    }
    const name = nameOf(source);
    const namespace = kind.role === 'config-map' || kind.role === 'object' ? namespaceOf(source) : '';
    const identity = [apiGroup(kind.apiVersion), kind.kind, namespace, name].join('/');
    const first = seen.get(identity);
    // Two Clusters are an error whatever their names; `resolve` reports it.
    if (first && kind.role !== 'cluster') sink.report('error', () => duplicate(source, first, kind.kind, name));
    else seen.set(identity, source);
    const { value, part, diagnostics: found } = check(source, kind, checked);
    reportAll(sink, found);
    const valid = { document: source, kind, name, namespace };
    if (value !== undefined) documents.push({ ...valid, value });
    else {
      broken.push({ kind, name });
      // Of a ConfigMap others read all keys.
      if (part !== undefined && kind.role !== 'config-map') documents.push({ ...valid, ...part });
    }
  }
  documents.sort(compareDocuments);
  return { documents, broken, hasUnknown, diagnostics: sink.all };
}

const passedGroups: ReadonlySet<string> = new Set(passthroughKinds.map(({ group }) => group));

function check(source: SourceDocument, kind: DocumentKind, checked?: CheckedValues): Validated {
  const key = source.value as object;
  const before = checked?.get(key);
  if (before !== undefined) return before;
  const { value, part, diagnostics: refused } = validate(source, kind.schema);
  // Objects of other kinds may have scripts, and templates of other programs.
  const isRead = kind.role === 'object' ? passedGroups.has(apiGroup(kind.apiVersion)) : kind.role !== 'config-map';
  const slips = isRead ? textSlips(source) : [];
  const diagnostics = [...refused.map((one) => withFillHelp(one, source)), ...slips];
  const unsafe = [...unsafeKeys(source), ...(kind.role === 'object' ? carriedSecrets(source) : [])];
  if (diagnostics.length + unsafe.length > 0) {
    // The schema reports an unsafe key as unknown; the diagnostic about the unsafe key replaces that one.
    const others = diagnostics.filter(({ code, path }) => code !== 'WEFT0140' || !isUnsafe(path?.at(-1)));
    return { ...(unsafe.length === 0 && { value, part }), diagnostics: [...others, ...unsafe] };
  }
  const found = { value, diagnostics };
  checked?.set(key, found);
  return found;
}

/** Sorts by kind in the order of `documentKinds`, other objects last; then by name. */
function compareDocuments(a: ValidDocument, b: ValidDocument): number {
  const [first, second] = [orderOf(a), orderOf(b)];
  if (first !== second) return first - second;
  return (
    compareText(a.kind.kind, b.kind.kind) ||
    compareText(a.name, b.name) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.kind.apiVersion, b.kind.apiVersion)
  );
}

function orderOf({ kind }: ValidDocument): number {
  const order = documentKinds.indexOf(kind);
  return order === -1 ? Infinity : order;
}

function nameOf({ value }: SourceDocument): string {
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

function namespaceOf({ value }: SourceDocument): string {
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const namespace = isObject(metadata) ? metadata['namespace'] : undefined;
  return typeof namespace === 'string' ? namespace : '';
}

/**
 * Keys with a meaning in JavaScript: cdk8s throws for `constructor` and drops `__proto__`. No Kubernetes object needs
 * them.
 */
const UNSAFE_KEYS: readonly unknown[] = ['__proto__', 'constructor'];

const isUnsafe = (key: unknown): boolean => UNSAFE_KEYS.includes(key);

function unsafeKeys(source: SourceDocument): readonly Diagnostic[] {
  return pathsOfUnsafeKeys(source.value, []).map((path) =>
    found('WEFT0106', {
      message: `\`${String(path.at(-1))}\` cannot be used as a key`,
      origin: { document: source, path },
      at: 'key',
      help: 'choose another name',
    }),
  );
}

function pathsOfUnsafeKeys(value: unknown, path: readonly PathStep[]): readonly (readonly PathStep[])[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => pathsOfUnsafeKeys(inner, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    isUnsafe(key) ? [[...path, key]] : pathsOfUnsafeKeys(inner, [...path, key]),
  );
}

function carriedSecrets(source: SourceDocument): readonly Diagnostic[] {
  return secretsWithin(source.value).map((path) => secretFound(source, path));
}

function duplicate(source: SourceDocument, first: SourceDocument, kind: string, name: string): Diagnostic {
  return found('WEFT0102', {
    message: `there is a second ${kind} \`${name}\``,
    origin: { document: source, path: ['metadata', 'name'] },
    help: 'remove one of the two, or give it another name',
    related: { origin: { document: first, path: ['metadata', 'name'] }, message: 'the first is here' },
  });
}
