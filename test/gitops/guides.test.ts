import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GUIDES, guidePaths, writeGuide } from './guide-project.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'weft-guide-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each(GUIDES)('the files of docs/guide/%s.md become those that it names', async (guide) => {
  await writeGuide(guide, folder);
  const paths = guidePaths(guide);
  expect(paths.length).toBeGreaterThan(1);
  expect(paths.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});
