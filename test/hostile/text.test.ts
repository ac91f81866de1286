import { describe, expect, it } from '@jest/globals';
import { PLAIN_CLUSTER } from '../golden/compile.js';
import {
  CLUSTER,
  put,
  weft,
  codesIn,
  expectRefused,
  policy,
  network,
  configMap,
  type Files,
  setUpFolder,
} from './kit.js';

setUpFolder();

const letters = Array.from('bcdefghijkl');
const aliasBomb = ['x: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]']
  .concat(letters.map((letter, at) => `${letter}: &${letter} [${`*${letters[at - 1] ?? 'a'}, `.repeat(9)}]`))
  .join('\n');

describe('text', () => {
  const one = (content: string | Buffer): Files => ({ ...CLUSTER, 'clusters/east/policy.yaml': content });
  const cases: { name: string; files: Files; codes: readonly string[] }[] = [
    { name: 'an alias bomb', files: one(policy('').replace('spec:\n', '') + aliasBomb), codes: ['WEFT0005'] },
    { name: 'an alias of itself', files: one(`a: &a [*a]\n`), codes: ['WEFT0005'] },
    {
      name: 'the key __proto__',
      files: one(policy('  __proto__: {ofedDriver: {}}\n')),
      codes: ['WEFT0106'],
    },
    {
      name: 'the key constructor',
      files: one(policy('  constructor: {prototype: {x: 1}}\n')),
      codes: ['WEFT0106'],
    },
    {
      name: 'such keys in data',
      files: one(configMap('a').replace('{a: b}', '{__proto__: x, constructor: y}')),
      codes: ['WEFT0106'],
    },
    {
      name: 'such a kind',
      files: one('apiVersion: __proto__\nkind: constructor\nmetadata: {name: a}\n'),
      codes: ['WEFT0143'],
    },
    { name: 'terminal escapes in a key', files: one(policy('  "\\e]0;title\\a": 1\n')), codes: ['WEFT0140'] },
    {
      name: 'terminal escapes in a value',
      files: one(policy('  ofedDriver: {version: "\\e[31mred"}\n')),
      codes: ['WEFT0210'],
    },
    { name: 'raw escapes', files: one('a: \x1b[31m\n'), codes: ['WEFT0007'] },
    { name: 'bidi controls', files: one(policy('  ofedDriver: {version: "1\u202e2"}\n')), codes: ['WEFT0210'] },
    { name: 'a bidi control in a key', files: one(policy('  a\u2066b: 1\n')), codes: ['WEFT0140'] },
    { name: 'bad UTF-8', files: one(Buffer.from([0x61, 0x3a, 0x20, 0xc3, 0x28, 0x0a])), codes: ['WEFT0025'] },
    { name: 'UTF-16', files: one(Buffer.from('\ufeffkind: a\n', 'utf16le')), codes: ['WEFT0025'] },
    { name: 'a tab', files: one('a:\n\tb: 1\n'), codes: ['WEFT0001'] },
    { name: 'NUL', files: one('a: \0\n'), codes: ['WEFT0007'] },
    { name: 'NUL only', files: one(Buffer.alloc(100_000)), codes: ['WEFT0007'] },
    {
      name: 'half of a surrogate pair',
      files: one(configMap('a').replace('{a: b}', '{a: "\\ud800"}')),
      codes: ['WEFT0007'],
    },
    { name: 'deep brackets', files: one(`a: ${'['.repeat(100_000)}`), codes: ['WEFT0011'] },
    {
      name: 'brackets of some depth',
      files: one(`a: ${'['.repeat(4_000)}${']'.repeat(4_000)}\n`),
      codes: ['WEFT0006'],
    },
    {
      name: 'deep mappings',
      files: one(Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')),
      codes: ['WEFT0006'],
    },
    { name: 'deep dashes', files: one(`${'- '.repeat(3_000)}a\n`), codes: ['WEFT0006'] },
    { name: 'deep JSON text', files: one(network('a', `{ipam: '${'['.repeat(200_000)}'}`)), codes: ['WEFT0143'] },
    {
      name: 'deep JSON text that is closed',
      files: one(network('a', `{ipam: '{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}'}`)),
      codes: ['WEFT0143'],
    },
    {
      name: 'a number without end',
      files: one(policy(`  ofedDriver: {terminationGracePeriodSeconds: ${'9'.repeat(100_000)}}\n`)),
      codes: ['WEFT0142'],
    },
  ];

  it.each(cases)('$name', async ({ files, codes }) => {
    put(files);
    const result = await weft('synth');
    expectRefused(result);
    expect(codesIn(result.stderr)).toEqual(expect.arrayContaining([...codes].slice(0, 1)));
  });

  it('CRLF and a byte order mark change nothing', async () => {
    put({ 'clusters/east/cluster.yaml': PLAIN_CLUSTER });
    const plain = await weft('synth', '-o', 'yaml');
    put({ 'clusters/east/cluster.yaml': `\ufeff${PLAIN_CLUSTER.replaceAll('\n', '\r\n')}` });
    expect(await weft('synth', '-o', 'yaml')).toEqual(plain);
    expect(plain.exit).toBe(0);
  });
});
