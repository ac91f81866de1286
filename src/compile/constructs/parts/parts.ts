import { diagnostic } from '../../../shared/diagnostics/codes.js';
import type { Construct } from 'constructs';
import { CLUSTER_POLICY_NAME } from '../../config/kinds/policies.js';
import { DEFAULT_NAMESPACE, NETWORK_OPERATOR_API_VERSION } from '../../../shared/contract/network-operator.js';
import { resolve, resolvePart } from '../../config/resolve.js';
import { denyWarnings } from '../../../shared/diagnostics/deny.js';
import { isError, type Diagnostic } from '../../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';
import type { AddOnPart, NetworkPart, PolicyPart, SectionPart } from '../../model/cluster-scope.js';
import type { Config } from '../../model/config.js';
import { pathOf, setAt, withSections } from './sections.js';
import { InvalidConfigError, sourceAt, throwErrors } from './typed-documents.js';

/** A construct that stands for a document, or for a section of the NicClusterPolicy or of the Cluster. */
export type DocumentPart = SectionPart | AddOnPart | NetworkPart | PolicyPart;

/** The documents of a cluster: the given ones, and those that constructs stand for. */
export interface Parts {
  /**
   * Adds the part and returns a configuration of it and of what it shares with others: the Cluster, the
   * NicClusterPolicy, ConfigMaps.
   *
   * @param problems known problems of the part
   * @throws InvalidConfigError when the part has an error that does not depend on other documents. It is then not added.
   */
  readonly add: (part: DocumentPart, problems?: readonly Diagnostic[]) => Config;
  /** All diagnostics, and the configuration if there is no error. */
  readonly check: () => { readonly config?: Config; readonly diagnostics: readonly Diagnostic[] };
}

/** A ConfigMap of the program that a policy names. */
export interface OwnConfigMap {
  readonly name: string;
  readonly keys: readonly string[];
}

/** The input of a cluster when it is created. */
interface Given {
  /** Path of the cluster's construct: the place of the policy for sections without a policy construct. */
  readonly place: string;
  readonly documents: readonly SourceDocument[];
  /** The current ConfigMaps of a namespace to which policies refer. */
  readonly configMaps: (namespace: string) => readonly OwnConfigMap[];
  /** Known problems of the documents. */
  readonly problems: readonly Diagnostic[];
}

/** @throws InvalidConfigError when the given documents have an error that does not depend on others */
export function createParts({ place, documents, configMaps, problems: ofDocuments }: Given): Parts & {
  readonly config: Config;
} {
  const parts: DocumentPart[] = [];
  const values = new WeakMap();
  let given = withConfigMaps(documents, configMaps);
  const { config, diagnostics } = resolvePart(sourcesOf(place, given, []), values);
  throwErrors([...ofDocuments, ...elsewhereThan(ofDocuments, diagnostics)]);
  if (!config) throw new InvalidConfigError(resolve({ documents: given, diagnostics: [] }).diagnostics);
  return {
    config,
    add(part, problems = []) {
      throwErrors(conflicts(part, given, parts));
      given = withConfigMaps(documents, configMaps);
      const now = resolvePart(sourcesAround(part, place, given, parts), values);
      // A rule reads the name of an object that the field does not take.
      const own = elsewhereThan(problems, now.diagnostics).filter(
        (one) => isError(one) && one.location?.file === part.construct.node.path,
      );
      if (now.config && own.length + problems.length === 0) {
        parts.push(part);
        return now.config;
      }
      throw new InvalidConfigError(own.length + problems.length > 0 ? [...problems, ...own] : now.diagnostics);
    },
    check() {
      given = withConfigMaps(documents, configMaps);
      const found = resolve({ documents: sourcesOf(place, given, parts), diagnostics: [] });
      const all = denyWarnings(found.diagnostics, config.cluster.spec.denyWarnings);
      return { ...(found.config && !all.some(isError) && { config: found.config }), diagnostics: all };
    },
  };
}

/** The diagnostics that are not at the place of one of these others. */
export function elsewhereThan(
  others: readonly Diagnostic[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.filter((one) => !others.some((two) => isAtSamePlace(one, two)));
}

function isAtSamePlace(a: Diagnostic, b: Diagnostic): boolean {
  return a.location?.file === b.location?.file && a.path?.join('.') === b.path?.join('.');
}

function sourcesOf(
  place: string,
  given: readonly SourceDocument[],
  parts: readonly DocumentPart[],
): readonly SourceDocument[] {
  const policy = clusterPolicy(place, given, parts);
  const others = parts.flatMap((part) => (part.kind === 'add-on' || isOfClusterPolicy(part) ? [] : [sourceOf(part)]));
  const documents = withAddOns(given, parts).filter((document) => !policy || !isClusterPolicy(document));
  return [...documents, ...(policy ? [policy] : []), ...others];
}

/**
 * The documents on which a part depends before the chart is validated: its own, those that a cluster has once, and
 * ConfigMaps; also one of the same kind and name, which is an error. Their number does not grow with that of the parts.
 */
function sourcesAround(
  part: DocumentPart,
  place: string,
  given: readonly SourceDocument[],
  parts: readonly DocumentPart[],
): readonly SourceDocument[] {
  const isSame = (kind: unknown, name: unknown) => 'name' in part && part.documentKind === kind && part.name === name;
  const around = parts.filter(
    (one) => !('name' in one) || isOfClusterPolicy(one) || isSame(one.documentKind, one.name),
  );
  const documents = given.filter(
    ({ value }) =>
      isObject(value) &&
      (SHARED_KINDS.includes(value['kind']) || isSame(value['kind'], valueAt(value, ['metadata', 'name']))),
  );
  return sourcesOf(place, documents, [...around, part]);
}

const SHARED_KINDS: readonly unknown[] = ['Cluster', 'NicClusterPolicy', 'ConfigMap'];

/** The documents, with sections in the Cluster for add-on constructs. */
function withAddOns(given: readonly SourceDocument[], parts: readonly DocumentPart[]): readonly SourceDocument[] {
  const sections = parts.filter((part) => part.kind === 'add-on').map((part) => ({ ...part, path: pathOf(part) }));
  return given.map((document) => (isOfKind('Cluster', document) ? withSections(document, sections) : document));
}

/** The documents, with the program's ConfigMaps in `existingConfigMaps` of the Cluster. */
function withConfigMaps(
  documents: readonly SourceDocument[],
  configMaps: (namespace: string) => readonly OwnConfigMap[],
): readonly SourceDocument[] {
  return documents.map((document) => {
    const { value, locate, file } = document;
    if (!isOfKind('Cluster', document)) return document;
    const namespace = valueAt(value, ['spec', 'namespace']);
    const own = configMaps(typeof namespace === 'string' ? namespace : DEFAULT_NAMESPACE).filter(
      ({ keys }) => keys.length > 0,
    );
    if (own.length === 0) return document;
    const path = ['spec', 'existingConfigMaps'];
    const before = valueAt(value, path);
    return {
      file,
      locate,
      value: setAt(value, path, [...(Array.isArray(before) ? (before as unknown[]) : []), ...own]),
    };
  });
}

function sourceOf({ documentKind: kind, name, values, construct }: NetworkPart | PolicyPart): SourceDocument {
  return sourceAt(construct.node.path, {
    apiVersion: NETWORK_OPERATOR_API_VERSION,
    kind,
    metadata: { name },
    spec: values,
  });
}

function isOfClusterPolicy(part: DocumentPart): part is SectionPart | PolicyPart {
  return part.kind === 'section' || (part.kind === 'policy' && part.documentKind === 'NicClusterPolicy');
}

function isOfKind(kind: string, { value }: SourceDocument): boolean {
  return isObject(value) && value['kind'] === kind;
}

const isClusterPolicy = (document: SourceDocument): boolean => isOfKind('NicClusterPolicy', document);

/** The NicClusterPolicy from the given document, its construct and its sections; `undefined` if it has no part. */
function clusterPolicy(
  place: string,
  given: readonly SourceDocument[],
  parts: readonly DocumentPart[],
): SourceDocument | undefined {
  const sections = parts.filter((part) => part.kind === 'section');
  const whole = parts.find((part) => part.kind === 'policy' && part.documentKind === 'NicClusterPolicy');
  if (!whole && sections.length === 0) return undefined;
  const base = given.find(isClusterPolicy);
  const file = whole?.construct.node.path ?? base?.locate([]).file ?? place;
  const empty = {
    apiVersion: NETWORK_OPERATOR_API_VERSION,
    kind: 'NicClusterPolicy',
    metadata: { name: CLUSTER_POLICY_NAME },
  };
  const spec = whole?.values ?? valueAt(base?.value, ['spec']);
  const document = sourceAt(file, { ...(isObject(base?.value) ? base.value : empty), spec });
  return withSections(
    document,
    sections.map((part) => ({ ...part, path: pathOf(part) })),
  );
}

/** A duplicate part: the cluster already has the policy, or the section. */
function conflicts(
  part: DocumentPart,
  given: readonly SourceDocument[],
  parts: readonly DocumentPart[],
): readonly Diagnostic[] {
  if (part.kind === 'add-on') {
    const path = pathOf(part);
    const isThere = withAddOns(given, parts).some(
      (document) => isOfKind('Cluster', document) && valueAt(document.value, ['spec', ...path]) !== undefined,
    );
    return isThere ? [conflict(part.construct, path)] : [];
  }
  if (!isOfClusterPolicy(part)) return [];
  const before = clusterPolicy('', given, parts) ?? given.find(isClusterPolicy);
  if (part.kind === 'section') {
    const path = pathOf(part);
    return valueAt(before?.value, ['spec', ...path]) === undefined ? [] : [conflict(part.construct, path)];
  }
  const isThere = given.some(isClusterPolicy) || parts.some((one) => one.kind === 'policy' && isOfClusterPolicy(one));
  if (isThere) return [conflict(part.construct, [])];
  const sections = parts.filter((one) => one.kind === 'section').map(pathOf);
  return sections
    .filter((path) => valueAt(part.values, path) !== undefined)
    .map((path) => conflict(part.construct, path));
}

function conflict({ node }: Construct, section: readonly string[]): Diagnostic {
  const what = section.length === 0 ? 'a NicClusterPolicy' : `a section \`${section.join('.')}\``;
  return diagnostic('WEFT0520', {
    message: `the cluster has ${what} already`,
    location: { file: node.path },
    path: ['spec', ...section],
    help: 'a cluster has one NicClusterPolicy, and each section once: give each in one place',
  });
}
