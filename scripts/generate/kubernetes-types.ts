import { readFileSync, writeFileSync } from 'node:fs';
import type { KubernetesSchemas, ObjectSchema } from '../../test/generate/object-schemas.js';

/**
 * `npx tsx scripts/generate/kubernetes-types.ts` writes `src/shared/kubernetes/api/field-types.json`: the fields of Kubernetes' own kinds and
 * of some of the Prometheus Operator, so short that the command can carry them. They are those of `test/generate/kubernetes.json`, which
 * `scripts/generate/kubernetes-schemas.ts` writes. `src/shared/kubernetes/api/field-types.ts` reads them.
 */
const SOURCE = 'test/generate/kubernetes.json';
const TARGET = 'src/shared/kubernetes/api/field-types.json';

const SCALARS: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  'number-or-string': 'amount',
  string: 'string',
};

/**
 * Fields that the schemas require, but the API server does not: it reads an object without them as one with the zero
 * value, and accepts that. `test/cluster/required-fields.test.ts` shows it.
 */
const NOT_MISSED: Readonly<Record<string, readonly string[]>> = {
  CSIDriver: ['spec'],
  CSINode: ['spec'],
  CSINodeSpec: ['drivers'],
  ControllerRevision: ['revision'],
  CustomResourceDefinitionVersion: ['served', 'storage'],
  DeviceClass: ['spec'],
  ForNode: ['name'],
  ForZone: ['name'],
  HTTPHeader: ['value'],
  LimitRangeSpec: ['limits'],
  PodFailurePolicy: ['rules'],
  PreferredSchedulingTerm: ['preference'],
  ResourceClaimTemplate: ['spec'],
  ResourceClaimTemplateSpec: ['spec'],
  SleepAction: ['seconds'],
  Sysctl: ['value'],
  TypedLocalObjectReference: ['kind'],
  'io.k8s.api.resource.v1.ResourceClaim': ['spec'],
  'io.k8s.api.storage.v1.TokenRequest': ['audience'],
};

/** The file's text. */
export function kubernetesTypes(schemas: KubernetesSchemas): string {
  const { source, kinds, otherKinds, definitions, custom } = schemas;
  const texts = new TypeTexts(definitions);
  const kindRows = Object.entries(kinds).map(([kind, name]): Row => [kind, texts.nameOf(name)]);
  const customRows = Object.entries(custom.kinds).map(([kind, schema]): Row => [kind, texts.customKind(kind, schema)]);
  const { version, project } = source;
  const customSource = { project: custom.source.project, version: custom.source.version };
  return `{\n"source":${JSON.stringify({ project, version })},\n"kinds":{\n${lines(kindRows)}\n},\n"others":{\n${lines(
    othersByVersion(otherKinds),
  )}\n},\n"customSource":${JSON.stringify(customSource)},\n"custom":{\n${lines(customRows)}\n},\n"types":{\n${lines([
    ...texts.rows,
  ])}\n}\n}\n`;
}

function withoutNotMissed(name: string, definition: ObjectSchema): ObjectSchema {
  const notMissed = NOT_MISSED[name] ?? [];
  return { ...definition, required: (definition.required ?? []).filter((key) => !notMissed.includes(key)) };
}

type Row = readonly [name: string, text: string];

/** The text of each type, by the name that the file has for it. */
class TypeTexts {
  readonly rows = new Map<string, string>();
  /** Names of types by their fields in any order: a type of a custom resource that Kubernetes has too is in the file once. */
  private readonly names = new Map<string, string>();

  constructor(private readonly definitions: KubernetesSchemas['definitions']) {
    for (const [name, definition] of Object.entries(definitions)) {
      if (definition.properties)
        this.add(this.nameOf(name), this.fieldsOf(withoutNotMissed(this.nameOf(name), definition)));
    }
  }

  /** The last word of a definition's name where that is its own. */
  nameOf(definition: string): string {
    const lastOf = (name: string) => name.split('.').at(-1) ?? '';
    const isUnique = Object.keys(this.definitions).filter((other) => lastOf(other) === lastOf(definition)).length === 1;
    return isUnique ? lastOf(definition) : definition;
  }

  /** The name of the type of a kind whose schema has all of its types in place. */
  customKind(kind: string, schema: ObjectSchema): string {
    const metadata = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
    const own = Object.entries(schema.properties ?? {}).filter(([key]) => key !== 'status');
    const properties = { ...Object.fromEntries(own), metadata };
    const name = kind.split(' ')[1] ?? kind;
    return this.add(name, this.fieldsOf({ ...schema, properties }, name));
  }

  private add(name: string, fields: readonly string[]): string {
    if (this.rows.has(name)) throw new Error(`there are two types of the name ${name}`);
    const sorted = [...fields].sort().join(' ');
    this.rows.set(name, fields.join(' '));
    this.names.set(sorted, this.names.get(sorted) ?? name);
    return name;
  }

  /** @param path what the names of types begin with that have none of their own */
  private fieldsOf({ properties = {}, required = [] }: ObjectSchema, path = ''): readonly string[] {
    return Object.entries(properties).map(([key, schema]) => {
      const inner = `${path}${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;
      return `${required.includes(key) ? '*' : ''}${key}:${this.typeOf(schema, inner)}`;
    });
  }

  private typeOf(schema: ObjectSchema, path: string): string {
    const { $ref, oneOf, type = '', items = {}, properties, additionalProperties } = schema;
    if ($ref !== undefined) {
      const target = this.definitions[$ref] ?? {};
      return target.properties ? `${isReplaced(schema) ? '!' : ''}${this.nameOf($ref)}` : this.typeOf(target, path);
    }
    // Ports and the like: a number or a name.
    if (oneOf) return 'amount';
    if (type === 'array') return `[${mergeMark(schema)}]${this.typeOf(items, path)}`;
    if (properties) return this.inPlace(schema, path);
    if (type === 'object')
      return `{}${typeof additionalProperties === 'object' ? this.typeOf(additionalProperties, path) : 'any'}`;
    return SCALARS[type] ?? 'any';
  }

  private inPlace(schema: ObjectSchema, path: string): string {
    const fields = this.fieldsOf(schema, path);
    return this.names.get([...fields].sort().join(' ')) ?? this.add(path, fields);
  }
}

/** Kinds without a type, with spaces between, by the version of their API. */
function othersByVersion(kinds: readonly string[]): readonly Row[] {
  const versions = [...new Set(kinds.map((name) => name.split(' ')[0] ?? ''))];
  const kindsOf = (version: string) =>
    kinds.flatMap((name) => (name.startsWith(`${version} `) ? [name.slice(version.length + 1)] : []));
  return versions.map((version) => [version, kindsOf(version).join(' ')]);
}

const strategiesOf = (schema: ObjectSchema) => (schema['x-kubernetes-patch-strategy'] ?? '').split(',');

/** Whether a patch replaces a mapping as a whole. `retainKeys` matters only to programs that compute patches. */
const isReplaced = (schema: ObjectSchema) => strategiesOf(schema).includes('replace');

/**
 * Nothing where a patch replaces a list as a whole; else the key by which it merges the list, or `=` where there is none. More
 * keys by which server-side apply tells the entries apart follow, with `+` between them.
 */
function mergeMark(schema: ObjectSchema): string {
  if (!strategiesOf(schema).includes('merge')) return '';
  const key = schema['x-kubernetes-patch-merge-key'] ?? '=';
  const others = (schema['x-kubernetes-list-map-keys'] ?? []).filter((other) => other !== key);
  return [key, ...others].join('+');
}

function lines(entries: readonly Row[]): string {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',\n');
}

// Do not write when a test imports this file for `kubernetesTypes`.
if (/[\\/]generate[\\/]kubernetes-types\.ts$/.test(process.argv[1] ?? '')) {
  writeFileSync(TARGET, kubernetesTypes(JSON.parse(readFileSync(SOURCE, 'utf8')) as KubernetesSchemas));
}
