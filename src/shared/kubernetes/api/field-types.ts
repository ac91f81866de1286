import { memoized, once } from '../../lib/memo.js';
import data from './field-types.json' with { type: 'json' };

/** The type of a field. `any`: every value; `amount`: a number, or text. */
export type FieldType =
  | { readonly is: 'any' | 'amount' | 'boolean' | 'integer' | 'number' | 'string' }
  | { readonly is: 'map'; readonly of: () => FieldType }
  | {
      readonly is: 'list';
      readonly of: () => FieldType;
      /**
       * Set if a strategic merge patch merges the list: by this key of its entries, or without a key as a set of
       * values. Otherwise a patch replaces the list.
       */
      readonly merge?: { readonly key?: string };
    }
  | {
      readonly is: 'mapping';
      /** Its name in Kubernetes; absent for a mapping of a custom resource. */
      readonly name?: string;
      readonly fields: () => Readonly<Record<string, FieldType>>;
      /** Required fields. Default: none. */
      readonly required?: () => readonly string[];
      /** Whether other fields are allowed. */
      readonly isOpen?: boolean;
      /** Whether a strategic merge patch replaces it as a whole. */
      readonly isReplaced?: boolean;
    };

const { kinds, others, custom, types, source } = data as {
  readonly kinds: Readonly<Record<string, string>>;
  /** Kinds without a type, with spaces between, by the version of their API. */
  readonly others: Readonly<Record<string, string>>;
  /** Kinds of the Prometheus Operator. */
  readonly custom: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
  readonly source: { readonly version: string };
};

/** The release of Kubernetes whose types these are. */
export const kubernetesVersion = source.version;

/** Every kind of Kubernetes itself whose fields are known, as `apiVersion kind`: those of stable versions. */
export const kubernetesKinds: readonly string[] = Object.keys(kinds);

/** Every other kind of Kubernetes itself, as `apiVersion kind`. */
export const otherKubernetesKinds = (): readonly string[] =>
  Object.entries(others).flatMap(([version, names]) => names.split(' ').map((name) => `${version} ${name}`));

const parsedKind = memoized(parse);

/** The type of a kind of Kubernetes or of the Prometheus Operator; always the same value for a kind. */
export function kubernetesType(apiVersion: string, kind: string): FieldType | undefined {
  const name = `${apiVersion} ${kind}`;
  const table = Object.hasOwn(kinds, name) ? kinds : custom;
  if (!Object.hasOwn(table, name)) return undefined;
  return parsedKind(table[name] ?? '');
}

/**
 * The type of a part of Kubernetes objects, such as `Container`.
 *
 * @throws Error if Kubernetes has no such type
 */
export function namedType(name: string): FieldType {
  fieldsOf(name);
  return parse(name);
}

/** The metadata of any object. */
export const objectMetadata: FieldType = parse('ObjectMeta');

/** The type of a field, or of an entry of a list; `undefined` where there is no such field. */
export function fieldType(type: FieldType, key: string): FieldType | undefined {
  switch (type.is) {
    case 'mapping': {
      const fields = type.fields();
      return Object.hasOwn(fields, key) ? fields[key] : type.isOpen ? { is: 'any' } : undefined;
    }
    case 'map':
      return type.of();
    case 'list':
      return /^(?:-|\d+)$/.test(key) ? type.of() : undefined;
    case 'any':
      return type;
    case 'amount':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'string':
      return undefined;
  }
}

/**
 * `[]Container`, `{}string`, `integer`, or the name of a type whose fields are `name:type`, with spaces between, and `*name:type`
 * where the type needs the field. A patch merges
 * `[name]Container` by `name`, `[containerPort+protocol]ContainerPort` by the first of the keys and `[=]string` as a set, and
 * replaces `!Selector` as a whole: the patch strategies in Kubernetes' own schemas.
 */
function parse(text: string): FieldType {
  const [, key, entry] = /^\[([^\]]*)\](.*)$/.exec(text) ?? [];
  if (key !== undefined && entry !== undefined) {
    const [first = ''] = key.split('+');
    const merge = first === '' ? {} : { merge: first === '=' ? {} : { key: first } };
    return { is: 'list', of: () => parse(entry), ...merge };
  }
  if (text.startsWith('!')) return { is: 'mapping', ...mappingOf(text.slice(1)), isReplaced: true };
  if (text.startsWith('{}')) return { is: 'map', of: () => parse(text.slice(2)) };
  switch (text) {
    case 'any':
    case 'amount':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'string':
      return { is: text };
    default:
      return { is: 'mapping', ...mappingOf(text) };
  }
}

function mappingOf(name: string) {
  return { name, fields: () => fieldsOf(name).types, required: () => fieldsOf(name).required };
}

export type ListKeys = readonly [string, ...string[]];

/**
 * The sets of keys that tell the entries of a list apart, by the name of the field in any kind of Kubernetes: `ports` are
 * those of a container or of a Service (`x-kubernetes-patch-merge-key` and `x-kubernetes-list-map-keys`).
 */
export function listKeys(field: string): readonly ListKeys[] {
  return keysOfLists().get(field) ?? [];
}

/** The keys of lists that are merged, by the name of the field; the first key of each set is the merge key of a patch. */
const keysOfLists = once((): ReadonlyMap<string, readonly ListKeys[]> => {
  const found = new Map<string, Set<string>>();
  for (const text of Object.values(types).flatMap((fields) => fields.split(' '))) {
    const [, field, keys] = /^\*?([^:]+):\[([^=\]]+)\]/.exec(text) ?? [];
    if (field === undefined || keys === undefined) continue;
    found.set(field, (found.get(field) ?? new Set()).add(keys));
  }
  const setsOf = (texts: ReadonlySet<string>) =>
    [...texts].sort().map((text): ListKeys => text.split('+') as [string, ...string[]]);
  return new Map([...found].map(([field, texts]) => [field, setsOf(texts)]));
});

interface Fields {
  readonly types: Readonly<Record<string, FieldType>>;
  readonly required: readonly string[];
}

const fieldsOf = memoized((name: string): Fields => {
  const text = types[name];
  if (text === undefined) throw new Error(`src/shared/kubernetes/api/field-types.json has no type ${name}`);
  const fields = text.split(' ').map((field) => {
    const isRequired = field.startsWith('*');
    const colon = field.indexOf(':');
    return { key: field.slice(isRequired ? 1 : 0, colon), type: parse(field.slice(colon + 1)), isRequired };
  });
  return {
    types: Object.fromEntries(fields.map(({ key, type }) => [key, type])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ key }) => key),
  };
});
