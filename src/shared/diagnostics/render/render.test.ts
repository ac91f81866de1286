import { describe, expect, it } from '@jest/globals';
import type { Diagnostic, Location } from '../diagnostic.js';
import { countLine, sortDiagnostics } from './order.js';
import { diagnosticFormats, renderDiagnostics } from './render.js';

const diagnostic = (
  file: string | undefined,
  line?: number,
  column?: number,
  code = 'WEFT0001',
  message = 'm',
): Diagnostic => ({
  code,
  severity: 'error',
  message,
  ...(file === undefined
    ? {}
    : { location: { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) } }),
});

const full: Diagnostic = {
  code: 'WEFT0142',
  severity: 'warning',
  message: '100% of\n`a` is\x1b[31m wrong',
  label: 'here',
  help: 'do: this, or that',
  location: { file: 'dir/a b,c:é.yaml', line: 2, column: 3, endColumn: 5, sourceLine: '  xy\u202e' },
  related: { location: { file: '/abs/b.yaml', line: 7, column: 1 }, message: 'the other' },
};

describe('order', () => {
  it('sorts by place, code and message, without a locale', () => {
    const sorted = [
      diagnostic(undefined),
      diagnostic('B'),
      diagnostic('B', 2, 9),
      diagnostic('B', 10, 1, 'WEFT0001', 'a'),
      diagnostic('B', 10, 1, 'WEFT0001', 'b'),
      diagnostic('B', 10, 1, 'WEFT0002', 'a'),
      diagnostic('B', 10, 2),
      diagnostic('a', 1, 1),
      diagnostic('ä', 1, 1),
    ];
    expect(sortDiagnostics([...sorted].reverse())).toEqual(sorted);
  });

  it.each([
    { errors: 0, warnings: 0, closing: 'x', expected: '' },
    { errors: 1, warnings: 0, closing: 'nothing written', expected: '1 error; nothing written' },
    { errors: 1, warnings: 2, closing: 'nothing written', expected: '1 error, 2 warnings; nothing written' },
    { errors: 0, warnings: 1, closing: undefined, expected: '1 warning' },
  ])('counts $errors errors and $warnings warnings', ({ errors, warnings, closing, expected }) => {
    const all = [
      ...Array.from({ length: errors }, () => diagnostic('a')),
      ...Array.from({ length: warnings }, (): Diagnostic => ({ ...diagnostic('a'), severity: 'warning' })),
    ];
    expect(countLine(all, closing)).toBe(expected);
  });
});

describe('formats', () => {
  const page =
    '# WEFT0142: t\n\nSeverity: error.\n\nSee [there](../x.md#y) and\n[here](https://a.b).\n\n## Fix\n\nNo.\n';
  const render = (format: (typeof diagnosticFormats)[number], input: readonly Diagnostic[]): string =>
    renderDiagnostics(format, input, {
      colour: false,
      version: '1.2.3',
      page: (code) => (code === 'WEFT0142' ? page : undefined),
    });

  it.each(diagnosticFormats)('%s lets no control or bidi character through', (format) => {
    expect(render(format, [full])).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  describe.each(['json', 'sarif', 'github'] as const)('%s', (format) => {
    it('has the part of a long line that people see, and texts that end', () => {
      const sourceLine = `{${'a'.repeat(1_000_000)}: x${'\x01'.repeat(1_000_000)}}`;
      const location = { file: 'a', line: 1, column: 1_000_005, endColumn: 1_000_006, sourceLine };
      const long = 'm'.repeat(1_000_000);
      const one: Diagnostic = {
        ...diagnostic('a', 1, 5, 'WEFT0001', long),
        location,
        path: [long, 1],
        label: long,
        help: long,
        related: { location, message: long },
      };
      const text = render(format, [one, one]);
      expect(text.length).toBeLessThan(30_000);
      expect(text).not.toMatch(/a{100}|(?:u0001.*){20}/);
    });
  });

  it('json says where the part of a long line begins', () => {
    const location = {
      file: 'a',
      line: 1,
      column: 301,
      endColumn: 304,
      sourceLine: `${'a'.repeat(300)}bcd${'e'.repeat(300)}`,
    };
    const report = JSON.parse(render('json', [{ ...diagnostic('a'), location }])) as {
      diagnostics: { location: { sourceLine: string; sourceColumn: number } }[];
    };
    const shown = report.diagnostics[0]?.location;
    expect(shown).toMatchObject({ line: 1, column: 301, endColumn: 304, sourceColumn: 251 });
    expect(shown?.sourceLine).toBe(`${'a'.repeat(50)}bcd${'e'.repeat(67)}`);
  });

  it('json and github say how to read about a code', () => {
    const options = { colour: false, see: (code: string) => `weft explain ${code}` };
    expect(JSON.parse(renderDiagnostics('json', [full], options))).toMatchObject({
      diagnostics: [{ code: 'WEFT0142', see: 'weft explain WEFT0142' }],
    });
    expect(renderDiagnostics('github', [full], options)).toMatch(/%0Asee: weft explain WEFT0142\n$/);
  });

  it('json keeps everything', () => {
    const report = JSON.parse(render('json', [full, diagnostic('a', 1)])) as unknown;
    expect(report).toEqual({ diagnostics: [diagnostic('a', 1), full], summary: { errors: 1, warnings: 1 } });
    expect(JSON.parse(render('json', []))).toEqual({ diagnostics: [], summary: { errors: 0, warnings: 0 } });
  });

  it('github writes workflow commands', () => {
    expect(render('github', [full, diagnostic(undefined)])).toBe(
      '::error title=WEFT0001::m\n' +
        '::warning file=dir/a b%2Cc%3Aé.yaml,line=2,endLine=2,col=3,endColumn=5,title=WEFT0142::' +
        '100%25 of%0A`a` is\\u{1b}[31m wrong: here%0Athe other: /abs/b.yaml:7%0Ahelp: do: this, or that\n',
    );
  });

  describe('sarif has the text of the region, and the line around it', () => {
    const long = `${'a'.repeat(300)}bcd${'e'.repeat(300)}`;
    const shown = `${'a'.repeat(50)}bcd${'e'.repeat(67)}`;
    const whole = { startLine: 1, snippet: { text: 'a: bc' } };
    it.each([
      { name: 'a value', place: { column: 4, endColumn: 6, sourceLine: 'a: bc' }, text: 'bc', context: whole },
      { name: 'no end', place: { column: 4, sourceLine: 'a: bc' }, text: 'bc', context: whole },
      { name: 'all of the line', place: { column: 1, endColumn: 6, sourceLine: 'a: bc' }, text: 'a: bc' },
      { name: 'no column', place: { sourceLine: 'a: bc' }, text: 'a: bc' },
      {
        name: 'half a character',
        place: { column: 1, endColumn: 2, sourceLine: '😀b' },
        text: '😀',
        context: { startLine: 1, snippet: { text: '😀b' } },
      },
      {
        name: 'a part of a long line',
        place: { column: 301, endColumn: 304, sourceLine: long },
        text: 'bcd',
        context: { startLine: 1, startColumn: 251, endColumn: 371, snippet: { text: shown } },
      },
      { name: 'more than is shown', place: { column: 301, endColumn: 604, sourceLine: long } },
      { name: 'the rest of a long line', place: { column: 301, sourceLine: long } },
    ])('$name', ({ place, text, context }) => {
      const location = { file: 'a', line: 1, ...place };
      const log = JSON.parse(render('sarif', [{ ...diagnostic('a'), location }])) as {
        runs: { results: { locations: { physicalLocation: Record<string, unknown> }[] }[] }[];
      };
      const { column, endColumn } = location as Location;
      expect(log.runs[0]?.results[0]?.locations[0]?.physicalLocation).toEqual({
        artifactLocation: { uri: 'a' },
        region: {
          startLine: 1,
          ...(column && { startColumn: column }),
          ...(endColumn && { endColumn }),
          ...(text && { snippet: { text } }),
        },
        ...(context && { contextRegion: context }),
      });
    });
  });

  it('sarif is a 2.1.0 log', () => {
    expect(JSON.parse(render('sarif', [full, diagnostic(undefined)]))).toEqual({
      $schema: expect.stringContaining('sarif-schema-2.1.0.json') as unknown,
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'weft',
              version: '1.2.3',
              rules: [
                {
                  id: 'WEFT0001',
                  shortDescription: { text: 'the text is not valid YAML' },
                  defaultConfiguration: { level: 'error' },
                },
                {
                  id: 'WEFT0142',
                  shortDescription: { text: 'a value has the wrong type' },
                  fullDescription: { text: 'See there and [here](https://a.b).' },
                  help: {
                    text: page.replace('[there](../x.md#y)', 'there'),
                    markdown: page.replace('[there](../x.md#y)', 'there'),
                  },
                  defaultConfiguration: { level: 'error' },
                },
              ],
            },
          },
          columnKind: 'utf16CodeUnits',
          results: [
            { ruleId: 'WEFT0001', ruleIndex: 0, level: 'error', message: { text: 'm' }, locations: [] },
            {
              ruleId: 'WEFT0142',
              ruleIndex: 1,
              level: 'warning',
              message: { text: '100% of\n`a` is\x1b[31m wrong: here\nhelp: do: this, or that' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'dir/a%20b%2Cc%3A%C3%A9.yaml' },
                    region: { startLine: 2, startColumn: 3, endColumn: 5, snippet: { text: 'xy' } },
                    contextRegion: { startLine: 2, snippet: { text: '  xy\u202e' } },
                  },
                },
              ],
              relatedLocations: [
                {
                  id: 1,
                  message: { text: 'the other' },
                  physicalLocation: {
                    artifactLocation: { uri: 'file:///abs/b.yaml' },
                    region: { startLine: 7, startColumn: 1 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });
});
