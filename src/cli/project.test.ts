import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eachOnce, findProject, outputFolderOf } from './project.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-project-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('findProject', () => {
  it('finds clusters/ in a folder above, and the folders in it, sorted', () => {
    for (const name of ['b', 'B', 'a10', 'a9', '.hidden']) mkdirSync(join(root, 'clusters', name), { recursive: true });
    writeFileSync(join(root, 'clusters/notes.txt'), '');
    symlinkSync(join(root, 'clusters/a9'), join(root, 'clusters/link'));
    symlinkSync(join(root, 'nowhere'), join(root, 'clusters/broken'));
    mkdirSync(join(root, 'deep/er'), { recursive: true });
    const folders = ['B', 'a10', 'a9', 'b', 'link'].map((name) => join(root, 'clusters', name));
    expect(findProject(join(root, 'deep/er'))).toEqual({ project: { root, folders } });
    expect(findProject(join(root, 'clusters/b'))).toEqual({ project: { root, folders } });
  });

  it('takes a file of that name for something else', () => {
    mkdirSync(join(root, 'clusters'));
    mkdirSync(join(root, 'inner'));
    writeFileSync(join(root, 'inner/clusters'), '');
    expect(findProject(join(root, 'inner'))).toEqual({ project: { root, folders: [] } });
  });

  it('says where it looked', () => {
    const found = findProject(root);
    expect('looked' in found && found.looked.slice(0, 1)).toEqual([join(root, 'clusters')]);
    expect('looked' in found && found.looked.at(-1)).toBe('/clusters');
  });
});

describe('eachOnce', () => {
  it('keeps the first name of each folder', () => {
    expect(eachOnce(['c/e', 'c/f', './c/e/', '/r/c/f'], '/r')).toEqual(['c/e', 'c/f']);
  });
});

describe('outputFolderOf', () => {
  it('is in the project of the folder, then of the working directory, then in the working directory', () => {
    for (const name of ['one/clusters/a', 'two/clusters/b', 'none/c']) mkdirSync(join(root, name), { recursive: true });
    const [one, two, none] = ['one', 'two', 'none'].map((name) => join(root, name)) as [string, string, string];
    expect(outputFolderOf(join(two, 'clusters/b'), one)).toBe(join(two, 'dist'));
    expect(outputFolderOf(join(none, 'c'), one)).toBe(join(one, 'dist'));
    expect(outputFolderOf(join(none, 'c'), none)).toBe(join(none, 'dist'));
  });
});
