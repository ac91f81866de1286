import { describe, expect, it } from '@jest/globals';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { applyIgnores } from './ignore-comments.js';
import { loadYaml } from './yaml/yaml.js';

const reason = ': later';

/** Ignores as `line code`, diagnostics as `line:column code`. */
function read(text: string, file = 'a.yaml') {
  const { ignores = [], diagnostics } = loadYaml(file, text);
  return {
    ignores: ignores.map(({ targetLine, code }) => `${targetLine} ${code}`),
    problems: diagnostics.map(({ code, location }) => `${location?.line}:${location?.column} ${code}`),
  };
}

describe('comments', () => {
  const cases: { name: string; text: string; ignores?: string[]; problems?: string[] }[] = [
    { name: 'at the end of a line', text: `a: 1\nb: 2 # weft-ignore WEFT0234${reason}\n`, ignores: ['2 WEFT0234'] },
    { name: 'on the line before', text: `a: 1\n  # weft-ignore WEFT0234${reason}\nb: 2\n`, ignores: ['3 WEFT0234'] },
    {
      name: 'several above each other, with other comments',
      text: `# weft-ignore WEFT0234${reason}\n# weft-ignore WEFT0236${reason}\n# see above\na: 1\n`,
      ignores: ['4 WEFT0234', '4 WEFT0236'],
    },
    {
      name: 'several codes, several colons, CRLF, no space',
      text: 'a: 1\r\n#weft-ignore WEFT0234 , WEFT0236: see: there\r\nb: 1\r\n',
      ignores: ['3 WEFT0234', '3 WEFT0236'],
    },
    {
      name: 'behind a byte order mark',
      text: `\uFEFF# weft-ignore WEFT0234${reason}\na: 1\n`,
      ignores: ['2 WEFT0234'],
    },
    {
      name: 'in a second document',
      text: `a: 1\n---\nb: 1 # weft-ignore WEFT0234${reason}\n`,
      ignores: ['3 WEFT0234'],
    },
    {
      name: 'behind a block header, not inside the block',
      text: `a: | # weft-ignore WEFT0234${reason}\n  # weft-ignore WEFT0236${reason}\nb: 1\n`,
      ignores: ['1 WEFT0234'],
    },
    { name: 'in quotes and plain text', text: `a: "# weft-ignore WEFT0234${reason}"\nb: x# weft-ignore\n` },
    { name: 'that only mention it', text: '# as weft-ignore WEFT0234 would\na: 1\n# weft-ignored\n' },
    { name: 'without a code', text: 'a: 1 # weft-ignore: because\n', problems: ['1:6 WEFT0030'] },
    { name: 'of another tool’s form', text: 'a: 1 # weft-ignore-next-line WEFT0234: x\n', problems: ['1:6 WEFT0030'] },
    { name: 'without a reason', text: 'a: 1 # weft-ignore WEFT0234:  \n', problems: ['1:6 WEFT0031'] },
    { name: 'with no colon', text: 'a: 1 # weft-ignore WEFT0234\n', problems: ['1:6 WEFT0031'] },
    {
      name: 'with no colon before the reason',
      text: 'a: 1 # weft-ignore WEFT0234 later\n',
      problems: ['1:6 WEFT0031'],
    },
    {
      name: 'with no comma',
      text: 'a: 1 # weft-ignore WEFT0234 WEFT0265: because\n',
      problems: ['1:6 WEFT0031'],
    },
    { name: 'with another word', text: 'a: 1 # weftignore WEFT0234: later\n', problems: ['1:6 WEFT0038'] },
    { name: 'with a capital', text: 'a: 1 # Weft-Ignore WEFT0234: later\n', problems: ['1:6 WEFT0038'] },
    { name: 'in two words', text: 'a: 1 # weft ignore: WEFT0234 later\n', problems: ['1:6 WEFT0038'] },
    { name: 'that explain a code', text: 'a: 1 # weft explain WEFT0234\nb: 1 # weft WEFT0234: see there\n' },
    { name: 'with an unknown code', text: `a: 1 # weft-ignore WEFT9999${reason}\n`, problems: ['1:20 WEFT0032'] },
    {
      name: 'with a code that an object has by nature',
      text: `a: 1 # weft-ignore toString1${reason}\n`,
      problems: ['1:20 WEFT0032'],
    },
  ];
  it.each(cases)('$name', ({ text, ignores = [], problems = [] }) => {
    expect(read(text)).toEqual({ ignores, problems });
  });

  it.each([
    ['weft-ignore: because', 'name the warning, for instance `weft-ignore WEFT0234: because`'],
    ['weft-ignore', 'name the warning, for instance `weft-ignore WEFT0234: why it may stay`'],
    ['weft-ignore 264: elsewhere', 'write `weft-ignore WEFT0264: elsewhere`'],
    ['weft-ignore 9999', 'name the warning, for instance `weft-ignore WEFT0234: 9999`'],
    ['weft-ignore WEFT0241', 'write `weft-ignore WEFT0241: why it may stay`'],
    ['weft-ignore WEFT0241 because of X', 'write `weft-ignore WEFT0241: because of X`'],
    ['weft-ignore WEFT0241, WEFT0242 - both', 'write `weft-ignore WEFT0241, WEFT0242: both`'],
    ['weft-ignore WEFT0241 WEFT0242: both', 'write `weft-ignore WEFT0241, WEFT0242: both`'],
    ['weft-ignore WEFT0241 v26 has it', 'write `weft-ignore WEFT0241: v26 has it`'],
    ['weft-ignore: WEFT0241 no', 'write `weft-ignore WEFT0241: no`'],
    ['weftignore WEFT0241: no', 'write `weft-ignore WEFT0241: no`'],
  ])('%s: the help keeps what is there', (comment, help) => {
    const { diagnostics } = loadYaml('a.yaml', `a: 1 # ${comment}\n`);
    expect(diagnostics.map((diagnostic) => diagnostic.help?.split(';')[0])).toEqual([help]);
  });

  const comment = `# weft-ignore WEFT0234${reason}`;
  it.each([
    { name: 'above the key', text: `a: 1\n${comment}\nb:\n\n  # see there\n  c: 1\n` },
    { name: 'at the end of the key’s line', text: `a: 1\nb: ${comment}\n\n\n  c: 1\n` },
    { name: 'above a key with an anchor, CRLF', text: `${comment}\r\nb: &b # b\r\n\r\n\r\n  c: 1\r\n` },
    { name: 'above a key with a list', text: `a: 1\n${comment}\nb:\n\n\n  - 1\n` },
    { name: 'above a key with text below it', text: `a: 1\n${comment}\nb:\n\n\n  a text\n  of two lines\n` },
  ])('are meant for a value below its key as well: $name', ({ text }) => {
    const { documents, ignores = [] } = loadYaml('a.yaml', text);
    const location = documents[0]?.locate(['b']);
    expect(location?.line).toBeGreaterThan((ignores[0]?.targetLine ?? 0) + 2);
    const warning: Diagnostic = { code: 'WEFT0234', severity: 'warning', message: 'm', ...(location && { location }) };
    expect(applyIgnores(ignores, [warning])).toEqual([]);
    const other = { ...warning, location: { file: 'a.yaml', line: location?.line ?? 0, column: 6 } };
    expect(applyIgnores(ignores, [other]).map(({ code }) => code)).toEqual(['WEFT0234', 'WEFT0033']);
  });

  it('are found in a time that grows with the text only', () => {
    const { ignores = [] } = loadYaml('a.yaml', `${`${comment}\n`.repeat(20_000)}a: 1\n`);
    expect(ignores.at(-1)?.targetLine).toBe(20_001);
  });

  it('are not looked for in JSON', () => {
    expect(read(`{"a": "# weft-ignore"}\n`, 'a.json')).toEqual({ ignores: [], problems: [] });
  });
});

describe('applyIgnores', () => {
  const place = (line: number, file = 'a.yaml') => ({ file, line, column: 1 });
  const ignore = (code: string, targetLine: number) => ({
    code,
    file: 'a.yaml',
    targetLine,
    location: place(targetLine - 1),
  });
  const found = (severity: Diagnostic['severity'], code: string, line: number, file?: string): Diagnostic => ({
    code,
    severity,
    message: 'm',
    location: place(line, file),
  });
  const shown = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.map(({ code, location }) => `${location?.line} ${code}`);

  const cases = [
    {
      name: 'takes out the warning of the line, however often it is there',
      ignores: [ignore('WEFT0234', 3)],
      diagnostics: [found('warning', 'WEFT0234', 3), found('warning', 'WEFT0234', 3)],
      expected: [],
    },
    {
      name: 'leaves other codes, lines and files, and says that the comment is of no use',
      ignores: [ignore('WEFT0234', 3)],
      diagnostics: [
        found('warning', 'WEFT0236', 3),
        found('warning', 'WEFT0234', 4),
        found('warning', 'WEFT0234', 3, 'b.yaml'),
      ],
      expected: ['3 WEFT0236', '4 WEFT0234', '3 WEFT0234', '2 WEFT0033'],
    },
    {
      name: 'never silences an error',
      ignores: [ignore('WEFT0142', 3)],
      diagnostics: [found('error', 'WEFT0142', 3)],
      expected: ['3 WEFT0142', '2 WEFT0034'],
    },
    {
      name: 'does not blame a comment while there are errors',
      ignores: [ignore('WEFT0234', 3)],
      diagnostics: [found('error', 'WEFT0142', 9)],
      expected: ['9 WEFT0142'],
    },
    {
      name: 'checks each code of a comment',
      ignores: [ignore('WEFT0234', 3), ignore('WEFT0236', 3)],
      diagnostics: [found('warning', 'WEFT0236', 3)],
      expected: ['2 WEFT0033'],
    },
    {
      name: 'leaves a warning without a place',
      ignores: [],
      diagnostics: [{ code: 'WEFT0234', severity: 'warning' as const, message: 'm' }],
      expected: ['undefined WEFT0234'],
    },
  ];
  it.each(cases)('$name', ({ ignores, diagnostics, expected }) => {
    expect(shown(applyIgnores(ignores, diagnostics))).toEqual(expected);
  });
});
