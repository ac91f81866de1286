import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPlain } from '../../../test/fuzz/plain-yaml.js';
import { yamlText } from '../../../test/fuzz/yaml-texts.js';
import { fullBudget } from './budget.js';
import { createKnownTexts } from './known-texts.js';
import { splitDocuments } from './parse.js';
import { readPlain } from './plain.js';
import { loadYaml } from './yaml.js';

const ROOT = join(__dirname, '../../..');

/** On a failure fast-check prints the seed. `WEFT_RUNS=1000000 npx jest src/load/yaml/plain` runs more. */
const RUNS = Number(process.env['WEFT_RUNS'] ?? 4_000);

/** All YAML below a folder, that of fenced blocks too, one document each. */
function documentsBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name): readonly string[] => {
    const path = join(folder, name);
    if (statSync(join(ROOT, path)).isDirectory()) return documentsBelow(path);
    const text = /\.(?:yaml|md)$/.test(name) ? readFileSync(join(ROOT, path), 'utf8') : '';
    const blocks = [...text.matchAll(/^```yaml(?! error).*\n([^]*?)^```/gm)].map(([, block = '']) => block);
    return (name.endsWith('.md') ? blocks : [text]).flatMap((one) =>
      [...splitDocuments(one)].map((chunk) => chunk.text),
    );
  });
}

const read: readonly { readonly name: string; readonly input: string; readonly expected: readonly unknown[] }[] = [
  { name: 'nothing', input: '', expected: [] },
  { name: 'comments', input: '# a\n\n  # b', expected: [] },
  { name: 'a mark alone', input: '---', expected: [] },
  { name: 'mappings', input: '--- # c\na: b\nc:\n  d: 1 # e\n\n  f:\n', expected: [{ a: 'b', c: { d: 1, f: null } }] },
  {
    name: 'lists',
    input: 'a:\n- b\n-   c: d\n    e: f\n-\n  g: h\n-\ni:\n  - j\n',
    expected: [{ a: ['b', { c: 'd', e: 'f' }, { g: 'h' }, null], i: ['j'] }],
  },
  { name: 'quotes', input: `"a b": 'it''s'\n'c': "\\"\\n\\\\"\n`, expected: [{ 'a b': "it's", c: '"\n\\' }] },
  { name: 'text with signs', input: 'a: b:c, [d] e\nf: -g\n', expected: [{ a: 'b:c, [d] e', f: '-g' }] },
  { name: 'scalars by the rules', input: '0x10: yes\n1.50: 0755\n', expected: [{ 16: true, 1.5: 493 }] },
  {
    name: 'brackets',
    input: 'a: {b: [c d, "e"], "f":{}}\ng: [ ]\n',
    expected: [{ a: { b: ['c d', 'e'], f: {} }, g: [] }],
  },
  {
    name: 'texts',
    input: 'a: |\n  {\n\n    b\n  }\n\nc:\n  - |- # d\n   # e\nf: g\n',
    expected: [{ a: '{\n\n  b\n}\n', c: ['# e'], f: 'g' }],
  },
];

/** The library is asked: because it is no mapping, because something is wrong with it, or because it is rare. */
const left: readonly string[] = [
  ...['a', '- a', '{a: b}', '|', '--- a: b', '---#c\na: b', 'a: b\n---\nc: d\n', 'a: b\n...', '%YAML 1.1\n---\na: b'],
  ...[
    'a: b\n  c',
    'a:\n  b',
    'a: b\n  c: d',
    'a:\n    b: c\n  d: e',
    'a: b\n- c',
    '  a: b\nc: d',
    '- a: b\n c: d',
    'a:\n  -\n  b: c',
  ],
  ...[
    'a: b: c',
    'a: - b',
    'a:b',
    'a : b',
    ': a',
    '? a',
    'a b: c',
    '- - a',
    'a:\tb',
    'a: b\r\n',
    'a: |\n  b\r\n  c\r\n',
  ],
  ...[
    'a: &b c',
    'a: *b',
    'a: !b c',
    'a: @b',
    'a: `b',
    'a: %b',
    'a: "b" c',
    'a: "b',
    "a: 'b",
    'a: "\\x41"',
    'a: b\u00a0c',
  ],
  ...['a: 1\na: 2', '__proto__: 1', 'constructor: 1', '<<: {}', '~: 1', 'a: .inf', 'a: 9007199254740993'],
  ...[
    'a: [b',
    'a: [b]]',
    'a: [b,]',
    'a: [b] c',
    'a: {b}',
    'a: {b: c, b: d}',
    'a: {b:c}',
    'a: {<<: {}}',
    'a: [b: c]',
    'a: [@]',
    'a: {"b": :c}',
  ],
  ...['a: |+\n  b', 'a: >\n  b', 'a: |2\n  b', 'a: |\n\n  b', 'a: |\nb: c', 'a: |\n  b \n', 'a: |\n  b\n   \n'],
  ...[`${'a'.repeat(1025)}: b`, `a: ${'['.repeat(100)}${']'.repeat(100)}`],
];

describe('plainly written YAML', () => {
  it.each(read)('reads $name', ({ input, expected }) => {
    expect(checkPlain(input)).toBe('read');
    expect(readPlain(input)?.documents.map(({ value }) => value)).toEqual(expected);
  });

  it.each(left)('leaves %j to the library', (input) => {
    expect(readPlain(input)).toBeUndefined();
  });

  it('keeps the limits: lexemes, characters, depth', () => {
    const nested = (depth: number) => Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:\n`).join('');
    expect([nested(99), nested(102)].map(checkPlain)).toEqual(['read', 'left']);
    // A line of comment has two lexemes, an entry seven, the document one.
    expect(['#\n'.repeat(10_000), '#\n'.repeat(10_001)].map(checkPlain)).toEqual(['read', 'left']);
    const entries = Array.from({ length: 2_857 }, (_, at) => `k${at}: a\n`).join('');
    expect([entries, `${entries}#`].map(checkPlain)).toEqual(['read', 'left']);
    const long = `a: ${'b'.repeat(2 * 1024 * 1024 - 3)}`;
    expect([long, `${long}b`].map(checkPlain)).toEqual(['read', 'left']);
  });

  it('takes no more than a moment for what repeats', () => {
    const signs = [' ', ': ', '- ', 'a ', 'a:', '"\\"', "''", '[', '] ', '# ', '|\n'];
    const begin = performance.now();
    for (const head of ['', '- ', 'a: ', 'a: [', 'a: {"', "a: '"]) {
      for (const sign of signs) readPlain(`${head}${sign.repeat(100_000)}@`);
    }
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});

describe('what people write', () => {
  const own = ['bench', 'clusters'].flatMap(documentsBelow);
  const documented = ['docs', 'src'].flatMap(documentsBelow);

  it('is read, but for a few documents about what is rare', () => {
    expect(own.map(checkPlain)).not.toContain('left');
    const rare = documented.filter((text) => checkPlain(text) === 'left');
    expect(rare.length / documented.length).toBeLessThan(0.05);
  });

  it('is read as the library reads it, written in any way and changed by chance', () => {
    const counts = { read: 0, left: 0 };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        counts[checkPlain(yamlText(seed, [...own, ...documented]))] += 1;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(counts.read).toBeGreaterThan(RUNS / 8);
  });
});

describe('in a file', () => {
  const text = 'kind: A\n---\nkind: List\nitems:\n  - kind: B\n  - c\n---\nspec:\n  d: [e]\n';

  it('has places, and Lists are expanded', () => {
    const { documents, diagnostics } = loadYaml('a.yaml', text);
    expect(documents.map(({ value }) => value)).toEqual([{ kind: 'A' }, { kind: 'B' }, { spec: { d: ['e'] } }]);
    expect(documents[2]?.locate(['spec', 'd', 0])).toMatchObject({ line: 9, column: 7, endColumn: 8 });
    expect(diagnostics).toMatchObject([{ message: 'a document is not a mapping', location: { line: 6, column: 5 } }]);
  });

  it('takes as much of the budget as the library, the first time and again', () => {
    const known = createKnownTexts();
    const budgets = [fullBudget(), fullBudget()];
    for (const budget of budgets) loadYaml('a.yaml', 'kind: A\n---\nkind: B\n', budget, known);
    expect(budgets[0]).toMatchObject({ documents: 1_498, lexemes: 75_000 - 8 - 10 });
    expect(budgets[1]).toEqual(budgets[0]);
    expect(known.find('kind: A\n')?.lexemes).toBe(8);
  });

  it('ends where the budget ends', () => {
    const { documents, diagnostics } = loadYaml('a.yaml', text, { ...fullBudget(), lexemes: 10 });
    expect(documents).toEqual([]);
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('the folder holds more than')]);
  });
});
