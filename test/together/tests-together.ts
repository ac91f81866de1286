import { describe } from '@jest/globals';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { filesBelow } from '../kit/files.js';
import { testFiles } from './test-files.js';

const { together, alone, inCheck, onlyInCi } = testFiles();
const elsewhere = new Set([...alone, ...inCheck, ...onlyInCi].map((name) => `${name}.test.ts`));

/** Runs the tests of a group of `test/jest/files.json`. */
export function testTogether(group: string): void {
  const load = createRequire(join(process.cwd(), 'package.json'));
  const paths = (together[group] ?? []).flatMap(filesBelow).filter((path) => path.endsWith('.test.ts'));
  for (const path of paths) {
    if (elsewhere.has(path) || /^test\/(?:cluster|together)\//.test(path)) continue;
    describe(path, () => void load(join(process.cwd(), path)));
  }
}
