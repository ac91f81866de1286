import { describe, expect, it } from '@jest/globals';
import type { Diagnostic } from '../diagnostic.js';
import type { TextOptions } from './text.js';
import { renderText } from './text.js';
import { widthOf } from './width.js';

const error: Diagnostic = {
  code: 'WEFT0142',
  severity: 'error',
  message: '`ofedDriver.version` must be a string',
  location: {
    file: 'clusters/east/policy.yaml',
    line: 12,
    column: 14,
    endColumn: 19,
    sourceLine: '    version: 25.10',
  },
  label: 'YAML reads this as the number 25.1',
  help: 'write "25.10"',
};
const place = { file: 'a.yaml', line: 1, column: 4, endColumn: 5, sourceLine: 'a: b' };

const cases: readonly {
  name: string;
  input: readonly Diagnostic[];
  options?: Partial<TextOptions>;
  expected: readonly string[];
}[] = [
  {
    name: 'an error as the design shows it',
    input: [error],
    options: { closing: 'nothing written', see: (code) => `weft explain ${code}` },
    expected: [
      'error[WEFT0142]: `ofedDriver.version` must be a string',
      '  --> clusters/east/policy.yaml:12:14',
      '12 |     version: 25.10',
      '   |              ^^^^^ YAML reads this as the number 25.1',
      '   = help: write "25.10"',
      '   = see: weft explain WEFT0142',
      '1 error; nothing written',
    ],
  },
  {
    name: 'the same in several files once, and twice in one file twice',
    input: [
      ...['e', 'b', 'd', 'c'].map((name) => ({ ...error, location: { ...place, file: `${name}.yaml`, line: 7 } })),
      { ...error, location: place },
      { ...error, location: { ...place, line: 9 } },
      { ...error, location: { ...place, file: 'z.yaml', sourceLine: 'b: b' } },
    ],
    expected: [
      'error[WEFT0142]: `ofedDriver.version` must be a string',
      ' --> a.yaml:1:4',
      '1 | a: b',
      '  |    ^ YAML reads this as the number 25.1',
      '  = help: write "25.10"',
      'error[WEFT0142]: `ofedDriver.version` must be a string',
      ' --> a.yaml:9:4',
      '9 | a: b',
      '  |    ^ YAML reads this as the number 25.1',
      '  = also: b.yaml:7:4, c.yaml:7:4, d.yaml:7:4, e.yaml:7:4',
      '  = help: write "25.10"',
      'error[WEFT0142]: `ofedDriver.version` must be a string',
      ' --> z.yaml:1:4',
      '1 | b: b',
      '  |    ^ YAML reads this as the number 25.1',
      '  = help: write "25.10"',
      '7 errors',
    ],
  },
  {
    name: 'a warning with a second place in a higher line',
    input: [
      {
        code: 'WEFT0200',
        severity: 'warning',
        message: 'two policies disagree',
        location: place,
        related: { location: { ...place, file: 'b.yaml', line: 117 }, message: 'the other one' },
        help: 'change one of them:\n  a: b\nor both',
      },
    ],
    expected: [
      'warning[WEFT0200]: two policies disagree',
      '   --> a.yaml:1:4',
      '  1 | a: b',
      '    |    ^',
      '   ::: b.yaml:117:4',
      '117 | a: b',
      '    |    - the other one',
      '    = help: change one of them:',
      '              a: b',
      '            or both',
      '1 warning',
    ],
  },
  {
    name: 'no place, and a file only',
    input: [
      { code: 'WEFT0001', severity: 'error', message: 'no place', help: 'none' },
      { code: 'WEFT0002', severity: 'error', message: 'a file', location: { file: 'cluster.ts' }, label: 'somewhere' },
      { code: 'WEFT0003', severity: 'warning', message: 'a line', location: { file: 'cluster.ts', line: 3 } },
    ],
    options: { closing: 'done' },
    expected: [
      'error[WEFT0001]: no place',
      '  = help: none',
      'error[WEFT0002]: a file',
      ' --> cluster.ts',
      '  = somewhere',
      'warning[WEFT0003]: a line',
      ' --> cluster.ts:3',
      '2 errors, 1 warning; done',
    ],
  },
  {
    name: 'tabs before and inside the range',
    input: [
      { ...error, help: 'x', label: 'here', location: { ...place, column: 3, endColumn: 6, sourceLine: '\t\ta\tb' } },
    ],
    expected: [
      'error[WEFT0142]: `ofedDriver.version` must be a string',
      ' --> a.yaml:1:3',
      '1 |         a    b',
      '  |         ^^^^^^ here',
      '  = help: x',
      '1 error',
    ],
  },
  {
    name: 'terminal escapes, bidi controls, invisible characters and line breaks everywhere',
    input: [
      {
        code: 'WEFT0001',
        severity: 'error',
        message: 'a\x1b[31mb\nc\u202ed',
        label: '\x07',
        help: '\u2066x\u200b',
        location: { file: 'a\x1b]0;x.yaml', line: 1, column: 6, endColumn: 8, sourceLine: 'a: \x1b\u202exy\x7f\ud83d' },
      },
    ],
    expected: [
      'error[WEFT0001]: a\\u{1b}[31mb\\u{a}c\\u{202e}d',
      ' --> a\\u{1b}]0;x.yaml:1:6',
      '1 | a: \\u{1b}\\u{202e}xy\\u{7f}\\u{d83d}',
      '  |                  ^^ \\u{7}',
      '  = help: \\u{2066}x\\u{200b}',
      '1 error',
    ],
  },
  {
    name: 'characters outside the basic plane',
    input: [
      { ...error, help: 'x', label: 'l', location: { ...place, column: 7, endColumn: 10, sourceLine: '"😀": 😀x' } },
    ],
    expected: [
      'error[WEFT0142]: `ofedDriver.version` must be a string',
      ' --> a.yaml:1:7',
      '1 | "😀": 😀x',
      '  |       ^^^ l',
      '  = help: x',
      '1 error',
    ],
  },
  {
    name: 'wide characters, which take two columns, and combining ones, which take none',
    input: [
      {
        ...error,
        help: 'x',
        label: 'l',
        location: { ...place, column: 12, sourceLine: '{a: 日本語e\u0301ｱ, b: 1}', endColumn: 13 },
      },
    ],
    expected: [
      'error[WEFT0142]: `ofedDriver.version` must be a string',
      ' --> a.yaml:1:12',
      '1 | {a: 日本語e\u0301ｱ, b: 1}',
      '  |              ^ l',
      '  = help: x',
      '1 error',
    ],
  },
  { name: 'nothing', input: [], options: { closing: 'nothing written' }, expected: [] },
];

describe('text', () => {
  it.each(cases)('renders $name', ({ input, options, expected }) => {
    const text = renderText(input, { colour: false, ...options });
    expect(text.split('\n').slice(0, -1)).toEqual(expected);
  });

  it.each([
    { name: 'in the middle', column: 501, endColumn: 504, before: '…', after: '…' },
    { name: 'at the start', column: 1, endColumn: 4, before: '', after: '…' },
    { name: 'at the end', column: 998, endColumn: 1001, before: '…', after: '' },
  ])('clips a long line around a caret $name', ({ column, endColumn, before, after }) => {
    const sourceLine = `${'a'.repeat(column - 1)}BCD${'e'.repeat(1000 - column - 2)}`;
    const location = { file: 'f', line: 1, column, endColumn, sourceLine };
    const lines = renderText([{ ...error, location }], { colour: false }).split('\n');
    const shown = lines[2] ?? '';
    const caret = (lines[3] ?? '').indexOf('^^^ ');
    expect(shown.length).toBeLessThan(130);
    expect(shown.slice(caret, caret + 3)).toBe('BCD');
    expect(shown.slice(4)).toMatch(new RegExp(`^${before}a*BCDe*${after}$`));
  });

  it('clips the carets of a long value, and long messages', () => {
    const location = { file: 'f', line: 1, column: 4, endColumn: 1_000_004, sourceLine: `a: ${'x'.repeat(1_000_000)}` };
    const text = renderText([{ ...error, location, message: 'm'.repeat(1_000_000) }], { colour: false });
    expect(text.length).toBeLessThan(3_000);
  });

  it.each([
    { name: 'control characters', character: '\x01' },
    { name: 'wide characters', character: '語' },
    { name: 'tabs', character: '\t' },
  ])('clips by the columns that $name take', ({ character }) => {
    const location = { file: 'f', line: 1, column: 5_001, endColumn: 5_004, sourceLine: character.repeat(10_000) };
    const [, , source = '', caret = ''] = renderText([{ ...error, location }], { colour: false }).split('\n');
    const columns = widthOf(source.slice('1 | '.length));
    expect(columns).toBeGreaterThan(100);
    expect(columns).toBeLessThan(125);
    expect(caret.indexOf('^')).toBeLessThan(60);
  });

  it('does not cut a surrogate pair', () => {
    const location = { file: 'f', line: 1, column: 502, endColumn: 503, sourceLine: `a${'😀'.repeat(400)}` };
    expect(renderText([{ ...error, location }], { colour: false })).not.toContain('\\u{d');
  });

  it('uses colours only when asked, and the same text', () => {
    const coloured = renderText([error], { colour: true });
    expect(coloured).toContain('\x1b[1;31merror[WEFT0142]\x1b[0m');

    expect(coloured.replace(/\x1b\[[0-9;]*m/g, '')).toBe(renderText([error], { colour: false }));
  });
});
