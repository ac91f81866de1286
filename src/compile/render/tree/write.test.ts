import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { isEveryCase } from '../../../../test/kit/shares.js';
import { writeTree } from '../../../../test/kit/write-tree.js';
import type { OutputFile } from '../layout.js';
import { withHeader, withoutHeader } from './header.js';
import { formatIndex, INDEX_PATH } from './manifest-index.js';
import type { Disk } from './disk.js';
import { checkTree, createTreeWriter } from './write.js';
import type { Tree } from './write-plan.js';

let base = '';
let root = '';

beforeEach(() => {
  base = fs.mkdtempSync(join(tmpdir(), 'weft-write-'));
  root = join(base, 'out', 'east');
});
afterEach(() => fs.rmSync(base, { recursive: true }));

const SOURCE = 'clusters/east';

function files(tree: Readonly<Record<string, string>>): Tree {
  return treeOf(Object.entries(tree).map(([path, text]) => ({ path, text })));
}

function treeOf(list: readonly OutputFile[]): Tree {
  return { source: SOURCE, facts: [], bases: [], files: list };
}

/** The text that is written. */
function made(path: string, text: string): string {
  return withHeader({ path, text }, SOURCE).text;
}

function put(path: string, text: string): void {
  fs.mkdirSync(join(root, path, '..'), { recursive: true });
  fs.writeFileSync(join(root, path), text);
}

/** All files below the folder with their content, the index and our first lines left out; folders without a file end in `/`. */
function readTree(folder = root, prefix = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = prefix + entry.name;
    const full = join(folder, entry.name);
    if (entry.isDirectory()) {
      const below = readTree(full, `${path}/`);
      Object.assign(tree, Object.keys(below).length === 0 ? { [`${path}/`]: '' } : below);
    } else if (path !== INDEX_PATH) tree[path] = withoutHeader(fs.readFileSync(full, 'utf8'));
  }
  return tree;
}

const summary = (lists: object): object => ({
  kind: 'done',
  summary: { added: [], changed: [], removed: [], kept: [], unchanged: 0, ...lists },
});

const OLD = { 'a/1.yaml': 'one\n', 'a/2.yaml': 'two\n', 'b/3.yaml': 'three\n', 'same.yaml': 'same\n' };
const NEW = { 'a/1.yaml': 'uno\n', 'c/d/4.yaml': 'four\n', 'same.yaml': 'same\n' };

describe('writeTree', () => {
  it('adds, changes and removes, and leaves alone what is equal', async () => {
    expect(await checkTree(root, files(OLD))).toEqual(summary({ added: Object.keys(OLD) }));
    expect(fs.existsSync(root)).toBe(false);
    expect(await writeTree(root, files(OLD))).toEqual(summary({ added: Object.keys(OLD) }));
    expect(readTree()).toEqual(OLD);
    fs.utimesSync(join(root, 'same.yaml'), 1000, 1000);

    const change = { added: ['c/d/4.yaml'], changed: ['a/1.yaml'], removed: ['a/2.yaml', 'b/3.yaml'], unchanged: 1 };
    expect(await checkTree(root, files(NEW))).toEqual(summary(change));
    expect(readTree()).toEqual(OLD);
    expect(await writeTree(root, files(NEW))).toEqual(summary(change));
    expect(readTree()).toEqual(NEW);
    expect(fs.statSync(join(root, 'same.yaml')).mtimeMs).toBe(1_000_000);
    const index = fs.readFileSync(join(root, INDEX_PATH), 'utf8');
    expect(index).toBe(formatIndex({ source: SOURCE, facts: [], bases: [], paths: Object.keys(NEW) }));
    expect(fs.readFileSync(join(root, 'a/1.yaml'), 'utf8')).toBe(
      '# Made by weft synth from clusters/east, do not edit: a/1.yaml\nuno\n',
    );

    expect(await writeTree(root, files(NEW))).toEqual(summary({ unchanged: 3 }));
    expect(await checkTree(root, files(NEW))).toEqual(summary({ unchanged: 3 }));
  });

  it('keeps what others put there, also in a folder that becomes ours no more', async () => {
    await writeTree(root, files(OLD));
    put('b/note.txt', 'mine');
    put('README.md', 'mine too');
    await writeTree(root, files(NEW));
    expect(readTree()).toEqual({ ...NEW, 'b/note.txt': 'mine', 'README.md': 'mine too' });
  });

  it('puts back a file that was edited, but does not remove it', async () => {
    await writeTree(root, files(OLD));
    put('a/1.yaml', 'edited');
    put('a/2.yaml', 'edited');
    fs.rmSync(join(root, 'same.yaml'));
    const found = { added: ['same.yaml'], changed: ['a/1.yaml', 'a/2.yaml'], unchanged: 1 };
    expect(await checkTree(root, files(OLD))).toEqual(summary(found));
    const change = {
      added: ['c/d/4.yaml', 'same.yaml'],
      changed: ['a/1.yaml'],
      removed: ['b/3.yaml'],
      kept: ['a/2.yaml'],
    };
    expect(await writeTree(root, files(NEW))).toEqual(summary(change));
    expect(readTree()).toEqual({ ...NEW, 'a/2.yaml': 'edited' });
    expect(await writeTree(root, files(NEW))).toEqual(summary({ unchanged: 3 }));
  });

  it('writes nothing over a file that is not ours', async () => {
    put('a/1.yaml', 'theirs');
    put('same.yaml', made('same.yaml', 'same\n'));
    fs.mkdirSync(join(root, 'a/2.yaml'));
    expect(await checkTree(root, files(OLD))).toEqual({ kind: 'conflict', paths: ['a/1.yaml', 'a/2.yaml'] });
    expect(await writeTree(root, files(OLD))).toEqual({ kind: 'conflict', paths: ['a/1.yaml', 'a/2.yaml'] });
    expect(readTree()).toEqual({ 'a/1.yaml': 'theirs', 'same.yaml': 'same\n', 'a/2.yaml/': '' });
  });

  it('takes over equal files when the index is lost, and says so', async () => {
    await writeTree(root, files(OLD));
    fs.rmSync(join(root, INDEX_PATH));
    expect(await checkTree(root, files(OLD))).toEqual(summary({ added: [INDEX_PATH], unchanged: 4 }));
    expect(await writeTree(root, files(OLD))).toEqual(summary({ added: [INDEX_PATH], unchanged: 4 }));
    expect(await checkTree(root, files(OLD))).toEqual(summary({ unchanged: 4 }));
  });

  it('removes all that is ours when there is nothing to write', async () => {
    await writeTree(root, files(OLD));
    expect(await writeTree(root, files({}))).toEqual(summary({ removed: Object.keys(OLD) }));
    expect(fs.existsSync(root)).toBe(false);
  });

  it('says where the index is none and touches nothing', async () => {
    await writeTree(root, files(OLD));
    put(INDEX_PATH, 'a list of mine\n');
    const reason = 'its first line is not that of an index of Weft';
    const outcome = { kind: 'broken-index', path: INDEX_PATH, reason };
    expect(await writeTree(root, files(NEW))).toEqual(outcome);
    expect(await checkTree(root, files(NEW))).toEqual(outcome);
    expect(readTree()).toEqual(OLD);
  });

  it('reads no index of any size', async () => {
    await writeTree(root, files(OLD));
    fs.truncateSync(join(root, INDEX_PATH), 2 ** 36);
    const outcome = { kind: 'broken-index', path: INDEX_PATH, reason: expect.stringContaining('at most') as unknown };
    expect(await checkTree(root, files(NEW))).toEqual(outcome);
  });

  it.each(['../x', '/x', 'a/../x', '.git/x', '.weft.lock', INDEX_PATH])('refuses the path %s', async (path) => {
    await expect(writeTree(root, treeOf([{ path, text: '' }]))).rejects.toThrow('unsafe output path');
  });

  it('reports what the operating system refuses', async () => {
    put('a', 'a file');
    expect(await writeTree(join(root, 'a'), files(OLD))).toMatchObject({ kind: 'failed', code: 'EEXIST' });
  });
});

describe('writeTree and symbolic links', () => {
  it('follows none, neither to write nor to remove', async () => {
    await writeTree(root, files(OLD));
    const outside = join(base, 'outside');
    fs.renameSync(join(root, 'a'), outside);
    fs.symlinkSync(outside, join(root, 'a'));
    expect(await writeTree(root, files(OLD))).toEqual({ kind: 'conflict', paths: ['a/1.yaml', 'a/2.yaml'] });
    const rest = { 'same.yaml': 'same\n' };
    const change = { removed: ['b/3.yaml'], kept: ['a/1.yaml', 'a/2.yaml'], unchanged: 1 };
    expect(await writeTree(root, files(rest))).toEqual(summary(change));
    expect(readTree(outside)).toEqual({ '1.yaml': 'one\n', '2.yaml': 'two\n' });
  });

  it.each(['same.yaml', INDEX_PATH, '.weft.tmp'])('does not write through %s', async (path) => {
    const outside = join(base, 'outside');
    fs.mkdirSync(root, { recursive: true });
    fs.symlinkSync(outside, join(root, path));
    expect(await writeTree(root, files({ 'same.yaml': 'x' }))).toMatchObject({ kind: 'conflict' });
    expect(fs.existsSync(outside)).toBe(false);
  });

  it('ends where a folder cannot be made', async () => {
    fs.writeFileSync(join(base, 'file'), '');
    const outcome = await writeTree(join(base, 'file/east'), files(OLD));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'ENOTDIR' });
  });

  it('accepts an output folder that is itself a link', async () => {
    fs.mkdirSync(join(base, 'real'));
    fs.symlinkSync(join(base, 'real'), join(base, 'link'));
    await writeTree(join(base, 'link'), files(OLD));
    expect(readTree(join(base, 'real'))).toEqual(OLD);
  });
});

describe('writeTree, stopped in the middle', () => {
  /** A disk that works for so many steps and then never again, as for a process that is killed. */
  function diesAfter(steps: number, error: Error): Disk {
    let left = steps;
    return new Proxy(fs, {
      get:
        (disk, key: keyof Disk) =>
        (...args: readonly unknown[]) => {
          if (left === 0) throw error;
          left -= 1;
          return (disk[key] as (...args: readonly unknown[]) => unknown)(...args);
        },
    });
  }

  /** The lock of a killed run is as old as it is after some seconds. */
  function loseOwner(): void {
    const lock = join(root, '.weft.lock');
    if (fs.existsSync(lock)) fs.utimesSync(lock, 1000, 1000);
  }

  /** Runs until the run gets through, one step further each time; calls `inspect` after each death. */
  async function killEverywhere(inspect: () => Promise<void>): Promise<number> {
    for (let steps = 0; ; steps += 1) {
      fs.rmSync(root, { recursive: true, force: true });
      await writeTree(root, files(OLD));
      put('b/note.txt', 'mine');
      const outcome = await writeTree(root, files(NEW), { disk: diesAfter(steps, new Error('killed')) }).catch(
        () => 'killed',
      );
      if (outcome !== 'killed') return steps;
      loseOwner();
      await inspect();
    }
  }

  it('holds only whole files, and the next run finishes', async () => {
    const whole = new Set([...Object.values(OLD), ...Object.values(NEW), 'mine']);
    const steps = await killEverywhere(async () => {
      const found = Object.entries(readTree()).filter(([path]) => !path.startsWith('.weft.') && !path.endsWith('/'));
      expect(found.filter(([, text]) => !whole.has(text))).toEqual([]);
      expect(await writeTree(root, files(NEW))).toMatchObject({ kind: 'done' });
      expect(readTree()).toEqual({ ...NEW, 'b/note.txt': 'mine' });
    });
    expect(steps).toBeGreaterThan(15);
  });

  it('leaves a tree that a run with other input finishes too, knowing which files are ours', async () => {
    const other = { 'a/2.yaml': 'zwei\n', 'e.yaml': 'e\n' };
    await killEverywhere(async () => {
      // A check refuses files of others, what the killed run did not move, and its lock.
      const aside = ['b/note.txt', '.weft.tmp', '.weft.lock'].filter((path) => fs.existsSync(join(root, path)));
      for (const path of aside) fs.renameSync(join(root, path), join(base, basename(path)));
      const b = join(root, 'b');
      if (fs.readdirSync(b).length === 0) fs.rmdirSync(b);
      const check = await checkTree(root, files(other));
      fs.mkdirSync(b, { recursive: true });
      for (const path of aside) fs.renameSync(join(base, basename(path)), join(root, path));
      expect(await writeTree(root, files(other))).toEqual(check);
      expect(readTree()).toEqual({ ...other, 'b/note.txt': 'mine' });
    });
  });

  it('remembers what is ours when the next run is killed too', async () => {
    const other = { 'e.yaml': 'e\n' };
    for (const steps of isEveryCase ? [3, 6, 9, 12, 15] : [9]) {
      await killEverywhere(async () => {
        await writeTree(root, files(other), { disk: diesAfter(steps, new Error('killed')) }).catch(() => undefined);
        loseOwner();
        await writeTree(root, files({}));
        // Git does not see a folder without files.
        expect(Object.keys(readTree()).filter((path) => !path.endsWith('/'))).toEqual(['b/note.txt']);
      });
    }
  });

  it('has a list of files that are all there, and every object of both trees, at each moment', async () => {
    const listed = (tree: Record<string, string>) => ({ ...tree, 'list.txt': Object.keys(tree).join('\n') });
    const both = Object.keys(OLD).filter((path) => path in NEW);
    for (let steps = 0; ; steps += 1) {
      fs.rmSync(root, { recursive: true, force: true });
      await writeTree(root, files(listed(OLD)));
      const disk = diesAfter(steps, new Error('killed'));
      const outcome = await writeTree(root, files(listed(NEW)), { disk }).catch(() => 'killed');
      const found = readTree();
      const names = (found['list.txt'] ?? '').split('\n');
      expect(names.filter((path) => !(path in found))).toEqual([]);
      expect(both.filter((path) => !(path in found))).toEqual([]);
      if (outcome !== 'killed') return;
      loseOwner();
    }
  });

  it('shows a folder that is new with all its files', async () => {
    const fresh = { 'fresh/1.yaml': 'one\n', 'fresh/2.yaml': 'two\n', 'fresh/in/3.yaml': 'three\n' };
    for (let steps = 0; ; steps += 1) {
      fs.rmSync(root, { recursive: true, force: true });
      await writeTree(root, files(OLD));
      const disk = diesAfter(steps, new Error('killed'));
      const outcome = await writeTree(root, files({ ...OLD, ...fresh }), { disk }).catch(() => 'killed');
      const found = Object.keys(readTree()).filter((path) => path.startsWith('fresh/'));
      expect([[], Object.keys(fresh)]).toContainEqual(found);
      if (outcome !== 'killed') return;
      loseOwner();
    }
  });

  it('changes the letters of a name on every file system', async () => {
    await writeTree(root, files({ 'a/Name.yaml': 'one' }));
    expect(await writeTree(root, files({ 'a/name.yaml': 'one' }))).toMatchObject({ kind: 'done' });
    expect(readTree()).toEqual({ 'a/name.yaml': 'one' });
  });

  it('leaves the old tree and no lock when the process exits', async () => {
    await writeTree(root, files(OLD));
    const before = process.rawListeners('exit');
    const run = writeTree(root, treeOf([...files(NEW).files, ...many('x').files]));
    await new Promise((resolve) => setTimeout(resolve, 0));
    const added = process.rawListeners('exit').filter((listener) => !before.includes(listener));
    for (const listener of added) (listener as () => void)();
    expect(readTree()).toEqual(OLD);
    await run.catch(() => undefined);
    expect(process.rawListeners('exit')).toEqual(before);
  });

  it.each(['EROFS', 'EACCES', 'ENOSPC'])('leaves no empty folder where %s ends it', async (code) => {
    const failing: Disk = {
      ...fs,
      writeFileSync: (path) => {
        throw Object.assign(new Error(code), { code, syscall: 'open', path });
      },
    };
    expect(await writeTree(root, files(NEW), { disk: failing })).toMatchObject({ kind: 'failed', code });
    expect(fs.existsSync(root)).toBe(false);
  });

  it('leaves the old tree when the disk is full', async () => {
    await writeTree(root, files(OLD));
    let created = 0;
    const full: Disk = {
      ...fs,
      writeFileSync: (path, text) => {
        if (++created === 2) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write', path });
        fs.writeFileSync(path, text);
      },
    };
    expect(await writeTree(root, files(NEW), { disk: full })).toMatchObject({ kind: 'failed', code: 'ENOSPC' });
    expect(readTree()).toEqual(OLD);
  });
});

describe('a staged tree', () => {
  it('changes nothing before it is committed', async () => {
    await writeTree(root, files(OLD));
    const writer = createTreeWriter();
    const staged = await writer.stage(root, files(NEW));
    expect(readTree()).toMatchObject(OLD);
    expect(Object.keys(readTree()).filter((path) => !(path in OLD) && !path.startsWith('.weft'))).toEqual([]);
    expect(await writeTree(root, files(NEW), { pause: () => Promise.resolve() })).toEqual({ kind: 'locked' });
    expect(writer.commit()).toEqual([staged]);
    expect(readTree()).toEqual(NEW);
    expect(await writeTree(root, files(NEW))).toEqual(summary({ unchanged: 3 }));
  });

  it('leaves all as it was when it is abandoned', async () => {
    const writer = createTreeWriter();
    await writer.stage(join(root, 'dist/east'), files(NEW));
    writer.abandon();
    expect(fs.existsSync(root)).toBe(false);
    await writeTree(root, files(OLD));
    await writer.stage(root, files(NEW));
    writer.abandon();
    expect(readTree()).toEqual(OLD);
    expect(fs.readdirSync(root).filter((name) => name.startsWith('.weft'))).toEqual([]);
  });

  it('of many leaves nothing when the process exits', async () => {
    const before = process.rawListeners('exit');
    const writer = createTreeWriter();
    for (let index = 0; index < 20; index += 1) await writer.stage(join(root, String(index)), files(NEW));
    const added = process.rawListeners('exit').filter((listener) => !before.includes(listener));
    for (const listener of added) (listener as () => void)();
    expect(fs.existsSync(root)).toBe(false);
    expect(process.rawListeners('exit')).toEqual(before);
  });
});

describe('the lock', () => {
  const lockOf = (ageSeconds: number) => {
    fs.mkdirSync(join(root, '.weft.lock'), { recursive: true });
    const time = Date.now() / 1000 - ageSeconds;
    fs.utimesSync(join(root, '.weft.lock'), time, time);
  };

  it('of a run that goes on is respected', async () => {
    lockOf(0);
    const pauses: number[] = [];
    const pause = (ms: number) => Promise.resolve(pauses.push(ms));
    expect(await writeTree(root, files(OLD), { pause })).toEqual({ kind: 'locked' });
    expect(pauses.reduce((sum, ms) => sum + ms)).toBe(6_000);
    expect(fs.readdirSync(root)).toEqual(['.weft.lock']);
  });

  it('of a run that was killed holds the next run up for some seconds', async () => {
    lockOf(4.5);
    const pause = () => Promise.resolve(lockOf(5.5));
    expect(await writeTree(root, files(OLD), { pause })).toMatchObject({ kind: 'done' });
    expect(readTree()).toEqual(OLD);
  });

  it('lets two runs at once through, one after the other', async () => {
    const first = writeTree(root, many('a', 100));
    const outcomes = await Promise.all([first, writeTree(root, many('b', 100), { pause: () => first })]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(new Set(Object.values(readTree())).size).toBe(1);
  });
});

function many(text: string, count = 1000): Tree {
  return treeOf(Array.from({ length: count }, (_, index) => ({ path: `x/${index}.yaml`, text })));
}
