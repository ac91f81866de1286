import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic, Location } from '../../shared/diagnostics/diagnostic.js';
import { didYouMean } from '../../shared/diagnostics/suggest.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import type { LoadedDocuments, SourceDocument } from '../load/yaml/yaml.js';
import { CLUSTER_BASE, WEFT_API_VERSION } from '../model/cluster.js';
import { found } from '../model/found.js';
import { cluster } from '../config/kinds/cluster.js';

/** A text in a list of a Cluster or a ClusterBase. */
export interface ListedText {
  readonly text: string;
  /** Only diagnostics need places, and finding one parses the document again. */
  readonly locate: () => Location;
}

/** A document of a folder that is merged with those of other folders. */
export interface FolderDocument {
  readonly source: SourceDocument;
  /** Without what is for merging alone. */
  readonly value: unknown;
  /** What the documents have in common that are merged; absent if it is merged with none. */
  readonly identity?: string;
  readonly isCluster: boolean;
}

/** What a folder holds, as far as it is merged with others. */
export interface FolderContent {
  readonly documents: readonly FolderDocument[];
  readonly diagnostics: readonly Diagnostic[];
  readonly ignores: LoadedDocuments['ignores'];
  /** The folders that it extends. */
  readonly extended: readonly ListedText[];
  /** Keys of `spec` that the clusters must have. */
  readonly required: readonly ListedText[];
}

/** Takes out of the documents what is for merging alone. */
export function folderContent(loaded: LoadedDocuments, role: 'base' | 'cluster'): FolderContent {
  const diagnostics = [...loaded.diagnostics];
  const extended: ListedText[] = [];
  const required: ListedText[] = [];
  const documents = loaded.documents.map((source): FolderDocument => {
    const kind = isObject(source.value) ? ownKind(source.value) : undefined;
    if (kind === 'Cluster' && role === 'base') diagnostics.push(clusterInBase(source));
    const isCluster = kind === 'Cluster' || (kind === CLUSTER_BASE && role === 'base');
    if (!isCluster) {
      const identity = documentIdentity(source.value);
      return { source, value: source.value, isCluster, ...(identity !== undefined && { identity }) };
    }
    extended.push(...textsAt(source, 'extends', diagnostics));
    if (kind === CLUSTER_BASE) required.push(...requiredKeys(source, diagnostics));
    return {
      source,
      value: withoutMerging(source.value, kind),
      isCluster,
      identity: CLUSTER_IDENTITY,
    };
  });
  return { documents, diagnostics, ignores: loaded.ignores, extended, required };
}

/** The kind of a document of the group of Weft. */
export function ownKind({ apiVersion, kind }: Readonly<Record<string, unknown>>): string | undefined {
  const isOwn = typeof apiVersion === 'string' && apiGroup(apiVersion) === apiGroup(WEFT_API_VERSION);
  return isOwn && typeof kind === 'string' ? kind : undefined;
}

/** The identity of a Cluster and of what it extends: there is one in each folder. */
export const CLUSTER_IDENTITY = 'Cluster';

/** What documents of several folders have in common that are merged. A Cluster and a ClusterBase have the same. */
export function mergedIdentity(value: unknown): string | undefined {
  const kind = isObject(value) ? ownKind(value) : undefined;
  return kind === 'Cluster' || kind === CLUSTER_BASE ? CLUSTER_IDENTITY : documentIdentity(value);
}

function documentIdentity(value: unknown): string | undefined {
  const [apiVersion, kind] = [valueAt(value, ['apiVersion']), valueAt(value, ['kind'])];
  const [namespace, name] = [valueAt(value, ['metadata', 'namespace']), valueAt(value, ['metadata', 'name'])];
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return [apiGroup(apiVersion), kind, typeof namespace === 'string' ? namespace : '', name].join('/');
}

/** The name of a base is none of the cluster. */
function withoutMerging(value: unknown, kind: string | undefined): unknown {
  const document = value as Readonly<Record<string, unknown>>;
  const { metadata, spec } = document;
  const isBase = kind === CLUSTER_BASE;
  return {
    ...document,
    ...(isObject(spec) && { spec: without(spec, isBase ? ['extends', 'required'] : ['extends']) }),
    ...(isBase && isObject(metadata) && { metadata: without(metadata, ['name']) }),
  };
}

function without(
  mapping: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => !keys.includes(key)));
}

function textsAt(
  source: SourceDocument,
  key: 'extends' | 'required',
  diagnostics: Diagnostic[],
): readonly ListedText[] {
  const given = valueAt(source.value, ['spec', key]);
  if (given === undefined || given === null) return [];
  const texts = Array.isArray(given) ? (given as readonly unknown[]) : undefined;
  if (texts?.every((text) => typeof text === 'string' && text !== '') === true) {
    return texts.map((text, index) => ({ text: String(text), locate: () => source.locate(['spec', key, index]) }));
  }
  diagnostics.push(
    found('WEFT0142', {
      message: `\`spec.${key}\` must be a list of ${key === 'extends' ? 'folders' : 'keys of `spec`'}`,
      origin: { document: source, path: ['spec', key] },
      help: key === 'extends' ? 'write `extends: [../../base/common]`' : 'write `required: [nodePools]`',
    }),
  );
  return [];
}

function requiredKeys(source: SourceDocument, diagnostics: Diagnostic[]): readonly ListedText[] {
  const known = Object.keys(cluster.shape.spec.shape).filter((key) => key !== 'extends');
  const listed = textsAt(source, 'required', diagnostics);
  for (const { text, locate } of listed) {
    if (known.includes(text)) continue;
    diagnostics.push(
      diagnostic('WEFT0143', {
        message: `\`spec.required\` names \`${text}\`, which is no key of \`spec\``,
        location: locate(),
        help: didYouMean(text, known) ?? 'name a key such as `nodePools`; what lies deeper cannot be required',
      }),
    );
  }
  return listed.filter(({ text }) => known.includes(text));
}

function clusterInBase(source: SourceDocument): Diagnostic {
  return found('WEFT0108', {
    message: 'a Cluster document is in a folder that clusters extend',
    origin: { document: source, path: ['kind'] },
    help: `write \`kind: ${CLUSTER_BASE}\`, and leave to each cluster what only it has`,
  });
}
