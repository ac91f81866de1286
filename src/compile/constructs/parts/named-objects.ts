import { diagnostic } from '../../../shared/diagnostics/codes.js';
import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { documentKinds } from '../../config/kinds/kinds.js';
import { schemasAt } from '../../config/validate/schema-walk.js';
import type { Diagnostic, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import type { NamedObject } from '../../model/named-object.js';
import { objectNames } from '../../model/shapes/object-name.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';
import type { DocumentPart, OwnConfigMap } from './parts.js';
import { pathOf } from './sections.js';

/** An object of the program in a field for its name. */
export interface NamedUse {
  readonly object: NamedObject;
  /** Path in the document. */
  readonly path: readonly PathStep[];
  /** Of the construct or the document. */
  readonly file: string;
  /** Namespace of the pods, if it is not that of the cluster. */
  readonly namespace?: string;
}

/** The place of a value: kind of the document, and path in it. */
interface Place {
  readonly file: string;
  readonly kind: string;
  readonly path: readonly PathStep[];
}

/**
 * A value in which names replace objects, the replaced objects, and diagnostics about objects in fields that do not
 * accept them.
 */
interface Taken<T> {
  readonly value: T;
  readonly uses: readonly NamedUse[];
  readonly problems: readonly Diagnostic[];
}

/** The place of a document. */
export function documentPlace({ file, value }: SourceDocument): Place {
  return { file, kind: isObject(value) ? String(value['kind']) : '', path: [] };
}

/** The place of a construct's values in their document. */
export function partPlace(part: DocumentPart): Place {
  const file = part.construct.node.path;
  switch (part.kind) {
    case 'section':
      return { file, kind: 'NicClusterPolicy', path: ['spec', ...pathOf(part)] };
    case 'add-on':
      return { file, kind: 'Cluster', path: ['spec', ...pathOf(part)] };
    case 'network':
    case 'policy':
      return { file, kind: part.documentKind, path: ['spec'] };
  }
}

/** Replaces the objects in a value from a program by their names. */
export function takeObjects<T>(given: T, { file, kind, path }: Place): Taken<T> {
  const found: { readonly object: NamedObject; readonly path: readonly PathStep[] }[] = [];
  const value = withNames(given, path, (object, at) => void found.push({ object, path: at })) as T;
  const root = path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
  const uses = found.map(({ object, path: at }): NamedUse => {
    const namespace = valueAt(root, [...at.slice(0, SECTION_DEPTH).map(String), 'namespaceOverride']);
    return { object, path: at, file, ...(typeof namespace === 'string' && namespace !== '' && { namespace }) };
  });
  return { value, uses, problems: uses.flatMap((use) => otherKind(use, kind)) };
}

/** Sections of the Cluster are below `spec`. */
const SECTION_DEPTH = 2;

/** The value itself if it has no object. */
function withNames(
  value: unknown,
  path: readonly PathStep[],
  report: (object: NamedObject, path: readonly PathStep[]) => void,
): unknown {
  if (Construct.isConstruct(value)) {
    const object = value as NamedObject & Construct;
    report(object, path);
    return object.name;
  }
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown, index) => withNames(entry, [...path, index], report));
    return entries.some((entry, index) => entry !== value[index]) ? entries : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withNames(inner, [...path, key], report)] as const);
  return entries.some(([key, inner]) => inner !== value[key]) ? Object.fromEntries(entries) : value;
}

function otherKind({ object, path, file }: NamedUse, documentKind: string): readonly Diagnostic[] {
  const schema = documentKinds.find(({ kind }) => kind === documentKind)?.schema;
  const kindsAt = (at: readonly PathStep[]): readonly string[] =>
    (schema ? schemasAt(schema, at) : []).flatMap((one) => objectNames.get(one)?.kind ?? []);
  const kinds = kindsAt(path);
  if (kinds.includes(object.kind)) return [];
  const isNameInside = kindsAt([...path, 'name']).includes(object.kind);
  const [kind] = kinds;
  const what = `the ${object.kind} \`${object.name}\``;
  const field = `\`${path.slice(1).join('.')}\``;
  return [
    diagnostic('WEFT0530', {
      message:
        kind === undefined ? `${field} names no object, and is ${what}` : `${field} names a ${kind}, and is ${what}`,
      location: { file },
      path,
      help: isNameInside ? 'write `{ name: … }` around it' : helpFor(kind),
    }),
  ];
}

function helpFor(kind: string | undefined): string {
  return kind === undefined ? 'give it plain data' : `give it a ${kind}, or the name of one`;
}

/** Objects in another namespace than the pods that read them; pods read only objects in their own namespace. */
export function otherNamespace(uses: readonly NamedUse[], clusterNamespace: string): readonly Diagnostic[] {
  return uses.flatMap(({ object, path, file, namespace = clusterNamespace }) => {
    const manifest = manifestOf(object);
    if (!manifest || manifest.metadata.namespace === namespace) return [];
    const own = manifest.metadata.namespace;
    const where = own === undefined ? 'has no namespace' : `is in namespace \`${own}\``;
    return [
      diagnostic('WEFT0527', {
        message: `${object.kind} \`${object.name}\` ${where}; the pods that need it are in \`${namespace}\``,
        location: { file },
        path,
        help: `give it \`metadata: { namespace: '${namespace}' }\``,
      }),
    ];
  });
}

/** The ConfigMaps among the objects, with their current keys. */
export function configMapsOf(uses: readonly NamedUse[], clusterNamespace: string): readonly OwnConfigMap[] {
  const manifests = new Set(uses.flatMap(({ object }) => manifestOf(object) ?? []));
  return [...manifests]
    .filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.namespace === clusterNamespace)
    .map((manifest) => {
      const { data = {}, binaryData = {} } = manifest.toJson() as ConfigMapData;
      return { name: manifest.name, keys: Object.keys({ ...data, ...binaryData }) };
    });
}

interface ConfigMapData {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** `undefined` for an imported object, for instance from `Secret.fromSecretName`. */
function manifestOf(object: NamedObject): ApiObject | undefined {
  if (ApiObject.isApiObject(object)) return object;
  const { defaultChild } = object.node;
  return defaultChild !== undefined && ApiObject.isApiObject(defaultChild) ? defaultChild : undefined;
}
