import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/kit/fast-check.js';
import { runsOf } from '../../../../test/kit/shares.js';
import { parse } from 'yaml';

import { readOwnYaml } from './read.js';
import { orderKeys, toYaml } from './yaml.js';
import type { JsonValue } from '../../../shared/lib/json.js';

/**
 * Strings that some parser changes or refuses when they are not quoted. What the groups say was seen with
 * gopkg.in/yaml.v2 2.4.0, gopkg.in/yaml.v3 3.0.1, sigs.k8s.io/yaml 1.6.0 (kubectl's reader) and PyYAML 6.0.3.
 */
const QUOTED = [
  // Booleans and null; kubectl's parser reads the booleans of YAML 1.1, including y and n.
  ...['', ' ', 'y', 'Y', 'n', 'yes', 'No', 'on', 'OFF', 'true', 'False', 'null', 'Null', '~'],
  // PyYAML has no value for `=` and for a `<<` outside a mapping.
  ...['=', '<<'],
  ...['-', '--', '---', '...', '.', '?', ':', '#', '&a', '*a', '!a', '|', '>', '%a', '@a', '`a', ',', '[', '{'],
  // All Go readers know YAML 1.2's octal and 1.1's binary, signed ones too, and underscores in any number.
  ...['0', '1', '-1', '+1', '017', '0o17', '-0o17', '0x1f', '0X1f', '0b1', '-0b1', '0b1_0', '1_000', '1__0'],
  ...['24.04', '.5', '5.', '1e3', '1E3', '1e+3', '1.e3', '.inf', '+.inf', '-.INF', '.NaN'],
  // Numbers of base 60 to PyYAML, times to PyYAML and yaml.v3.
  ...['12:30', '12:30:45', '190:20:30.15', '1:30:00.5', '2001-12-14', '2001-12-14t21:59:43.10-05:00'],
  // NaN to npm's yaml 2.9.1 when it reads YAML 1.1; no other reader that was tried changes these.
  ...['E0', 'e12', 'e-3', '-E+3', '.e3'],
  // No reader that was tried changes these; the YAML 1.1 types or older readers do.
  ...['1.2.3', '1,000', '_1', 'inf', '-Infinity', 'nan', '0x1p-2', '4984d57'],
  ...['d e ', ' x', 'a: b', 'a:', 'a #b', 'a\tb'],
  // Line breaks to Go and PyYAML.
  ...['\u0085', 'a\u0085b', '\u2028', '\u2029', 'a\r\nb', 'a\rb'],
  // Errors to Go and PyYAML.
  ...['\u007f', '\u0000', '\ufffe', '\uffff', '\ud800', 'a\udc00b'],
  // Invisible, or not ASCII.
  ...['\ufeff', '\u00a0', '\u200b', '\u202eabc', '\u{e0001}', 'é', '\u{1f600}'],
];

const PLAIN = [
  'x',
  'nvcr.io/nvidia/mellanox/doca-driver:26.07-0.0.0-ubuntu24.04-amd64',
  'nvcr.io/nvidia/doca@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '/run/mellanox/drivers/.driver-ready',
  './x',
  '.dockerconfigjson',
  'network.nvidia.com/operator.mofed.wait',
  '$(NODE_NAME)',
  'app=x',
  '--feature-gates=A=true,B=false',
  '-f',
  '6.8.0-31-generic',
  'mofed-ubuntu24.04-d57dd4984-ds',
  '100Mi',
  '100m',
  '10%',
  '10.0.0.0/8',
  'https://example.com:8443/a?b=c&d',
  'a plain sentence, with a comma.',
  'node-role.kubernetes.io/control-plane',
];

describe('toYaml, scalars', () => {
  it.each(QUOTED)('quotes %j', (text) => {
    expect(toYaml(text)).toMatch(/^["'].*["']\n$/);
    expectSameInBothVersions(text);
    expectSameInBothVersions({ [text]: [text, { [text]: text }] });
  });

  it.each(PLAIN)('leaves %j as it is', (text) => {
    expect(toYaml(text)).toBe(`${text}\n`);
    expectSameInBothVersions({ [text]: [text] });
  });

  const cases: { name: string; input: JsonValue; expected: string }[] = [
    { name: 'JSON text in single quotes', input: `{"a":"it's"}`, expected: `'{"a":"it''s"}'\n` },
    { name: 'control characters escaped', input: 'a\u0085\tb\u0007', expected: '"a\\u0085\\tb\\u0007"\n' },
    { name: 'a lone surrogate escaped', input: 'a\ud800', expected: '"a\\ud800"\n' },
    { name: 'a hidden character beyond 16 bits', input: 'a\u{e0001}', expected: '"a\\U000e0001"\n' },
    { name: 'readable text of other scripts', input: 'Ærø 😀', expected: '"Ærø 😀"\n' },
    {
      name: 'an exponent that YAML 1.1 knows',
      input: [1e21, 1e-7, 1.5e300],
      expected: '- 1.0e+21\n- 1.0e-7\n- 1.5e+300\n',
    },
    { name: 'negative zero as zero', input: -0, expected: '0\n' },
    { name: 'several lines', input: { a: 'x\ny\n' }, expected: 'a: |\n  x\n  y\n' },
    { name: 'several lines, none at the end', input: { a: 'x\n\n  y' }, expected: 'a: |-\n  x\n\n    y\n' },
    { name: 'several lines, several breaks at the end', input: { a: 'x\n\n', b: 1 }, expected: 'a: |+\n  x\n\nb: 1\n' },
    { name: 'lines with tabs inside', input: ['x\n\ty\tz\n'], expected: '- |\n  x\n  \ty\tz\n' },
    { name: 'an indented first line', input: ' x\ny\n', expected: '" x\\ny\\n"\n' },
    { name: 'an empty first line', input: '\nx\n', expected: '"\\nx\\n"\n' },
    { name: 'blanks at the end of a line', input: 'x \ny\n', expected: '"x \\ny\\n"\n' },
    { name: 'carriage returns', input: 'x\r\ny\r\n', expected: '"x\\r\\ny\\r\\n"\n' },
  ];
  it.each(cases)('writes $name', ({ input, expected }) => {
    expect(toYaml(input)).toBe(expected);
  });
});

describe('toYaml, collections', () => {
  const cases: { name: string; input: JsonValue; expected: string }[] = [
    { name: 'empty ones', input: { a: {}, b: [], c: [{}, []] }, expected: 'a: {}\nb: []\nc:\n  - {}\n  - []\n' },
    {
      name: 'lists of maps',
      input: {
        env: [
          { value: 'x', name: 'A' },
          { name: 'B', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        ],
      },
      expected:
        'env:\n  - name: A\n    value: x\n  - name: B\n    valueFrom:\n      fieldRef:\n        fieldPath: spec.nodeName\n',
    },
    { name: 'lists of lists', input: [[1, [2]], [[]]], expected: '- - 1\n  - - 2\n- - []\n' },
    {
      name: 'what a reader looks for first',
      input: { spec: 1, metadata: { labels: {}, namespace: 'a', name: 'b' }, kind: 'K', apiVersion: 'v1', Zeta: 0 },
      expected: 'apiVersion: v1\nkind: K\nmetadata:\n  name: b\n  namespace: a\n  labels: {}\nZeta: 0\nspec: 1\n',
    },
    { name: 'keys by code unit', input: { b: 1, a: 2, B: 3, ä: 4 }, expected: 'B: 3\na: 2\nb: 1\n"ä": 4\n' },
    { name: 'a name that is not text in its place', input: { name: {}, a: 1 }, expected: 'a: 1\nname: {}\n' },
  ];
  it.each(cases)('writes $name', ({ input, expected }) => {
    expect(toYaml(input)).toBe(expected);
  });

  it('keeps __proto__ and constructor as keys', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonValue;
    expect(toYaml(value)).toBe('"__proto__":\n  a: 1\nconstructor: 2\n');
  });

  it('marks keys that are too long for one line', () => {
    const key = 'k'.repeat(1100);
    for (const value of ['x', 'x\ny\n', [1, [2]], { a: { b: 1 } }, [], {}]) {
      expectSameInBothVersions({ a: [{ [key]: value, z: 1 }] });
    }
  });

  it('repeats a shared reference in full', () => {
    const shared = { a: 1 };
    expect(toYaml([shared, shared])).toBe('- a: 1\n- a: 1\n');
  });
});

describe('toYaml, what is not JSON', () => {
  const cases: { name: string; input: unknown; message: string }[] = [
    { name: 'undefined in a map', input: { spec: { a: undefined } }, message: 'undefined, at $.spec.a' },
    { name: 'a hole in a list', input: { a: new Array(1) }, message: 'undefined, at $.a[0]' },
    { name: 'not a number', input: [NaN], message: 'NaN, at $[0]' },
    { name: 'infinity', input: -Infinity, message: '-Infinity, at $' },
    { name: 'a bigint', input: [1n], message: 'bigint, at $[0]' },
    { name: 'a function', input: { a: () => 1 }, message: 'function, at $.a' },
    { name: 'a date', input: { a: new Date(0) }, message: '[object Date], at $.a' },
    { name: 'a map', input: { a: new Map() }, message: '[object Map], at $.a' },
  ];
  it.each(cases)('refuses $name', ({ input, message }) => {
    expect(() => toYaml(input as JsonValue)).toThrow(new TypeError(`not a JSON value: ${message}`));
  });
});

describe('toYaml, any JSON', () => {
  const words = fc.constantFrom(...QUOTED, ...PLAIN);
  const pieces = fc.constantFrom(
    ...' \t\n\r:#-?\'"\\|>&*!%@`,[]{}=~_.+0123456789aefnoxyTZ\u0085\u2028\ufeff\u0000é😀\ud800'.split(''),
  );
  const text = fc.oneof(
    words,
    fc.array(fc.oneof(pieces, words), { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(fc.oneof(fc.string(), words), { maxLength: 4 }).map((lines) => lines.join('\n')),
    fc.string({ unit: 'binary' }),
  );
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value));
  const { value: anyJson } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      text,
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      number,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(fc.oneof(text, fc.constantFrom('name', 'namespace', 'kind', 'apiVersion')), tie('value'), {
        maxKeys: 5,
      }),
    ),
  }));

  it('is read back the same by YAML 1.1 and 1.2', () => {
    fc.assert(fc.property(anyJson, expectSameInBothVersions), runsOf(100, 1500));
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(toYaml(reversed(value))).toBe(toYaml(value));
      }),
      runsOf(30, 300),
    );
  });

  it('has no line that ends in a blank', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(toYaml(value)).not.toMatch(/[ \t]\n/);
      }),
      runsOf(30, 300),
    );
  });
});

describe('orderKeys', () => {
  it('puts what identifies an object first', () => {
    const keys = orderKeys({ a: 1, namespace: 'x', name: 'y', metadata: {}, kind: 'K', apiVersion: 'v1' });
    expect(keys).toEqual(['apiVersion', 'kind', 'metadata', 'name', 'namespace', 'a']);
  });
});

/** By entries and not by `toEqual`, which takes an own `__proto__` for the prototype. */
function expectSameInBothVersions(value: JsonValue): void {
  const written = toYaml(value);
  for (const version of ['1.1', '1.2'] as const) {
    expect(flat(parse(written, { version, maxAliasCount: 0 }))).toEqual(flat(value));
  }
  const own = readOwnYaml(written);
  if (own !== undefined) expect(flat(own)).toEqual(flat(value));
}

function flat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value !== 'object' || value === null) return value;
  return [
    'map',
    ...Object.keys(value)
      .sort()
      .map((key) => [key, flat((value as Record<string, unknown>)[key])]),
  ];
}

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const map = value as { readonly [key: string]: JsonValue };
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(map).reverse()) {
    Object.defineProperty(result, key, { value: reversed(map[key] ?? null), enumerable: true });
  }
  return result;
}
