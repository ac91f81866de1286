import { readFileSync, writeFileSync } from 'node:fs';
import type { KubernetesSchemas, ObjectSchema } from '../test/generate/object-schemas.js';

/**
 * `npx tsx scripts/gen-kubernetes-types.ts` writes `src/kubernetes/field-types.json`: the fields of Kubernetes' own kinds, so
 * short that the command can carry them. They are those of `test/generate/kubernetes.json`, which
 * `scripts/gen-kubernetes-schemas.ts` writes. `src/kubernetes/field-types.ts` reads them.
 */
const SOURCE = 'test/generate/kubernetes.json';
const TARGET = 'src/kubernetes/field-types.json';

const SCALARS: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  'number-or-string': 'amount',
  string: 'string',
};

/** The file's text. */
export function kubernetesTypes({ source, kinds, otherKinds, definitions }: KubernetesSchemas): string {
  const names = Object.keys(definitions);
  const lastOf = (name: string) => name.split('.').at(-1) ?? '';
  const isUnique = (name: string) => names.filter((other) => lastOf(other) === lastOf(name)).length === 1;
  const shortOf = (name: string) => (isUnique(name) ? lastOf(name) : name);
  const typeOf = (schema: ObjectSchema): string => {
    const { $ref, oneOf, type = '', items = {}, additionalProperties } = schema;
    if ($ref !== undefined) {
      const target = definitions[$ref] ?? {};
      return target.properties ? `${isReplaced(schema) ? '!' : ''}${shortOf($ref)}` : typeOf(target);
    }
    // Ports and the like: a number or a name.
    if (oneOf) return 'amount';
    if (type === 'array') return `[${mergeMark(schema)}]${typeOf(items)}`;
    if (type === 'object')
      return `{}${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'any'}`;
    return SCALARS[type] ?? 'any';
  };
  const fieldsOf = ({ properties = {} }: ObjectSchema) =>
    Object.entries(properties)
      .map(([key, schema]) => `${key}:${typeOf(schema)}`)
      .join(' ');
  const types = names.filter((name) => definitions[name]?.properties);
  const { version, project } = source;
  return `{\n"source":${JSON.stringify({ project, version })},\n"kinds":{\n${lines(
    Object.entries(kinds).map(([kind, name]) => [kind, shortOf(name)]),
  )}\n},\n"others":{\n${lines(othersByVersion(otherKinds))}\n},\n"types":{\n${lines(types.map((name) => [shortOf(name), fieldsOf(definitions[name] ?? {})]))}\n}\n}\n`;
}

/** Kinds without a type, with spaces between, by the version of their API. */
function othersByVersion(kinds: readonly string[]): readonly (readonly [string, string])[] {
  const versions = [...new Set(kinds.map((name) => name.split(' ')[0] ?? ''))];
  const kindsOf = (version: string) =>
    kinds.flatMap((name) => (name.startsWith(`${version} `) ? [name.slice(version.length + 1)] : []));
  return versions.map((version) => [version, kindsOf(version).join(' ')]);
}

const strategiesOf = (schema: ObjectSchema) => (schema['x-kubernetes-patch-strategy'] ?? '').split(',');

/** Whether a patch replaces a mapping as a whole. What `retainKeys` means is a matter of who computes patches. */
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

function lines(entries: readonly (readonly [string, string])[]): string {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',\n');
}

// Do not write when a test imports this file for `kubernetesTypes`.
if (/[\\/]gen-kubernetes-types\.ts$/.test(process.argv[1] ?? '')) {
  writeFileSync(TARGET, kubernetesTypes(JSON.parse(readFileSync(SOURCE, 'utf8')) as KubernetesSchemas));
}
