import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { input } from '../generate/input.js';
import { compile, type Files } from '../golden/compile.js';
import { mutated, seedFiles } from './mutate.js';
import { quickCheck, type QuickCheck } from './quick.js';

const root = join(__dirname, '../..');
const seeds = seedFiles(root);

/** A share of what `npm run fuzz` runs. On a failure fast-check prints the seed and the input. */
const RUNS = 150;

const isAccepted = (files: Files): boolean => compile(files).diagnostics.every(({ severity }) => severity !== 'error');

describe('the schemas of the quick bundle', () => {
  let folder: string;
  let check: QuickCheck;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-quick-'));
    check = await quickCheck(root, folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('hold for every real input that is accepted', () => {
    const accepted = seeds.filter(isAccepted);
    expect(accepted.length).toBeGreaterThan(20);
    expect(accepted.filter((files) => check(files) === 'left to zod')).toEqual([]);
  });

  it('say of any input what zod says, or nothing', () => {
    const counts = { 'left to zod': 0, 'the same': 0 };
    fc.assert(
      fc.property(mutated(seeds), (files) => void (counts[check(files)] += 1)),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(RUNS / 20);
  });

  it('fill in what zod fills in, whatever is left out', () => {
    fc.assert(
      fc.property(input, (documents) => {
        const files = { 'all.yaml': documents.map((one) => stringify(one, { version: '1.1' })).join('---\n') };
        if (isAccepted(files)) expect(check(files)).toBe('the same');
      }),
      { numRuns: RUNS / 5, endOnFailure: true },
    );
  });
});
