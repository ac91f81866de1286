import { expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { filesBelow } from '../../../../test/kit/files.js';
import { testedCodes } from '../../../../test/golden/rule-table.js';
import { rules } from './rules.js';

// The tables of all rules, those of components too. Together they load all components once, which takes longer than the tests of a rule.
const load = createRequire(join(process.cwd(), 'package.json'));
for (const path of filesBelow('src')) if (path.endsWith('.table.ts')) load(join(process.cwd(), path));

it('every rule has a table', () => {
  expect(rules.map(({ code }) => code).filter((code) => !testedCodes.has(code))).toEqual([]);
});
