import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/kit/fast-check.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { mergedValue, originOf, type Part } from './merge.js';

const partsOf = (values: readonly unknown[]): Part<number>[] =>
  values.map((value, source) => ({ value, source, path: [] }));

function merge(values: readonly unknown[], isCluster = false) {
  const idle: string[] = [];
  const onIdle = ({ source, path }: Part<number>) => idle.push(`${source}: ${path.join('.')}`);
  return { value: mergedValue(partsOf(values), { isCluster, onIdle }), idle };
}

describe('merging', () => {
  const cases: { name: string; values: unknown[]; expected: unknown }[] = [
    {
      name: 'mappings key by key',
      values: [{ a: { b: 1, c: 2 } }, { a: { c: 3 }, d: 4 }],
      expected: { a: { b: 1, c: 3 }, d: 4 },
    },
    { name: 'a list is replaced', values: [{ a: [1, 2] }, { a: [3] }], expected: { a: [3] } },
    { name: 'null removes a key', values: [{ a: 1, b: 2 }, { a: null }], expected: { b: 2 } },
    { name: 'null where nothing is inherited stays', values: [{ b: 2 }, { a: null }], expected: { b: 2, a: null } },
    { name: 'null before a value means nothing', values: [{ a: null }, { a: 1 }], expected: { a: 1 } },
    {
      name: 'what comes after null begins anew',
      values: [{ a: { b: 1 } }, { a: null }, { a: { c: 2 } }],
      expected: { a: { c: 2 } },
    },
    { name: 'a mapping takes the place of text', values: [{ a: 'x' }, { a: { b: 1 } }], expected: { a: { b: 1 } } },
    { name: 'text takes the place of a mapping', values: [{ a: { b: 1 } }, { a: 'x' }], expected: { a: 'x' } },
    {
      name: 'a list of names is replaced elsewhere',
      values: [{ spec: { list: [{ name: 'a' }] } }, { spec: { list: [{ name: 'b' }] } }],
      expected: { spec: { list: [{ name: 'b' }] } },
    },
    {
      name: 'keys with a meaning in JavaScript',
      values: [JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"b": 2}}')],
      expected: JSON.parse('{"__proto__": {"a": 1, "b": 2}}'),
    },
  ];
  it.each(cases)('$name', ({ values, expected }) => {
    expect(merge(values)).toEqual({ value: expected, idle: [] });
  });

  it.each([['nodePools'], ['upgrade', 'pools']])('merges the entries of %s by name', (...path: string[]) => {
    const at = (list: unknown) => ({ spec: path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), list) });
    const base = [{ name: 'a', arch: 'amd64', labels: { x: '1' } }, { name: 'b' }, { arch: 'no name' }];
    const own = [
      { name: 'c' },
      { name: 'a', labels: { y: '2' } },
      { name: 'b', $patch: 'delete' },
      { name: 'd', $patch: 'delete' },
    ];
    const { value, idle } = merge([at(base), at(own)], true);
    expect(value).toEqual(
      at([{ name: 'a', arch: 'amd64', labels: { x: '1', y: '2' } }, { arch: 'no name' }, { name: 'c' }]),
    );
    expect(idle).toEqual([`1: spec.${path.join('.')}.3`]);
  });

  it('keeps a name that is twice in one list, for the schema to refuse it', () => {
    const pools = (...names: string[]) => ({ spec: { nodePools: names.map((name) => ({ name })) } });
    expect(merge([pools('a', 'a'), pools('a')], true).value).toEqual(pools('a', 'a'));
  });

  it('is the value itself where one folder has it', () => {
    const inner = { b: [1] };
    expect((merge([{ a: inner }, { c: 1 }]).value as { a: unknown }).a).toBe(inner);
  });
});

describe('origins', () => {
  const values = [
    { spec: { release: 'v1', driver: { a: 1, b: 2 }, nodePools: [{ name: 'x', arch: 'a' }, { name: 'y' }] } },
    { spec: { driver: { b: 3 }, nodePools: [{ name: 'y', arch: 'b' }] } },
  ];
  it.each([
    ['spec.release', '0: spec.release'],
    ['spec.driver', '1: spec.driver'],
    ['spec.driver.a', '0: spec.driver.a'],
    ['spec.driver.b', '1: spec.driver.b'],
    ['spec.nodePools.0.arch', '0: spec.nodePools.0.arch'],
    ['spec.nodePools.1.arch', '1: spec.nodePools.0.arch'],
    ['spec.nodePools.1.name', '1: spec.nodePools.0.name'],
    // What does not exist is looked for where the last folder has what is above it.
    ['spec.nodePools.0.kernel', '0: spec.nodePools.0.kernel'],
    ['spec.driver.c.d', '1: spec.driver.c.d'],
  ])('of %s', (path, expected) => {
    const steps = path.split('.').map((step): PathStep => (/^\d+$/.test(step) ? Number(step) : step));
    const found = originOf(partsOf(values), steps, { isCluster: true });
    expect(`${found?.source}: ${found?.path.join('.')}`).toBe(expected);
  });
});

/** Merges two values as the guide says it. */
function simpleMerge(base: unknown, own: unknown): unknown {
  if (!isObject(base) || !isObject(own)) return own;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(own)) {
    if (value === null && merged.has(key)) merged.delete(key);
    else merged.set(key, merged.has(key) ? simpleMerge(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}

function* leavesOf(value: unknown, path: readonly PathStep[] = []): Iterable<readonly PathStep[]> {
  const isEmpty = (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;
  if ((!Array.isArray(value) && !isObject(value)) || isEmpty) yield path;
  else if (Array.isArray(value)) for (const [index, inner] of value.entries()) yield* leavesOf(inner, [...path, index]);
  else for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, [...path, key]);
}

const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, 'x', true),
    fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
    tie('map'),
  ),
  map: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
}));

describe('any documents', () => {
  it('merge as two after the other do', () => {
    fc.assert(
      fc.property(document.map, document.map, (base, own) => {
        expect(merge([base, own]).value).toEqual(simpleMerge(base, own));
      }),
    );
  });

  it('have each value of the result from the folder that has it at its origin', () => {
    fc.assert(
      fc.property(fc.array(document.map, { minLength: 1, maxLength: 4 }), (documents) => {
        const { value } = merge(documents);
        for (const path of leavesOf(value)) {
          const origin = originOf(partsOf(documents), path, { isCluster: false });
          expect(valueAt(documents[origin?.source ?? -1], origin?.path ?? [])).toEqual(valueAt(value, path));
        }
      }),
    );
  });
});
