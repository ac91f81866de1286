import type { Diagnostic, PathStep } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { compareText, isObject } from '../lib/json.js';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';
import { validate } from './validate.js';
import type { SourceDocument } from './yaml.js';

/** A document whose kind is known and whose schema holds. */
export interface ValidDocument {
  readonly document: SourceDocument;
  readonly kind: DocumentKind;
  readonly name: string;
  /** Empty where none is given, and for kinds that have none. */
  readonly namespace: string;
  /** As the schema gives it. */
  readonly value: unknown;
}

/** What became of the input: documents in the order of their kinds and names, whatever the order of the files. */
export interface ReadDocuments {
  readonly documents: readonly ValidDocument[];
  /** Documents whose kind is known and whose schema does not hold: others that name them must not be blamed too. */
  readonly broken: readonly Pick<ValidDocument, 'kind' | 'name'>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the kind of each document and validates it. */
export function readDocuments(sources: readonly SourceDocument[]): ReadDocuments {
  const documents: ValidDocument[] = [];
  const broken: Pick<ValidDocument, 'kind' | 'name'>[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Map<string, SourceDocument>();
  for (const source of sources) {
    const kind = kindOf(source);
    if ('code' in kind) {
      diagnostics.push(kind);
      continue;
    }
    const name = nameOf(source);
    const namespace = kind.role === 'config-map' ? namespaceOf(source) : '';
    const identity = `${kind.kind}/${namespace}/${name}`;
    const first = seen.get(identity);
    if (first) diagnostics.push(duplicate(source, first, kind.kind, name));
    else seen.set(identity, source);
    const { value, diagnostics: found } = validate(source, kind.schema);
    diagnostics.push(...found);
    if (value === undefined) broken.push({ kind, name });
    else documents.push({ document: source, kind, name, namespace, value });
  }
  const order = (document: ValidDocument) => documentKinds.indexOf(document.kind);
  documents.sort((a, b) => order(a) - order(b) || compareText(a.name, b.name) || compareText(a.namespace, b.namespace));
  return { documents, broken, diagnostics };
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

function kindOf(source: SourceDocument): DocumentKind | Diagnostic {
  const { apiVersion, kind } = isObject(source.value) ? source.value : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    const help = 'each document starts with `apiVersion: …` and `kind: …`';
    return failure('WEFT0100', source, [], 'the document has no `apiVersion` and `kind`', help);
  }
  const found = documentKinds.find((candidate) => candidate.kind === kind && candidate.apiVersion === apiVersion);
  if (found) return found;
  const sameKind = documentKinds.find((candidate) => candidate.kind === kind);
  if (sameKind) {
    const message = `\`apiVersion\` of a ${kind} is not \`${apiVersion}\``;
    return failure('WEFT0101', source, ['apiVersion'], message, `write \`apiVersion: ${sameKind.apiVersion}\``);
  }
  const names = documentKinds.map((candidate) => candidate.kind);
  const candidate = suggest(kind, names);
  const help = candidate === undefined ? `known kinds: ${names.join(', ')}` : `did you mean \`${candidate}\`?`;
  return failure(
    'WEFT0101',
    source,
    ['kind'],
    `Weft does not read documents of kind \`${kind}\` (${apiVersion})`,
    help,
  );
}

function failure(
  code: string,
  source: SourceDocument,
  path: readonly PathStep[],
  message: string,
  help: string,
): Diagnostic {
  return { code, severity: 'error', message, location: source.locate(path), path, help };
}

function duplicate(source: SourceDocument, first: SourceDocument, kind: string, name: string): Diagnostic {
  return {
    code: 'WEFT0102',
    severity: 'error',
    message: `there is a second ${kind} \`${name}\``,
    location: source.locate(['metadata', 'name']),
    path: ['metadata', 'name'],
    help: 'remove one of the two, or give it another name',
    related: { location: first.locate(['metadata', 'name']), message: 'the first is here' },
  };
}
