import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { filesBelow } from './kit/files.js';
import { testFiles } from './together/test-files.js';

/** `test/jest/files.json`, by which `npm test` and `.ci/run` choose what they run. */
const { together, ...lists } = testFiles();
const isTest = (path: string) => path.endsWith('.test.ts');
const files = ['src', 'test']
  .flatMap(filesBelow)
  .filter((path) => isTest(path) && !/^test\/(?:cluster|together)\//.test(path));

it('every test file is in one group of folders, and every group is run', () => {
  const folders = Object.values(together).flat();
  expect(files.filter((path) => folders.filter((folder) => path.startsWith(`${folder}/`)).length !== 1)).toEqual([]);
  const groups = Object.keys(together).map((group) => `test/together/${group}.test.ts`);
  expect(groups).toEqual(filesBelow('test/together').filter(isTest));
  for (const group of Object.keys(together))
    expect(readFileSync(`test/together/${group}.test.ts`, 'utf8')).toContain(`testTogether('${group}');`);
});

it('the lists name only files that exist, and .ci/run tries all cases of each file that takes a share', () => {
  const pathsOf = (names: readonly string[]) => names.map((name) => `${name}.test.ts`);
  expect(pathsOf(Object.values(lists).flat()).filter((path) => !files.includes(path))).toEqual([]);
  const inCi = pathsOf([...lists.onlyInCi, ...lists.shares]);
  const takesShare = (path: string) => /from '[./]+kit\/shares\.js'/.test(readFileSync(path, 'utf8'));
  expect(files.filter((path) => takesShare(path) && !inCi.includes(path))).toEqual([]);
});
