import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fc } from '../kit/fast-check.js';
import { runsOf } from '../kit/shares.js';
import { mutated, seedFiles } from './mutate.js';
import { checkInput } from './property.js';

const seeds = seedFiles(join(__dirname, '../..'));

/** A share of the inputs of `npm run fuzz`. On a failure fast-check prints the seed and the input. */
const RUNS = runsOf(30, 1_000);

describe('mutated policies', () => {
  it('begin from real ones, some of which are accepted', () => {
    expect(seeds.length).toBeGreaterThan(20);
    expect(seeds.slice(0, 40).map(checkInput)).toContain('accepted');
  });

  it('are refused with a place, or become objects', () => {
    fc.assert(
      fc.property(mutated(seeds), (files) => void checkInput(files)),
      { ...RUNS, endOnFailure: true },
    );
  });
});
