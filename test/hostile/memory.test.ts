import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isEveryCase } from '../kit/shares.js';
import {
  CLUSTER,
  HANG_MS,
  cwd,
  put,
  codesIn,
  expectRefused,
  policy,
  network,
  configMap,
  spawnWeft,
  setUpFolder,
  setUpCommand,
} from './kit.js';

setUpFolder();
setUpCommand();

/** Inputs above ten megabytes, and those with thousands of errors, take a second each. */
const itWithAllCases = isEveryCase ? it : it.skip;

interface Case {
  readonly name: string;
  readonly text: () => string;
  readonly exit: number;
}

function expectSmall({ text, exit }: Case): void {
  const input = text();
  put({ ...CLUSTER, 'clusters/east/big.yaml': input });
  const result = spawnWeft('synth', '-o', 'json');
  expect({ exit: result.exit, isBug: /bug of Weft/.test(result.stderr) }).toEqual({ exit, isBug: false });
  expect(result.peakMebibytes).toBeLessThan(192 + (4 * input.length) / 2 ** 20);
}

interface SaidCase {
  readonly name: string;
  readonly text: () => string;
  readonly format: string;
}

function expectSmallAnswer({ text, format }: SaidCase): void {
  const input = text();
  put({ ...CLUSTER, 'clusters/east/big.yaml': input });
  const result = spawnWeft('synth', '--format', format);
  expect({ exit: result.exit, isBug: /bug of Weft/.test(result.stderr) }).toEqual({ exit: 2, isBug: false });
  expect(result.stderr.length).toBeLessThan(200_000);
  expect(result.peakMebibytes).toBeLessThan(192 + (4 * input.length) / 2 ** 20);
}

describe('memory is at most four times the input and 192 MiB', () => {
  const many = (count: number, part: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => part(at)).join('');
  const spec = policy('');
  const cases: readonly Case[] = [
    { name: 'as many documents as are read', text: () => many(1_490, (at) => `---\n${network(`n${at}`)}`), exit: 0 },
    { name: 'a syntax error in each', text: () => '---\na: [\n'.repeat(100_000), exit: 2 },
    { name: 'tags', text: () => `${spec}  a: [${'!x y,'.repeat(3_000)}]\n`, exit: 2 },
    { name: 'directives', text: () => '%YAML 1.1\n---\n'.repeat(100_000), exit: 2 },
    {
      name: 'ConfigMaps of a megabyte',
      text: () =>
        many(5, (at) => `---\n${configMap(`a${at}`).replace('{a: b}', `\n  a: |\n${'    text\n'.repeat(110_000)}`)}`),
      exit: 0,
    },
  ];

  const largeCases: readonly Case[] = [
    { name: '100,000 documents', text: () => many(100_000, (at) => `---\n${network(`n${at}`)}`), exit: 2 },
    { name: 'an error in each', text: () => many(1_490, (at) => `---\n${network(`n${at}`, '{mode: x}')}`), exit: 2 },
    {
      name: 'as many values as are read',
      text: () => `${spec}  a: [${'{},'.repeat(6_500)}]\n---\n`.repeat(3),
      exit: 2,
    },
  ];

  it.each(cases)('$name', expectSmall, HANG_MS);
  itWithAllCases.each(largeCases)('$name', expectSmall, HANG_MS);

  const unknownKeys = many(50, (at) => `"x${at}": 1, `);
  const nicPolicy = `{"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy", "metadata": {"name": "nic-cluster-policy"`;
  const long: SaidCase = {
    name: '50 errors in a long line',
    text: () => `${nicPolicy}, "annotations": {"a": "${'x'.repeat(500_000)}"}}, "spec": {${unknownKeys}"y": 1}}`,
    format: 'json',
  };
  it.each([long])('$name, as $format', expectSmallAnswer);

  it('a file of 100 MB', () => {
    put({ ...CLUSTER, 'clusters/east/big.yaml': '' });
    truncateSync(join(cwd, 'clusters/east/big.yaml'), 100_000_000);
    const result = spawnWeft('synth');
    expectRefused(result);
    expect(codesIn(result.stderr)).toEqual(['WEFT0024']);
    expect(result.peakMebibytes).toBeLessThan(150);
  });
});
