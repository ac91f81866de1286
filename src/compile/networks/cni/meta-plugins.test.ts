import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { describeIssue } from '../../model/issues.js';
import { metaPlugins, metaPluginsData } from './meta-plugins.js';

const schema = z.strictObject({ metaPlugins });

function problems(input: unknown): readonly string[] {
  const document = { metaPlugins: input };
  return (schema.safeParse(document).error?.issues ?? []).map((issue) => describeIssue(issue, document).message);
}

describe('metaPlugins', () => {
  const tuning = { type: 'tuning', sysctl: { 'net.core.somaxconn': '500' } };
  const accepted = [
    { name: 'one object as text', input: JSON.stringify(tuning, null, 2), expected: [tuning] },
    {
      name: 'two as text',
      input: '{"type":"tuning","mtu":9000},\n{"type":"rdma"}',
      expected: [{ type: 'tuning', mtu: 9000 }, { type: 'rdma' }],
    },
    { name: 'an object', input: tuning, expected: [tuning] },
    { name: 'a list', input: [{ type: 'rdma' }, tuning], expected: [{ type: 'rdma' }, tuning] },
    { name: 'an empty list', input: [], expected: [] },
    { name: 'empty text', input: '', expected: [] },
    { name: 'blank text', input: ' \n', expected: [] },
  ];
  it.each(accepted)('accepts $name', ({ input, expected }) => {
    expect(problems(input)).toEqual([]);
    expect(metaPluginsData(schema.parse({ metaPlugins: input }).metaPlugins)).toEqual(expected);
  });

  const rejected = [
    {
      name: 'text with brackets',
      input: '[{"type":"tuning"}]',
      expected: '`metaPlugins` must be JSON objects with commas between them, and no brackets around them',
    },
    {
      name: 'text that would close the list',
      input: '{"type":"a"}],"x":[{"type":"b"}',
      expected: /^`metaPlugins` is not a sequence of JSON objects: /,
    },
    {
      name: 'a trailing comma',
      input: '{"type":"a"},',
      expected: /^`metaPlugins` is not a sequence of JSON objects: /,
    },
    {
      name: 'an entry of text without type',
      input: '{"type":"a"},{}',
      expected: '`metaPlugins`: `[1].type` is missing',
    },
    { name: 'an empty type', input: [{ type: '' }], expected: '`metaPlugins[0].type` must have at least 1 characters' },
    { name: 'an object without type', input: { mtu: 1 }, expected: '`metaPlugins.type` is missing' },
    {
      name: 'an entry that is no object',
      input: [{ type: 'a' }, 'rdma'],
      expected: '`metaPlugins[1]` must be a mapping',
    },
    { name: 'a number', input: 5, expected: '`metaPlugins` must be a string or a list or a mapping' },
    {
      name: 'a number that would be rounded',
      input: '{"type":"tuning","mtu":9007199254740993}',
      expected: '`metaPlugins` has the number 9007199254740993, which cannot be kept exactly',
    },
  ];
  it.each(rejected)('refuses $name', ({ input, expected }) => {
    expect(problems(input)).toEqual([typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  });

  it('sorts the keys of a plugin and keeps the order of the plugins', () => {
    expect(JSON.stringify(metaPluginsData('{"type":"b","a":1},{"type":"a"}'))).toBe(
      '[{"a":1,"type":"b"},{"type":"a"}]',
    );
  });
});
