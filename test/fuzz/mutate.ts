import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import { isObject } from '../../src/shared/lib/json.js';
import type { Files } from '../golden/compile.js';

/** Real input: the example clusters, the input of the goldens and of the command's cases, and the operator's own cases. */
export function seedFiles(root: string): readonly Files[] {
  const homes = ['clusters', 'test/golden', 'test/cli', 'test/conformance/cases'];
  return homes
    .flatMap((home) => foldersBelow(join(root, home)))
    .map(yamlFiles)
    .filter((files) => Object.values(files).some((text) => /^kind: Cluster$/m.test(text)));
}

function foldersBelow(folder: string): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:expected|tree)$/.test(entry.name))
    .flatMap((entry) => [join(folder, entry.name), ...foldersBelow(join(folder, entry.name))])
    .sort();
}

function yamlFiles(folder: string): Files {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const texts = names.map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')]);
  return Object.fromEntries(texts.filter(([, text]) => /^kind:/m.test(text) && text.length < 20_000));
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Values that programs often handle wrongly. */
export const EXTREMES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  -0,
  1.5,
  2 ** 31,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
  '',
  ' ',
  '\n',
  '~',
  'null',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../x',
  '/',
  '.',
  '\0',
  '\u001b[31m',
  '\u202e',
  '\ud83d\ude00',
  '{{ .x }}',
  '{"a": {"__proto__": 1}}',
  '[1,',
  '100%',
  '-5%',
  '9999999999%',
  '1e9Ki',
  '0 0 31 2 *',
  '* * * * *',
  'Europe/Nowhere',
  '99999999h',
  'a:b@sha256:c',
  '10.0.0.0/33',
  '::/0',
  'x'.repeat(300),
  [],
  [null],
  [[]],
  {},
  { '': '' },
  { toString: 'x' },
  { valueOf: 1, toString: null },
  [{ toString: 'x' }],
  { toString: 'x', hasOwnProperty: 'x' },
  { a: { b: { c: [] } } },
];

export type Holder = { readonly holder: { [key: string]: Json } | Json[]; readonly key: string | number };

/** Every place of a value in a document. */
export function placesOf(value: Json): readonly Holder[] {
  if (Array.isArray(value)) return value.flatMap((inner, key) => [{ holder: value, key }, ...placesOf(inner)]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesOf(inner)]);
}

export const get = ({ holder, key }: Holder): Json => (holder as Record<string | number, Json>)[key] ?? null;
export const set = ({ holder, key }: Holder, value: Json): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
};

/** One change of structure; `pick(n)` chooses one of `n`. */
function changeStructure(documents: Json[], pick: (count: number) => number): void {
  const places = placesOf(documents);
  const place = places[pick(places.length)];
  if (place === undefined) return;
  const other = places[pick(places.length)] ?? place;
  switch (pick(7)) {
    case 0:
      if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
      else Reflect.deleteProperty(place.holder, place.key);
      return;
    case 1:
      if (Array.isArray(place.holder)) place.holder.push(structuredClone(get(place)));
      else set({ holder: place.holder, key: `${place.key}${pick(10)}` }, structuredClone(get(place)));
      return;
    case 2:
      return set(place, structuredClone(get(other)));
    case 3:
      return set({ holder: other.holder, key: place.key }, structuredClone(get(place)));
    case 4:
      return set(place, isObject(get(place)) ? [get(place)] : JSON.stringify(get(place)));
    case 5:
      return set(place, typeof get(place) === 'string' ? Number(get(place)) || 0 : { [String(place.key)]: get(place) });
    default:
      return set(place, structuredClone(EXTREMES[pick(EXTREMES.length)] ?? null));
  }
}

function changeText(text: string, pick: (count: number) => number): string {
  const SIGNS = [
    '\t',
    '"',
    "'",
    ':',
    ' ',
    '\n',
    '- ',
    '&a ',
    '*a',
    '<<: ',
    '|\n',
    '>-',
    '{',
    '[',
    '!!int ',
    '%',
    '---\n',
    '#',
  ];
  const at = pick(text.length + 1);
  const length = pick(20);
  switch (pick(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + length);
    case 2:
      return text.slice(0, at) + (SIGNS[pick(SIGNS.length)] ?? '') + text.slice(at);
    case 3:
      return text.slice(0, at) + String.fromCharCode(pick(0x300)) + text.slice(at + 1);
    case 4:
      return text.slice(0, at) + text.slice(at, at + length).repeat(2 + pick(5)) + text.slice(at + length);
    default:
      return text.slice(0, at) + text.slice(pick(text.length + 1)).slice(0, 200) + text.slice(at);
  }
}

function changeStructures(files: Files, pick: (count: number) => number, count: number): Files {
  const parsed = Object.entries(files).map(([name, text]) => {
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
    return { name, documents: [...documents].map((document) => document.toJS() as Json) };
  });
  const all = parsed.map(({ documents }) => documents);
  for (let change = 0; change < count; change++) changeStructure(all, pick);
  return Object.fromEntries(
    parsed.map(({ name }, index) => {
      const documents = all[index];
      return [name, (Array.isArray(documents) ? documents : [documents]).map((one) => stringify(one)).join('---\n')];
    }),
  );
}

/** Real files, changed a few times: in their structure, or in their text. */
export function mutated(seeds: readonly Files[]): fc.Arbitrary<Files> {
  return fc
    .record({
      seed: fc.nat(seeds.length - 1),
      isText: fc.boolean(),
      choices: fc.infiniteStream(fc.nat(1_000_000)),
      count: fc.constantFrom(1, 1, 1, 2, 3),
    })
    .map(({ seed, isText, choices, count }) => {
      const files = seeds[seed] ?? {};
      const pick = (limit: number): number => (limit <= 0 ? 0 : Number(choices.next().value) % limit);
      if (!isText) return changeStructures(files, pick, count);
      const names = Object.keys(files);
      const changed: Record<string, string> = { ...files };
      for (let change = 0; change < count; change++) {
        const name = names[pick(names.length)] ?? '';
        changed[name] = changeText(changed[name] ?? '', pick);
      }
      return changed;
    });
}
