/** A part of a JSON schema: of a CRD, or of one of our kinds. */
export interface Schema {
  readonly [key: string]: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
}

/** The properties of one field in a schema. */
export interface Facts {
  /** `string`, `integer`, `int-or-string`, `object`, `map`, `array`, …; several of ours are joined with `|`. */
  readonly type: string;
  readonly required?: string;
  readonly [keyword: string]: unknown;
}

const KEYWORDS = ['enum', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'default'];

/** Bounds of safe integers in JavaScript; zod writes them everywhere. */
const SAFE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** Some patterns have backslashes without a meaning inside a character class, others do not. */
function plainPattern(pattern: string): string {
  return pattern.replace(/\[[^\]]*\]/g, (characters) => characters.replace(/\\(?=[./-])/g, ''));
}

function typeOf(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  const options = schema.anyOf ?? schema.oneOf;
  if (options)
    return [...new Set(options.flatMap((one) => typeOf(one).replace('map', 'object').split('|')))].sort().join('|');
  if (schema.type === 'object' && !schema.properties && typeof schema.additionalProperties === 'object') return 'map';
  if (schema.type !== undefined) return [schema.type].flat().sort().join('|');
  return schema['enum'] === undefined ? 'any' : 'string';
}

function factsOf(schema: Schema, isRequired: boolean): Facts {
  const keywords = KEYWORDS.flatMap((key): [string, unknown][] => {
    const value = schema[key];
    if (value === undefined || SAFE.includes(value as number)) return [];
    return [[key, typeof value === 'string' && key === 'pattern' ? plainPattern(value) : value]];
  });
  return { type: typeOf(schema), ...(isRequired && { required: 'yes' }), ...Object.fromEntries(keywords) };
}

/** The facts of every field, by path: `spec.env[].name`, `spec.nodeSelector{}`. */
export function fieldsOf(schema: Schema, path = 'spec', isRequired = false): ReadonlyMap<string, Facts> {
  const fields = new Map<string, Facts>([[path, factsOf(schema, isRequired)]]);
  const add = (inner: Schema, name: string, required = false) => {
    for (const [key, facts] of fieldsOf(inner, name, required)) fields.set(key, facts);
  };
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    add(inner, `${path}.${key}`, schema.required?.includes(key));
  }
  if (schema.items) add(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object') add(schema.additionalProperties, `${path}{}`);
  return fields;
}

/** The differences of two fields, as `keyword: CRD -> ours`. */
export function differences(crd: Facts | undefined, ours: Facts | undefined): readonly string[] {
  if (!crd || !ours) return [crd ? 'missing here' : 'not in the CRD'];
  const keys = [...new Set([...Object.keys(crd), ...Object.keys(ours)])].sort();
  const text = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));
  return keys
    .filter((key) => text(crd[key]) !== text(ours[key]))
    .map((key) => `${key}: ${text(crd[key])} -> ${text(ours[key])}`);
}
