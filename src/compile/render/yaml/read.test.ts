import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/kit/fast-check.js';
import { isEveryCase, runsOf } from '../../../../test/kit/shares.js';
import { parse } from 'yaml';

import { withoutHeader } from '../tree/header.js';
import { readOwnYaml } from './read.js';
import type { JsonValue } from '../../../shared/lib/json.js';
import { toYaml } from './yaml.js';

const output = join(__dirname, '../../../../dist');
const written = readdirSync(output, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
  .map((path) => [path, withoutHeader(readFileSync(join(output, path), 'utf8'))] as const);

/** More characters than a stack or a regular expression takes. */
const LONG = isEveryCase ? 12_000_000 : 2_000_000;

const parsed = (text: string) => parse(text, { version: '1.1', maxAliasCount: 0 }) as unknown;

describe('readOwnYaml', () => {
  it.each(written)('reads %s', (_, text) => {
    expect(readOwnYaml(text)).toEqual(parsed(text));
  });

  const values: readonly JsonValue[] = [
    { a: 'x\n\ny\n', b: ['x\n\n', 'x\n  y'], c: { d: 'x\n' } },
    [[1, [2, { a: [] }]], [[]], {}, -1.5e300, 1e-7, null, false],
    { 'it\'s: "a"': 'a: b', 'x:': ':', '- a': '- b', '': '', '|': '|-' },
    '|',
    'a: b',
  ];
  it.each(values.map((value) => [toYaml(value), value]))('reads %j', (text, value) => {
    expect(readOwnYaml(text as string)).toEqual(value);
  });

  it.each([
    { name: 'a value', value: { a: 'y'.repeat(LONG) } },
    { name: 'what looks like a key', value: ['"'.repeat(LONG)] },
  ])('writes and reads $name of megabytes', ({ value }) => {
    expect(readOwnYaml(toYaml(value))).toEqual(value);
  });

  const refused = [
    ...['', '\n', 'a', 'a: 1', 'a: 1\n\n', '# a\na: 1\n', '---\na: 1\n', 'a: 1\n---\na: 2\n', 'b: 1\na: 2\n'],
    ...['a: "x"\n', "a: 'x'\n", 'a: 1.0\n', 'a: 01\n', 'a: 1e+999\n', 'a: 0x10\n', 'a: yes\n', 'a: ~\n', 'a: "x\n'],
    ...['a: 1\na: 2\n', 'a: {b: 1}\n', 'a: [1]\n', 'a: &x 1\n', 'a:\n    b: 1\n', 'a: |\n    x\n', 'a: 1\r\n'],
    ...[
      'a:\n',
      'a:\n- 1\n',
      `${'- '.repeat(5_000)}1\n`,
      'a: \u202e\n',
      '*a\n',
      'a: *b\n',
      'a: &b 1\nc: *b\n',
      '*: 1\n',
    ],
  ];
  it.each(refused)('leaves %j to a parser', (text) => {
    expect(readOwnYaml(text)).toBeUndefined();
  });

  it('reads edited files right, or not at all', () => {
    const texts = written.map(([, text]) => text).filter((text) => text.length < 5_000);
    const signs = Array.from(' \n:#-?\'"\\|>&*!%@,[]{}~0e.');
    const piece = fc.constantFrom(...signs, '\n  ', ': ', '- ', '"a"', 'null', '\n---\n', '\t');
    const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.nat(3), piece });
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        const edited = edits.reduce((found, { at, removed, piece: added }) => {
          const place = Math.floor(at * found.length);
          return found.slice(0, place) + added + found.slice(place + removed);
        }, text);
        const value = readOwnYaml(edited);
        if (value !== undefined) expect(value).toEqual(parsed(edited));
      }),
      runsOf(100, 2_000),
    );
  });
});
