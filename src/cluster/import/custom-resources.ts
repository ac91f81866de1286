import { allComponents } from '../../compile/components/all.js';
import { documentKinds } from '../../compile/config/kinds/kinds.js';
import { CLUSTER_POLICY_NAME } from '../../compile/config/kinds/policies.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { compareText, isObject } from '../../shared/lib/json.js';
import { listedNames } from '../../shared/lib/listed.js';
import { crdKinds, type CrdKind } from '../../compile/passthrough/kinds.js';
import { HELM_SECRET_TYPE } from './helm-release.js';
import { withoutCrdDefaults, withoutDefaults } from './defaults.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { isIn, type Imported, type ImportedDocument } from './source.js';

/** Names that a line of the report names; the others are counted. */
const SHOWN = 5;

/** Kinds that are read for what they tell, and do not become documents. */
const FACTS: ReadonlySet<string> = new Set([
  '/ConfigMap',
  '/Namespace',
  '/Node',
  '/Secret',
  'apps/DaemonSet',
  'apps/Deployment',
  'config.openshift.io/Proxy',
  'coordination.k8s.io/Lease',
  'image.openshift.io/ImageStream',
]);

/** Kinds of the table of custom resources that people write, and that an import leaves where they are. */
const LEFT: Readonly<Record<string, string>> = {
  'k8s.cni.cncf.io/NetworkAttachmentDefinition': 'no network of the operator owns it: it stays as it is',
  'maintenance.nvidia.com/NodeMaintenance': 'it asks for one maintenance of one node',
  'nfd.k8s-sigs.io/NodeFeatureGroup': 'Node Feature Discovery reads it whoever applies it: it stays as it is',
  'nfd.k8s-sigs.io/NodeFeatureRule': 'Node Feature Discovery reads it whoever applies it: it stays as it is',
  'nfd.openshift.io/NodeFeatureRule': 'Node Feature Discovery reads it whoever applies it: it stays as it is',
};

const ELSEWHERE =
  'it is in another namespace than the operator; where its controller reads it there, write it into the folder by hand';

const SECRET_STAYS =
  'documents go to git and hold no text of a Secret; it stays in the cluster, and documents refer to it by its name';

/** The rule of the operator's chart, which Weft renders. */
const RENDERED_RULE = 'nvidia-nics-rules';

/** Labels and annotations of whatever applied an object, by their prefixes or names. */
const OF_APPLIERS = [
  /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
  /^(?:meta\.)?helm\.sh\//,
  /^app\.kubernetes\.io\/(?:instance|managed-by|part-of|version)$/,
  /^argocd\.argoproj\.io\//,
  /^(?:kustomize|helm)\.toolkit\.fluxcd\.io\//,
  /^ol(?:m|m\.operatorframework\.io)[./]/,
  /^operators\.coreos\.com\//,
  /^nvidia\.network-operator\.revision$/,
];

/** What becomes of one object: a document, nothing, or nothing for a reason that the report names. */
type Fate = { readonly document: ImportedDocument } | { readonly reason: string } | 'silent';

const keyOf = ({ apiVersion, kind }: NamedObject) => `${apiGroup(apiVersion)}/${kind}`;

/**
 * The documents of policies, networks and other custom resources, and which objects are left out.
 *
 * @param namespace of the operator: a tenant may have as many objects as he likes in another one
 */
export function importCustomResources(objects: readonly NamedObject[], namespace: string): Imported {
  const documents: ImportedDocument[] = [];
  const left = new Map<string, { readonly kind: string; readonly reason: string; readonly names: string[] }>();
  for (const object of objects) {
    const fate = fateOf(object, namespace);
    if (fate === 'silent') continue;
    if ('document' in fate) {
      documents.push(fate.document);
      continue;
    }
    const key = JSON.stringify([object.kind, fate.reason]);
    const known = left.get(key) ?? { kind: object.kind, reason: fate.reason, names: [] };
    const { metadata } = object;
    known.names.push(metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`);
    left.set(key, known);
  }
  return { documents: documents.sort(inOrder), findings: [...left.values()].map(leftOut) };
}

function leftOut({ kind, names, reason }: { kind: string; names: readonly string[]; reason: string }): Diagnostic {
  const message = `${kind} ${listedNames(names, SHOWN)} ${names.length === 1 ? 'is' : 'are'} not carried over: ${reason}`;
  return diagnostic('WEFT0560', { message });
}

function fateOf(object: NamedObject, namespace: string): Fate {
  const { kind, metadata } = object;
  const key = keyOf(object);
  if (key === '/Secret' && object['type'] !== HELM_SECRET_TYPE) return { reason: SECRET_STAYS };
  if (FACTS.has(key)) return 'silent';
  const own = documentKinds.find((one) => one.kind === kind && one.apiVersion === object.apiVersion);
  const custom = crdKinds.find((one) => one.apiVersion === object.apiVersion && one.kind === kind);
  if (custom?.writtenBy === 'programs') return 'silent';
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner !== undefined) return custom ? 'silent' : { reason: `the ${owner.kind} \`${owner.name}\` owns it` };
  if (metadata.deletionTimestamp !== undefined) return { reason: 'it is being deleted' };
  if (own) return ofOwnKind(object, own);
  if (custom === undefined) return { reason: 'an import reads no objects of this kind' };
  if (metadata.name === RENDERED_RULE) return 'silent';
  if (Object.hasOwn(LEFT, key)) return { reason: LEFT[key] ?? '' };
  return isIn(metadata.namespace, namespace) ? { document: passedOn(object, custom) } : { reason: ELSEWHERE };
}

function ofOwnKind(object: NamedObject, { role, schema }: (typeof documentKinds)[number]): Fate {
  const { apiVersion, kind, metadata } = object;
  const { name } = metadata;
  if (role !== 'policy' && role !== 'network') return { reason: 'it is a document of Weft already' };
  if (kind === 'NicClusterPolicy' && name !== CLUSTER_POLICY_NAME) {
    return { reason: `the operator ignores every NicClusterPolicy but \`${CLUSTER_POLICY_NAME}\`` };
  }
  // Labels and annotations of policies and networks have no effect, in the operator as here.
  const given = { apiVersion, kind, metadata: { name }, ...(object['spec'] !== undefined && { spec: object['spec'] }) };
  const value = withoutDefaults(schema, given) as ImportedDocument['value'];
  const ordered = role === 'policy' ? { ...value, spec: inOrderOfUse(value['spec']) } : value;
  return { document: { apiVersion, kind, name, value: ordered, comments: [] } };
}

/** The sections of a policy as people write them: the driver, what offers devices, and the others. Settings stay where they are. */
function inOrderOfUse(spec: unknown): unknown {
  if (!isObject(spec)) return spec;
  const rank = (key: string) => {
    const components = allComponents.filter(({ source }) => source.path[0] === key);
    if (components.some(({ providesDriver }) => providesDriver)) return 0;
    return components.some(({ offers }) => offers !== undefined) ? 1 : 2;
  };
  const keys = Object.keys(spec);
  const isSection = (key: string) => allComponents.some(({ source }) => source.path[0] === key);
  const sections = keys.filter(isSection).sort((a, b) => rank(a) - rank(b));
  return Object.fromEntries(
    keys.map((key) => (isSection(key) ? (sections.shift() ?? key) : key)).map((key) => [key, spec[key]]),
  );
}

function passedOn(object: NamedObject, { schema }: CrdKind): ImportedDocument {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  const given = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'metadata', 'status'].includes(key));
  const kept = withoutCrdDefaults(schema, Object.fromEntries(given)) as Readonly<Record<string, unknown>>;
  const value = {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...ofPeople('labels', metadata),
      ...ofPeople('annotations', metadata),
    },
    ...kept,
  };
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }), value, comments: [] };
}

/** What people write of labels or annotations, as a part of the metadata; nothing if none is left. */
function ofPeople(field: 'labels' | 'annotations', metadata: NamedObject['metadata']): object {
  const kept = Object.entries(metadata[field] ?? {}).filter(
    ([key]) => !OF_APPLIERS.some((pattern) => pattern.test(key)),
  );
  return kept.length === 0 ? {} : { [field]: Object.fromEntries(kept) };
}

/** Policies first, then networks, then the others, each by kind, namespace and name. */
function inOrder(a: ImportedDocument, b: ImportedDocument): number {
  const rank = ({ kind, apiVersion }: ImportedDocument) => {
    const index = documentKinds.findIndex((one) => one.kind === kind && one.apiVersion === apiVersion);
    return index < 0 ? documentKinds.length : index;
  };
  const text = ({ kind, namespace = '', name }: ImportedDocument) => [kind, namespace, name].join('\n');
  return rank(a) - rank(b) || compareText(text(a), text(b));
}
