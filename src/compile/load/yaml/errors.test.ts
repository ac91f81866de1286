import { describe, expect, it } from '@jest/globals';
import { fullBudget } from './budget.js';
import { loadYaml } from './yaml.js';

interface ErrorCase {
  readonly name: string;
  readonly input: string;
  /** Code, line, column, end column, message. */
  readonly expected: readonly (readonly [string, number, number, number, string])[];
}

const errors: readonly ErrorCase[] = [
  {
    name: 'two broken documents',
    input: 'a: "x\n---\nb: 1\n---\nc: [1\nd: 2\n',
    expected: [
      ['WEFT0001', 1, 6, 7, 'not valid YAML: a `"` is not closed'],
      ['WEFT0001', 6, 1, 2, expect.stringMatching(/^not valid YAML: /) as unknown as string],
    ],
  },
  {
    name: 'a tab as indentation',
    input: 'a:\n\tb: 1\n',
    expected: [['WEFT0001', 2, 1, 2, 'not valid YAML: a tab is used as indentation']],
  },
  {
    name: 'one tab, on which other lines depend',
    input: 'a:\n  b:\n\t- c: 1\n  d: 2\ne: 3\n',
    expected: [['WEFT0001', 3, 1, 2, 'not valid YAML: a tab is used as indentation']],
  },
  {
    name: 'conflict markers of git',
    input: 'a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> branch\n',
    expected: [['WEFT0001', 2, 1, 13, 'not valid YAML: the file has conflict markers of git']],
  },
  {
    name: 'a key that is indented deeper than the one above it',
    input: 'a:\n  b: text\n\n      of two lines\n    c-d: 1\n',
    expected: [
      [
        'WEFT0001',
        5,
        5,
        8,
        'not valid YAML: a key is indented deeper than the key above it, which has a value already',
      ],
    ],
  },
  {
    name: 'a colon in plain text, and more of it below',
    input: 'a: b: c\n  d: e\n',
    expected: [['WEFT0001', 1, 4, 5, 'not valid YAML: a second `: ` in the value of a key']],
  },
  {
    name: 'a colon in plain text',
    input: 'a: b: c\n',
    expected: [['WEFT0001', 1, 4, 5, 'not valid YAML: a second `: ` in the value of a key']],
  },
  {
    name: 'equal keys, also those that become equal',
    input: 'a: 1\n1: x\nb:\n  c: 1\n  c: 2\na: 3\n"1": y\n',
    expected: [
      ['WEFT0002', 5, 3, 4, 'the key `c` appears twice in this mapping'],
      ['WEFT0002', 6, 1, 2, 'the key `a` appears twice in this mapping'],
      ['WEFT0002', 7, 1, 4, 'the key `1` appears twice in this mapping'],
    ],
  },
  {
    name: 'two documents without a separator',
    input: 'apiVersion: v1\nkind: A\nmetadata: {name: a}\napiVersion: v1\nkind: B\nmetadata: {name: b}\n',
    expected: [
      ['WEFT0002', 4, 1, 11, 'a second document begins in this mapping: it has `apiVersion` and `kind` twice'],
    ],
  },
  {
    name: 'tags',
    input: 'a: !foo x\nb: !!binary aGk=\nc: !!set {x, z}\nd: !!int x\n!foo e: 1\n',
    expected: [
      ['WEFT0003', 1, 9, 10, 'the tag `!foo` has no meaning in a Kubernetes document'],
      ['WEFT0003', 2, 13, 17, 'the tag `!!binary` has no meaning in a Kubernetes document'],
      ['WEFT0003', 3, 10, 16, 'the tag `!!set` has no meaning here'],
      ['WEFT0003', 4, 10, 11, '`x` is text, but its tag says !!int'],
      ['WEFT0003', 5, 6, 7, 'the tag `!foo` has no meaning in a Kubernetes document'],
    ],
  },
  {
    name: 'halves of surrogate pairs in texts and keys',
    input: 'a: "\\ud800"\nb: ["\\ud83d\\ude00", "x\\udc00"]\n"\\uDFFF": 1\nc: &c "\\ud800"\nd: *c\n',
    expected: [
      ['WEFT0007', 1, 4, 12, 'the text holds half of a surrogate pair, which is no character'],
      ['WEFT0007', 2, 21, 30, 'the text holds half of a surrogate pair, which is no character'],
      ['WEFT0007', 3, 1, 9, 'the key holds half of a surrogate pair, which is no character'],
      ['WEFT0007', 4, 7, 15, 'the text holds half of a surrogate pair, which is no character'],
    ],
  },
  {
    name: 'unknown aliases, each document having its own anchors',
    input: 'a: &x 1\nb: *y\n---\na: *x\n',
    expected: [
      ['WEFT0004', 2, 4, 6, 'no anchor `&y` is above this alias in the document'],
      ['WEFT0004', 4, 4, 6, 'no anchor `&x` is above this alias in the document'],
    ],
  },
  {
    name: 'an anchor that contains itself',
    input: 'a: &x\n  b: [1, *x]\n',
    expected: [['WEFT0005', 2, 10, 12, 'the value of the anchor `&x` contains itself']],
  },
  {
    name: 'characters',
    input: 'a: x\0y\nb: "\x1b[31m"\nc: d\re: f\ng: \u2028\n',
    expected: [
      ['WEFT0007', 1, 5, 6, 'a NUL character is not allowed in YAML'],
      ['WEFT0007', 2, 5, 6, 'an escape character is not allowed in YAML'],
      ['WEFT0007', 3, 5, 6, 'a carriage return without a line feed is not allowed in YAML'],
      ['WEFT0007', 4, 4, 5, 'the character U+2028 is not allowed in YAML'],
    ],
  },
  {
    name: 'values that JSON does not have',
    input: 'a: .inf\nb: -.Inf\nc: [.nan]\nd: 9223372036854775807\n',
    expected: [
      ['WEFT0008', 1, 4, 8, 'YAML reads this as Infinity, which a JSON number cannot be'],
      ['WEFT0008', 2, 4, 9, 'YAML reads this as -Infinity, which a JSON number cannot be'],
      ['WEFT0008', 3, 5, 9, 'YAML reads this as NaN, which a JSON number cannot be'],
      ['WEFT0008', 4, 4, 23, 'the integer 9223372036854775807 has more digits than a JSON number keeps'],
    ],
  },
  {
    name: 'keys that cannot become text',
    input: '~: 1\n? [a]\n: 2\n18446744073709551615: 3\n',
    expected: [
      ['WEFT0009', 1, 1, 2, 'a key is null'],
      ['WEFT0009', 2, 3, 6, 'a key is a collection'],
      ['WEFT0009', 4, 1, 21, 'the key 18446744073709551615 is larger than a 64-bit integer'],
    ],
  },
  {
    name: 'merge keys without a mapping',
    input: 'a:\n  <<: 5\nb:\n  <<: [{}, 1]\nc:\n  <<: *x\n',
    expected: [
      ['WEFT0010', 2, 7, 8, 'the merge key `<<` needs a mapping or a list of mappings'],
      ['WEFT0010', 4, 7, 14, 'the merge key `<<` needs a mapping or a list of mappings'],
      ['WEFT0004', 6, 7, 9, 'no anchor `&x` is above this alias in the document'],
    ],
  },
  {
    name: 'documents that are no mapping',
    input: '- 1\n---\ntext\n---\nkind: List\nitems: [1]\n',
    expected: [
      ['WEFT0012', 1, 1, 4, 'a document is not a mapping'],
      ['WEFT0012', 3, 1, 5, 'a document is not a mapping'],
      ['WEFT0012', 6, 9, 10, 'a document is not a mapping'],
    ],
  },
];

const diagnosticsOf = (text: string) => loadYaml('a.yaml', text).diagnostics;

describe('errors', () => {
  it.each(errors)('$name', ({ input, expected }) => {
    const found = diagnosticsOf(input).map(({ code, location, message }) => [
      code,
      location?.line,
      location?.column,
      location?.endColumn,
      message,
    ]);
    expect(found).toEqual(expected);
  });

  it('points at both of two equal keys', () => {
    const [diagnostic] = diagnosticsOf('b:\r\n  key: 1\r\n  key: 2\r\n');
    expect(diagnostic?.location).toEqual({ file: 'a.yaml', line: 3, column: 3, endColumn: 6, sourceLine: '  key: 2' });
    expect(diagnostic?.related?.location).toMatchObject({ line: 2, column: 3, endColumn: 6, sourceLine: '  key: 1' });
  });

  it('leaves out a document that is no YAML, and only that', () => {
    const { documents } = loadYaml('a.yaml', 'a: 1\n---\nb: [\n---\nc: 1\nc: 2\n');
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { c: 2 }]);
  });

  it('reports an error below an anchor once', () => {
    expect(diagnosticsOf('a: &x {b: .inf}\nc: *x\nd: *x\n').length).toBe(1);
  });
});

describe('hostile input', () => {
  const bomb = (levels: number, width: number): string =>
    Array.from({ length: levels }, (_, level) => {
      const item = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: width }, () => item).join(', ')}]\n`;
    }).join('');

  it.each([
    { name: 'an alias bomb', input: bomb(9, 9), code: 'WEFT0005' },
    { name: 'a wide alias bomb', input: bomb(3, 900), code: 'WEFT0005' },
    { name: 'a bomb of merge keys', input: bomb(9, 9).replaceAll('[x', '[{k: x}'), code: 'WEFT0005' },
    {
      name: 'aliases of a long text',
      input: `a: &a ${'x'.repeat(50_000)}\nb: [${Array.from({ length: 100 }, () => '*a').join(', ')}]\n`,
      code: 'WEFT0005',
    },
    { name: 'deep flow collections', input: `a: ${'['.repeat(3_000)}`, code: 'WEFT0006' },
    { name: 'deep closed flow collections', input: `a: ${'['.repeat(101)}${']'.repeat(101)}\n`, code: 'WEFT0006' },
    { name: 'deep block collections', input: `${'- '.repeat(3_000)}x\n`, code: 'WEFT0006' },
    { name: 'deep mappings', input: `a: ${'{a: '.repeat(3_000)}`, code: 'WEFT0006' },
    { name: 'deep keys', input: `${'? '.repeat(3_000)}x\n`, code: 'WEFT0006' },
    { name: 'an endless list', input: `a: [${'0,'.repeat(250_000)}0]\n`, code: 'WEFT0011' },
  ])('$name is one error', ({ input, code }) => {
    expect(diagnosticsOf(input).map((diagnostic) => diagnostic.code)).toEqual([code]);
  });

  it.each([
    { name: 'characters', input: `a: ${'x'.repeat(2_097_152)}\n`, limit: '2097152 characters' },
    { name: 'words and signs', input: 'a: 1\n'.repeat(7_000), limit: '20000 words and signs of YAML' },
  ])('says how many $name a document may hold', ({ input, limit }) => {
    expect(diagnosticsOf(input).map(({ code, message }) => [code, message])).toEqual([
      ['WEFT0011', `the document holds more than ${limit}`],
    ]);
  });

  it.each([
    {
      name: 'plain documents',
      input: 'kind: A\n---\n'.repeat(1_000),
      left: { lexemes: 5_000 },
      limit: 'words and signs',
    },
    { name: 'others', input: 'kind: &a A\n---\n'.repeat(1_000), left: { lexemes: 5_000 }, limit: 'words and signs' },
    {
      name: 'documents that nothing parts',
      input: '%YAML 1.1\n' + '---\nkind: A\n'.repeat(1_000),
      left: { documents: 900 },
      limit: 'documents',
    },
  ])('blames no document where the folder is full: $name', ({ input, left, limit }) => {
    const { documents, diagnostics } = loadYaml('a.yaml', input, { ...fullBudget(), ...left });
    expect(documents).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0029']);
    expect(diagnostics[0]?.message).toContain(limit);
  });

  it('allows what real policies have: anchors used often, and 90 levels', () => {
    const uses = Array.from({ length: 90 }, (_, index) => `k${index}: *x\n`).join('');
    expect(diagnosticsOf(`x: &x {a: [1, 2, 3], b: {c: d}}\n${uses}`)).toEqual([]);
    expect(diagnosticsOf(`a: ${'['.repeat(90)}${']'.repeat(90)}\n`)).toEqual([]);
  });

  it('says a few errors of a text that is nothing like YAML', () => {
    expect(diagnosticsOf('a: b\n  '.repeat(500)).length).toBeLessThanOrEqual(5);
    expect(diagnosticsOf('\x01'.repeat(10_000)).length).toBe(10);
  });
});
