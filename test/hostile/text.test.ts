import { describe, expect, it } from '@jest/globals';
import { PLAIN_CLUSTER } from '../golden/compile.js';
import { CLUSTER, put, weft, codesIn, expectRefused, policy, network, type Files, setUpFolder } from './kit.js';

setUpFolder();

const letters = Array.from('bcdefghijkl');
const aliasBomb = ['x: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]']
  .concat(letters.map((letter, at) => `${letter}: &${letter} [${`*${letters[at - 1] ?? 'a'}, `.repeat(9)}]`))
  .join('\n');

/** `src/compile/load/yaml/errors.test.ts` has the errors of YAML. */
describe('text', () => {
  const one = (content: string | Buffer): Files => ({ ...CLUSTER, 'clusters/east/policy.yaml': content });
  const cases: { name: string; files: Files; codes: readonly string[] }[] = [
    { name: 'an alias bomb', files: one(policy('').replace('spec:\n', '') + aliasBomb), codes: ['WEFT0005'] },
    {
      name: 'the key __proto__',
      files: one(policy('  __proto__: {ofedDriver: {}}\n')),
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
    { name: 'bidi controls', files: one(policy('  ofedDriver: {version: "1\u202e2"}\n')), codes: ['WEFT0210'] },
    { name: 'a bidi control in a key', files: one(policy('  a\u2066b: 1\n')), codes: ['WEFT0140'] },
    { name: 'bad UTF-8', files: one(Buffer.from([0x61, 0x3a, 0x20, 0xc3, 0x28, 0x0a])), codes: ['WEFT0025'] },
    { name: 'NUL only', files: one(Buffer.alloc(100_000)), codes: ['WEFT0007'] },
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
