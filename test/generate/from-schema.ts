import fc from 'fast-check';
import * as z from 'zod';
import { SAMPLES, text } from './texts.js';

/** Values for constraints of a field that a schema cannot express, by its key, at any depth. */
export type Overrides = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Stands for a key that is left out. */
const ABSENT = Symbol('absent');

/** How often an optional key is present; in a mapping with many of them, only a few are. */
const share = (count: number): number => Math.min(0.6, 6 / count);

/**
 * Values that a schema accepts, generated from the schema: types, choices, patterns, limits, and optional keys. Texts that code checks
 * are those of the samples that pass; other values that code checks are generated until one passes.
 *
 * @throws Error where the schema has a type that is not known here, or a check that no sample passes
 */
export function valuesOf(schema: z.ZodType, overrides: Overrides = {}): fc.Arbitrary<unknown> {
  const known = new Map<z.ZodType, fc.Arbitrary<unknown>>();
  const of = (one: z.ZodType): fc.Arbitrary<unknown> => {
    const raw = () => rawValues(one, of, overrides);
    const values = known.get(one) ?? (checksOf(one).length === 0 ? raw() : passing(one, raw()));
    known.set(one, values);
    return values;
  };
  return of(schema);
}

const scalar = fc.oneof(text, fc.boolean(), fc.nat());

type Of = (schema: z.ZodType) => fc.Arbitrary<unknown>;

function rawValues(schema: z.ZodType, of: Of, overrides: Overrides): fc.Arbitrary<unknown> {
  if (isWrapper(schema)) return of(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return of(schema.in as z.ZodType);
  if (schema instanceof z.ZodObject) return mappings(schema, of, overrides);
  if (schema instanceof z.ZodArray) return fc.array(of(schema.element as z.ZodType), { maxLength: 3 });
  if (schema instanceof z.ZodRecord) return maps(schema, of);
  if (schema instanceof z.ZodUnion) return fc.oneof(...alternatives(schema, of));
  if (schema instanceof z.ZodString) return texts(schema);
  if (schema instanceof z.ZodNumber) return wholeNumbers(schema);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodUnknown) return fc.jsonValue({ maxDepth: 1 });
  throw new Error(`there are no values for schemas of type ${schema.def.type}`);
}

const WRAPPERS = [z.ZodOptional, z.ZodDefault, z.ZodPrefault, z.ZodLazy];

function isWrapper(schema: z.ZodType): schema is z.ZodOptional | z.ZodDefault | z.ZodPrefault | z.ZodLazy {
  return WRAPPERS.some((wrapper) => schema instanceof wrapper);
}

function isOptional(field: z.ZodType): boolean {
  return field.safeParse(undefined).success;
}

/** After so many values that do not pass, no value can be expected to pass. */
const TRIES_MAX = 5_000;

/** Only values that the schema accepts, because the generator does not know all of its checks. */
function passing(schema: z.ZodType, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  let failures = 0;
  return values.filter((value) => {
    const { error } = schema.safeParse(value);
    failures = error ? failures + 1 : 0;
    if (failures > TRIES_MAX) throw new Error(`nothing passes: ${error?.message ?? ''}`);
    return !error;
  });
}

function mappings(schema: z.ZodObject, of: Of, overrides: Overrides): fc.Arbitrary<unknown> {
  const shape = Object.entries<z.ZodType>(schema.shape);
  const optional = shape.filter(([, field]) => isOptional(field)).length;
  const weight = Math.round(100 * share(optional));
  const fields = shape.map(([key, field]): [string, fc.Arbitrary<unknown>] => {
    const values = overrides[key] ?? of(field);
    if (!isOptional(field)) return [key, values];
    const absent = { weight: 100 - weight, arbitrary: fc.constant(ABSENT) };
    return [key, fc.oneof({ withCrossShrink: true }, absent, { weight, arbitrary: values })];
  });
  const others =
    schema.def.catchall instanceof z.ZodUnknown ? fc.dictionary(text, scalar, { maxKeys: 2 }) : fc.constant({});
  return fc
    .tuple(others, fc.record(Object.fromEntries(fields)))
    .map(([more, value]) => Object.entries({ ...more, ...value }).filter(([, inner]) => inner !== ABSENT))
    .map((entries) => Object.fromEntries(entries));
}

function maps(schema: z.ZodRecord, of: Of): fc.Arbitrary<unknown> {
  const values = schema.valueType as z.ZodType;
  if (values instanceof z.ZodNever) return fc.constant({});
  return fc.dictionary(of(schema.keyType as z.ZodType) as fc.Arbitrary<string>, of(values), { maxKeys: 3 });
}

/** If a field takes JSON text in place of data, the data is also generated as text. */
function alternatives(schema: z.ZodUnion, of: Of): readonly fc.Arbitrary<unknown>[] {
  const options = schema.options as readonly z.ZodType[];
  if (isCode(schema)) return [...options.map(of), fc.constantFrom(...SAMPLES)];
  const data = options.filter((option) => !(option instanceof z.ZodString));
  if (data.length === 0) return options.map(of);
  const asText = fc.oneof(...data.map(of)).map((value) => JSON.stringify(value));
  return options.map((option) =>
    option instanceof z.ZodString && isCode(option) ? passing(option, asText) : of(option),
  );
}

interface Check {
  readonly check: string;
  readonly pattern?: RegExp;
}

function checksOf(schema: z.ZodType): readonly Check[] {
  const { checks = [] } = schema.def as { readonly checks?: readonly { readonly _zod: { readonly def: Check } }[] };
  return checks.map(({ _zod }) => _zod.def);
}

const isCode = (schema: z.ZodType): boolean => checksOf(schema).some(({ check }) => check === 'custom');

const textsByPattern = new Map<string, fc.Arbitrary<string>>();

/** A cache, because many fields have the same pattern, and a generator of texts for a pattern is slow to create. */
function textsLike(pattern: RegExp): fc.Arbitrary<string> {
  const known = textsByPattern.get(String(pattern)) ?? fc.stringMatching(pattern, { size: 'small' });
  textsByPattern.set(String(pattern), known);
  return known;
}

function texts(schema: z.ZodString): fc.Arbitrary<string> {
  const [pattern] = checksOf(schema).flatMap((check) => check.pattern ?? []);
  if (pattern) return textsLike(pattern);
  if (!isCode(schema)) return text;
  const right = SAMPLES.filter((sample) => schema.safeParse(sample).success);
  if (right.length === 0) throw new Error(`no sample is right for: ${schema.description ?? 'a text without words'}`);
  return fc.constantFrom(...right);
}

function wholeNumbers(schema: z.ZodNumber): fc.Arbitrary<number> {
  const [min, max] = [schema.minValue ?? -Infinity, schema.maxValue ?? Infinity];
  const edges = [0, 1, 15, 300, min, max, 2 ** 31 - 1, 2 ** 31].filter(
    (one) => Number.isSafeInteger(one) && one >= min && one <= max,
  );
  return fc.constantFrom(...edges);
}
