import { describe, expect, it } from '@jest/globals';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { loadYaml } from './yaml.js';

const text = `# A policy.
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
x: &shared
  one: 1
  two: 2
spec:
  ofedDriver:
    version: 25.10   # a comment
    image: "doca-driver"
    empty:
    script: |
      first
      second
    list:
    - a
    - b: 1
      c: [x, {k: z}]
  merged:
    <<: *shared
    two: 22
  alias: *shared
  __proto__: 1
  12: twelve
`;

const cases: readonly {
  name: string;
  path: readonly PathStep[];
  at?: 'key' | 'value';
  expected: readonly [line: number, column: number, text: string];
}[] = [
  { name: 'the document', path: [], expected: [2, 1, 'apiVersion'] },
  { name: 'the key of the document', path: [], at: 'key', expected: [2, 1, 'apiVersion'] },
  { name: 'a scalar', path: ['spec', 'ofedDriver', 'version'], expected: [9, 14, '25.10'] },
  { name: 'its key', path: ['spec', 'ofedDriver', 'version'], at: 'key', expected: [9, 5, 'version'] },
  { name: 'quoted text', path: ['spec', 'ofedDriver', 'image'], expected: [10, 12, '"doca-driver"'] },
  { name: 'a value that is left out', path: ['spec', 'ofedDriver', 'empty'], expected: [11, 5, 'empty'] },
  { name: 'a block scalar', path: ['spec', 'ofedDriver', 'script'], expected: [12, 13, '|'] },
  { name: 'a mapping', path: ['spec', 'ofedDriver'], expected: [9, 5, 'version: 25.10   # a comment'] },
  { name: 'a list item', path: ['spec', 'ofedDriver', 'list', 0], expected: [16, 7, 'a'] },
  {
    name: 'a list item that is a mapping, as key',
    path: ['spec', 'ofedDriver', 'list', 1],
    at: 'key',
    expected: [17, 7, 'b'],
  },
  { name: 'a flow collection', path: ['spec', 'ofedDriver', 'list', 1, 'c'], expected: [18, 10, '[x, {k: z}]'] },
  { name: 'inside flow collections', path: ['spec', 'ofedDriver', 'list', 1, 'c', 1, 'k'], expected: [18, 18, 'z'] },
  { name: 'a missing key', path: ['spec', 'ofedDriver', 'repository'], expected: [8, 3, 'ofedDriver'] },
  { name: 'a path below a missing key', path: ['spec', 'nope', 'nope'], expected: [7, 1, 'spec'] },
  { name: 'a missing key of a list item', path: ['spec', 'ofedDriver', 'list', 1, 'd'], expected: [17, 7, 'b'] },
  { name: 'a missing list item', path: ['spec', 'ofedDriver', 'list', 7], expected: [15, 5, 'list'] },
  { name: 'a path below a scalar', path: ['kind', 'x'], expected: [3, 1, 'kind'] },
  { name: 'a missing key at the top', path: ['metadata'], expected: [2, 1, 'apiVersion'] },
  { name: 'a merged value', path: ['spec', 'merged', 'one'], expected: [5, 8, '1'] },
  { name: 'a value that overrides a merged one', path: ['spec', 'merged', 'two'], expected: [21, 10, '22'] },
  { name: 'below an alias', path: ['spec', 'alias', 'two'], expected: [6, 8, '2'] },
  { name: 'an alias', path: ['spec', 'alias'], expected: [5, 3, 'one: 1'] },
  { name: 'the key of an alias', path: ['spec', 'alias'], at: 'key', expected: [22, 3, 'alias'] },
  { name: 'a hostile key', path: ['spec', '__proto__'], expected: [23, 14, '1'] },
  { name: 'a key that is a number', path: ['spec', '12'], at: 'key', expected: [24, 3, '12'] },
];

describe('locate', () => {
  const document = loadYaml('dir/a.yaml', text).documents[0];

  it.each(cases)('$name', ({ path, at, expected: [line, column, meant] }) => {
    const location = document?.locate(path, at);
    expect(location).toMatchObject({ file: 'dir/a.yaml', line, column, endColumn: column + meant.length });
    expect(location?.sourceLine?.slice(column - 1, column - 1 + meant.length)).toBe(meant);
  });

  it('counts columns the same with CRLF, a byte order mark and documents before', () => {
    const crlf = `\uFEFF# first\n---\n${text}`.replaceAll('\n', '\r\n');
    const location = loadYaml('a.yaml', crlf).documents[0]?.locate(['spec', 'ofedDriver', 'version']);
    expect(location).toEqual({
      file: 'a.yaml',
      line: 11,
      column: 14,
      endColumn: 19,
      sourceLine: '    version: 25.10   # a comment',
    });
  });

  it('keeps the documents of one chunk apart', () => {
    const { documents } = loadYaml('a.yaml', '%YAML 1.1\n---\na: 1\n---\n---\nb: 2\n');
    expect(documents.map((each) => each.locate(['a']).line)).toEqual([3, 6]);
    expect(documents[1]?.locate(['b'])).toMatchObject({ line: 6, column: 4 });
  });

  it('ends for a mapping that merges itself', () => {
    const { documents, diagnostics } = loadYaml('a.yaml', 'a: &x\n  <<: *x\n  b: 1\n');
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0005']);
    expect(documents[0]?.locate(['a', 'b'])).toMatchObject({ line: 3, column: 6 });
  });

  it('answers for many documents, in any order', () => {
    const text = Array.from({ length: 50 }, (_, index) => `---\nkey: ${index}\n`).join('');
    const { documents } = loadYaml('a.yaml', text);
    const lines = [...documents, ...[...documents].reverse()].map((document) => document.locate(['key']).line);
    const expected = documents.map((_, index) => 2 * index + 2);
    expect(lines).toEqual([...expected, ...[...expected].reverse()]);
  });

  it('keeps the columns of JSON with tabs', () => {
    const { documents } = loadYaml('a.json', '{\n\t"a": {\n\t\t"b": 12\n\t}\n}\n');
    expect(documents[0]?.locate(['a', 'b'])).toEqual({
      file: 'a.json',
      line: 3,
      column: 8,
      endColumn: 10,
      sourceLine: '\t\t"b": 12',
    });
  });
});

describe('locate of a character', () => {
  const source = [
    'literal: |',
    '  {',
    '    "a": 1,',
    '  }',
    'strip: |2-',
    '',
    '   x y',
    'folded: >',
    '  one',
    '  two',
    "quoted: 'abc'",
    'escaped: "a\\nbc"',
    'plain: abc  # a comment',
    'alias: &text |',
    '    abc',
    'again: *text',
    '',
  ].join('\n');

  it.each([
    { name: 'a literal', path: 'literal', offset: 4, expected: [3, 5, '"'] },
    { name: 'behind a literal', path: 'literal', offset: 99, expected: [4, 3, '}'] },
    { name: 'an indented literal', path: 'strip', offset: 2, expected: [7, 4, 'x'] },
    { name: 'a folded text', path: 'folded', offset: 4, expected: [8, 9, '>'] },
    { name: 'single quotes', path: 'quoted', offset: 1, expected: [11, 11, 'b'] },
    { name: 'an escape', path: 'escaped', offset: 2, expected: [12, 10, '"a\\nbc"'] },
    { name: 'plain text', path: 'plain', offset: 3, expected: [13, 10, 'c'] },
    { name: 'an alias', path: 'again', offset: 1, expected: [15, 6, 'b'] },
  ] as const)('$name', ({ path, offset, expected: [line, column, meant] }) => {
    const at = (text: string) => loadYaml('a.yaml', text).documents[0]?.locate([path], [offset, offset + 1]);
    expect(at(source)).toMatchObject({ line, column, endColumn: column + meant.length });
    expect(at(source.replaceAll('\n', '\r\n'))).toMatchObject({ line, column, endColumn: column + meant.length });
  });
});
