import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { fc } from '../kit/fast-check.js';
import { runsOf } from '../kit/shares.js';
import { mutatedObjects } from './objects.js';
import { checkReader } from './property.js';
import { readersIn } from './readers.js';

const root = mkdtempSync(join(tmpdir(), 'weft-fuzz-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A share of the inputs of `npm run fuzz -- --reader …`. */
const RUNS = runsOf(8, 250);

describe('objects of others', () => {
  it.each(readersIn(root))('are accepted or refused by weft $name', async (reader) => {
    const seed = await reader.seed();
    const { exit, stderr } = await reader.read(seed, 0);
    expect(exit === 2 || exit === 3 ? stderr : '').toBe('');
    await fc.assert(
      fc.asyncProperty(mutatedObjects(seed), fc.nat(), (mutated, number) => checkReader(reader, mutated, number)),
      RUNS,
    );
  });
});
