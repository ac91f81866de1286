import fc from 'fast-check';
import { EXTREMES, get, placesOf, set, type Holder, type Json } from './mutate.js';

/** Values of objects that JSON may have and that `JSON.stringify` does not write; `jsonOf` puts their text. */
const WRITTEN: Readonly<Record<string, () => string>> = {
  '@deep': () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  '@deeper': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  '@infinite': () => '1e400',
  '@negative-zero': () => '-0',
  '@exact': () => '123456789012345678901234567890',
  '@broken': () => '{]',
  '@twice': () => '{"a":1,"a":{"b":2}}',
};

/** Values that readers of Kubernetes objects often handle wrongly, beside those of any document. */
const OF_OBJECTS: readonly Json[] = [
  ...Object.keys(WRITTEN).filter((name) => name !== '@broken'),
  ...[
    '\u001b]0;title\u0007',
    '\u0000',
    '\u009b31m',
    '\u2066x',
    '@team',
    '<img src=x>',
    '|',
    '`',
    'a,b=c in (d',
    '1Ki1',
    '-1',
    '0.5m',
  ],
  ...[
    '2026-02-31T25:61:00Z',
    '0000-00-00T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    'Never',
    'NotIn',
    'Gt',
    'List',
    'Pod',
  ],
  ...[':'.repeat(20_000), ','.repeat(5_000), '/'.repeat(20_000), 'é'.repeat(20_000)],
  ...[2 ** 31 - 1, 2 ** 53, Number.MIN_SAFE_INTEGER, 0.1, false, { matchExpressions: [{ key: 'a', operator: 'Is' }] }],
  ...[[{}], [null, null], { '': null }, JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') as Json],
];
const VALUES: readonly Json[] = [...EXTREMES, ...OF_OBJECTS];

/** JSON text of a value, with the values that only text can have. */
export function jsonOf(value: Json): string {
  return JSON.stringify(value).replace(/"(@[a-z-]+)"/g, (text, name: string) => WRITTEN[name]?.() ?? text);
}

/** One change of one place; the numbers choose among what there is. */
interface Mutation {
  readonly place: number;
  readonly change: number;
  readonly choice: number;
}

/** A changed value, and what was changed. */
export interface Mutated {
  readonly value: Json;
  readonly changes: readonly string[];
}

/** Lists of objects with one to four changes; a failure shrinks to the changes that it needs. */
export function mutatedObjects(seed: Json): fc.Arbitrary<Mutated> {
  const mutation = fc.record({ place: fc.nat(), change: fc.nat(), choice: fc.nat() });
  return fc.array(mutation, { minLength: 1, maxLength: 4 }).map((mutations) => {
    const value = structuredClone(seed);
    return { changes: mutations.map((one) => changed(value, one)), value };
  });
}

function changed(value: Json, { place, change, choice }: Mutation): string {
  const places = placesOf(value);
  const at = places[place % places.length];
  if (at === undefined) return 'nothing';
  const before = get(at);
  const says = (after: Json | undefined): string =>
    `${pathOf(value, at)}: ${textOf(before)} becomes ${after === undefined ? 'absent' : textOf(after)}`;
  switch (change % 8) {
    case 0:
      if (Array.isArray(at.holder)) at.holder.splice(Number(at.key), 1);
      else Reflect.deleteProperty(at.holder, at.key);
      return says(undefined);
    case 1:
      if (Array.isArray(at.holder)) at.holder.push(structuredClone(before));
      else set({ holder: at.holder, key: `${at.key}${choice % 10}` }, structuredClone(before));
      return `${pathOf(value, at)} is there twice`;
    case 2:
      set(at, null);
      return says(null);
    case 3: {
      const other = get(places[choice % places.length] ?? at);
      // A value that holds its own place would have no end.
      const copy = JSON.stringify(other).length > 20_000 ? null : structuredClone(other);
      set(at, copy);
      return says(copy);
    }
    case 4: {
      const wrapped: Json = [before];
      set(at, wrapped);
      return says(wrapped);
    }
    default: {
      const extreme = structuredClone(VALUES[choice % VALUES.length] ?? null);
      set(at, extreme);
      return says(extreme);
    }
  }
}

function pathOf(root: Json, { holder, key }: Holder): string {
  const path = (value: Json): readonly (string | number)[] | undefined => {
    if (value === holder) return [key];
    if (value === null || typeof value !== 'object') return undefined;
    for (const [step, inner] of Object.entries(value)) {
      const found = path(inner);
      if (found !== undefined) return [step, ...found];
    }
    return undefined;
  };
  return (path(root) ?? [key]).join('.');
}

function textOf(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
