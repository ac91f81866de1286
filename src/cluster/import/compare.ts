import { allAddOns } from '../../compile/addons/all.js';
import { documentKinds } from '../../compile/config/kinds/kinds.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import { canonicalJson, isObject, listAt, valueAt } from '../../shared/lib/json.js';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';
import { fieldChanges, type FieldChange } from '../changes/fields.js';
import { importCustomResources } from './custom-resources.js';
import { withoutDefaults } from './defaults.js';
import { namedObject, type NamedObject } from '../../shared/kubernetes/listed-object.js';
import type { ImportedCluster } from './import.js';
import type { ImportedDocument } from './source.js';

/** A document of the folder that is not as the cluster is. */
interface ChangedDocument {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
  /** From the folder to the cluster. */
  readonly changes: readonly FieldChange[];
}

/** An import beside the documents that a folder has already. */
export interface ComparedImport {
  /** Documents that the folder does not have. */
  readonly fresh: readonly ImportedDocument[];
  readonly changed: readonly ChangedDocument[];
  /** Documents of the folder that an import would write, and the cluster does not have. */
  readonly gone: readonly Omit<ChangedDocument, 'changes'>[];
}

/**
 * Compares an import with a folder. What a person chooses there is no difference: names of pools, and settings that a cluster does
 * not have.
 */
export function compareWith(
  { documents, namespace }: Pick<ImportedCluster, 'documents' | 'namespace'>,
  folder: readonly SourceDocument[],
): ComparedImport {
  const known = new Map<string, { readonly file: string; readonly object: NamedObject }>();
  for (const { value, file } of folder) {
    const object = namedObject(value);
    if (object) known.set(keyOf(object), { file, object });
  }
  const fresh: ImportedDocument[] = [];
  const changed: ChangedDocument[] = [];
  const found = new Set<string>();
  for (const document of documents) {
    const key = keyOf({ ...document, metadata: document });
    const before = known.get(key);
    if (before === undefined) {
      fresh.push(document);
      continue;
    }
    found.add(key);
    const { file, object } = before;
    const changes = changesOf(object, document, namespace);
    if (changes.length > 0) changed.push({ file, kind: document.kind, name: object.metadata.name, changes });
  }
  const gone = [...known].flatMap(([key, { file, object }]) =>
    found.has(key) || importCustomResources([object], namespace).documents.length === 0
      ? []
      : [{ file, kind: object.kind, name: object.metadata.name }],
  );
  return { fresh, changed, gone };
}

/** There is one Cluster, whatever its name. */
function keyOf(object: Pick<NamedObject, 'apiVersion' | 'kind' | 'metadata'>): string {
  return isCluster(object) ? 'Cluster' : identityOf(object);
}

function isCluster({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>): boolean {
  return documentKinds.some((one) => one.role === 'cluster' && one.kind === kind && one.apiVersion === apiVersion);
}

function changesOf(before: NamedObject, now: ImportedDocument, namespace: string): readonly FieldChange[] {
  const [from, to] = isCluster(before) ? clusterFacts(before, now) : [importedValue(before, namespace), now.value];
  return fieldChanges(from, to).filter(({ kind }) => kind === 'changed' || kind === 'added' || kind === 'removed');
}

/** A document of the folder as an import would write it. */
function importedValue(object: NamedObject, namespace: string): unknown {
  return importCustomResources([object], namespace).documents[0]?.value ?? object;
}

/** Fields of a Cluster that a cluster tells, beside the sections of add-ons. */
const FACTS = ['platform', 'namespace', 'kubernetesVersion', 'nodePools', 'cni', 'existingConfigMaps', 'openshift'];
const ADD_ONS = allAddOns.map(({ source }) => source.path[0]);

/** What a cluster tells, of the document in the folder and of the imported one. */
function clusterFacts(before: NamedObject, { value }: ImportedDocument): readonly [unknown, unknown] {
  const schema = documentKinds.find(({ role }) => role === 'cluster')?.schema;
  const given = valueAt(schema ? withoutDefaults(schema, before) : before, ['spec']);
  const now = valueAt(value, ['spec']);
  // An add-on that the import does not know may be there by a person's choice.
  const keys = [...FACTS, ...ADD_ONS.filter((key) => valueAt(now, [key]) !== undefined)];
  const of = (spec: unknown) => ({
    spec: {
      ...Object.fromEntries(
        keys.flatMap((key) => (isObject(spec) && Object.hasOwn(spec, key) ? [[key, byName(spec[key])]] : [])),
      ),
      ...initContainer(spec, now),
    },
  });
  return [of(given), of(withPoolNames(now, valueAt(given, ['nodePools'])))];
}

/** A list whose members have names as a mapping, so that a difference says the name. */
function byName(list: unknown): unknown {
  if (!Array.isArray(list) || !list.every((one) => isObject(one) && typeof one['name'] === 'string')) return list;
  return Object.fromEntries(list.map((one: Readonly<Record<string, unknown>>) => [one['name'], withoutName(one)]));
}

/** Left out where the release of the folder fills it. */
function initContainer(spec: unknown, now: unknown): object {
  const path = ['driver', 'initContainerImage'];
  return valueAt(now, path) === undefined ? {} : { initContainerImage: valueAt(spec, path) };
}

/** Pools of the same nodes have the same name: that of the folder. */
function withPoolNames(spec: unknown, pools: unknown): unknown {
  const named = listAt(pools).filter(isObject);
  const found = valueAt(spec, ['nodePools']);
  if (!isObject(spec) || !Array.isArray(found)) return spec;
  const nodePools = found.map((pool: unknown) => {
    const same = named.find((one) => canonicalJson(withoutName(one)) === canonicalJson(withoutName(pool)));
    return same && isObject(pool) ? { ...pool, name: same['name'] } : pool;
  });
  return { ...spec, nodePools };
}

function withoutName(pool: unknown): unknown {
  return isObject(pool) ? Object.fromEntries(Object.entries(pool).filter(([key]) => key !== 'name')) : pool;
}
