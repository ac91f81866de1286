import { valueAt } from '../../shared/lib/json.js';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { describeIssue, formatPath } from './issues.js';

describe('formatPath', () => {
  const paths: readonly { readonly path: readonly (string | number)[]; readonly expected: string }[] = [
    { path: [], expected: '' },
    { path: ['spec', 'nodePools', 0, 'name'], expected: 'spec.nodePools[0].name' },
    { path: ['labels', 'a/b'], expected: 'labels["a/b"]' },
    { path: ['a.b', 'c'], expected: '["a.b"].c' },
    { path: ['with-dash', '1'], expected: 'with-dash["1"]' },
    { path: ['quote"d', ''], expected: '["quote\\"d"][""]' },
  ];
  it.each(paths)('$expected', ({ path, expected }) => {
    expect(formatPath(path)).toBe(expected);
  });
});

describe('valueAt', () => {
  const data = { a: [{ b: 1 }], c: null };
  it('is what lies at a path, and nothing that JavaScript adds', () => {
    expect(valueAt(data, [])).toBe(data);
    expect(valueAt(data, ['a', 0, 'b'])).toBe(1);
    expect(valueAt(data, ['c'])).toBeNull();
    expect(valueAt(data, ['a', 1, 'b'])).toBeUndefined();
    expect(valueAt(data, ['c', 'd'])).toBeUndefined();
    expect(valueAt(data, ['toString'])).toBeUndefined();
    expect(valueAt(data, ['a', 'length'])).toBeUndefined();
  });
});

describe('describeIssue', () => {
  const schema = z.object({
    text: z.string().min(2).optional(),
    whole: z.int().min(1).max(3).optional(),
    list: z.array(z.string()).min(2).optional(),
    one: z.enum(['a', 'b', 'c']).optional(),
    flag: z.boolean().optional(),
    mapping: z.record(z.string(), z.string()).optional(),
    either: z.union([z.string(), z.strictObject({ a: z.int() })]).optional(),
    nested: z.union([z.string(), z.strictObject({ in: z.union([z.string(), z.array(z.int())]) })]).optional(),
    pattern: z.string().regex(/^a/, { error: 'must begin with a' }).optional(),
    keyed: z.record(z.string().min(2).regex(/^a/, { error: 'must begin with a' }), z.string()).optional(),
  });
  const table: readonly { readonly input: unknown; readonly expected: string }[] = [
    { input: 1, expected: 'the document must be a mapping' },
    { input: { text: 1 }, expected: '`text` must be a string' },
    { input: { text: 'a' }, expected: '`text` must have at least 2 characters' },
    { input: { whole: 0 }, expected: '`whole` must be at least 1' },
    { input: { whole: 4 }, expected: '`whole` must be at most 3' },
    { input: { whole: 1.5 }, expected: '`whole` must be a whole number' },
    { input: { list: ['a'] }, expected: '`list` must have at least 2 entries' },
    { input: { list: ['a', 1] }, expected: '`list[1]` must be a string' },
    { input: { one: 'd' }, expected: '`one` must be `a`, `b` or `c`' },
    { input: { flag: 'true' }, expected: '`flag` must be `true` or `false`' },
    { input: { mapping: [] }, expected: '`mapping` must be a mapping' },
    { input: { mapping: { 'a/b': 1 } }, expected: '`mapping["a/b"]` must be a string' },
    { input: { either: 1 }, expected: '`either` must be a string or a mapping' },
    { input: { either: { a: 'x' } }, expected: '`either.a` must be a number' },
    { input: { either: {} }, expected: '`either.a` is missing' },
    { input: { nested: { in: {} } }, expected: '`nested.in` must be a string or a list' },
    { input: { nested: { in: [1, 'x'] } }, expected: '`nested.in[1]` must be a number' },
    { input: { nested: {} }, expected: '`nested.in` is missing' },
    { input: { keyed: { bc: 'x' } }, expected: '`keyed.bc` must begin with a' },
    { input: { keyed: { a: 'x' } }, expected: '`keyed.a` must have at least 2 characters' },
    { input: { pattern: 'b' }, expected: '`pattern` must begin with a' },
  ];
  it.each(table)('$expected', ({ input, expected }) => {
    const [issue] = schema.safeParse(input).error?.issues ?? [];
    if (!issue) throw new Error('the schema lets this pass');
    expect(describeIssue(issue, input).message).toBe(expected);
  });
});
