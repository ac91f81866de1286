import data from './kubernetes-types.json' with { type: 'json' };

/** What a field holds. `any`: whatever it is; `amount`: a number, or text. */
export type FieldType =
  | { readonly is: 'any' | 'amount' | 'boolean' | 'integer' | 'number' | 'string' }
  | { readonly is: 'list' | 'map'; readonly of: () => FieldType }
  | {
      readonly is: 'mapping';
      readonly fields: () => Readonly<Record<string, FieldType>>;
      /** Whether it may have others, too. */
      readonly isOpen?: boolean;
    };

const { kinds, types, source } = data as {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
  readonly source: { readonly version: string };
};

/** The release of Kubernetes whose types these are. */
export const kubernetesVersion = source.version;

/** Every kind of Kubernetes itself that is known, as `apiVersion kind`; those of its rarer API groups are not. */
export const kubernetesKinds: readonly string[] = Object.keys(kinds);

/** The type of a kind of Kubernetes itself. */
export function kubernetesType(apiVersion: string, kind: string): FieldType | undefined {
  const name = `${apiVersion} ${kind}`;
  return Object.hasOwn(kinds, name) ? parse(kinds[name] ?? '') : undefined;
}

/** The metadata of any object. */
export const objectMetadata: FieldType = parse('ObjectMeta');

/** `[]Container`, `{}string`, `integer`, or the name of a type whose fields are `name:type`, with spaces between. */
function parse(text: string): FieldType {
  if (text.startsWith('[]')) return { is: 'list', of: () => parse(text.slice(2)) };
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
      return { is: 'mapping', fields: () => fieldsOf(text) };
  }
}

function fieldsOf(name: string): Readonly<Record<string, FieldType>> {
  const fields = types[name];
  if (fields === undefined) throw new Error(`src/lib/kubernetes-types.json has no type ${name}`);
  return Object.fromEntries(
    fields.split(' ').map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), parse(field.slice(colon + 1))];
    }),
  );
}
