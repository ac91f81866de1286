import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { readRegularFile } from '../../../shared/files/read-file.js';
import { lstat, quietly } from './disk.js';
import { HEAD_BYTES } from './header.js';
import { INDEX_PATH, parseIndex } from './manifest-index.js';
import { isSafePath } from './safe-path.js';
import { planWrite, type Observed, type Tree, type WritePlan } from './write-plan.js';

/** The temporary folder. */
export const WORK_PATH = '.weft.tmp';

/** Number of steps after which the event loop runs. */
const SLICE = 256;

/** In bytes. A longer file is read completely only if the file to write is as long. */
const READ_MAX = 16 * 1024 * 1024;

/** In bytes: several hundred thousand files. */
const INDEX_MAX = 32 * 1024 * 1024;

/** This version cannot read the file at the path of the index. */
export interface BrokenIndex {
  readonly kind: 'broken-index';
  readonly path: string;
  readonly reason: string;
}

/** The path of the index is not a file, or that of the temporary folder not a folder. */
interface Conflict {
  readonly kind: 'conflict';
  readonly paths: readonly string[];
}

/** The files of a folder, and the changes to make. */
interface Survey {
  readonly kind: 'surveyed';
  readonly plan: WritePlan;
  /** No file has to be written, the index included, and no earlier run left files. */
  readonly isFinished: boolean;
}

/** Reads a folder without changing it. */
export async function survey(folder: string, tree: Tree): Promise<Survey | BrokenIndex | Conflict> {
  const work = lstat(join(folder, WORK_PATH));
  if (work && !work.isDirectory()) return { kind: 'conflict', paths: [WORK_PATH] };
  const observe = observer(folder);
  const index = loadIndex(folder, observe);
  if (index.kind !== 'loaded') return index;
  const recorded = new Set(index.paths);
  const wanted = new Map(tree.files.map(({ path, text }) => [path, text.length]));
  const observed = new Map<string, Observed>();
  const paths = new Set([...wanted.keys(), ...recorded, ...filesBelow(folder)]);
  await inSlices([...paths], (path) => {
    observed.set(path, observe(path, wanted.get(path)));
  });
  const plan = planWrite({ tree, recorded, observed, oldIndexText: index.text });
  const isFinished =
    plan.write.length + plan.remove.length === 0 && plan.indexText === index.text && work === undefined;
  return { kind: 'surveyed', plan, isFinished };
}

/** Runs a step for each item and lets the event loop run now and then. */
export async function inSlices<Item>(items: readonly Item[], step: (item: Item) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    step(item);
  }
}

type LoadedIndex = {
  readonly kind: 'loaded';
  readonly text: string | undefined;
  readonly paths: readonly string[];
};

type Observe = (path: string, wantedLength?: number) => Observed;

function loadIndex(folder: string, observe: Observe): LoadedIndex | BrokenIndex | Conflict {
  const { kind } = observe(INDEX_PATH);
  if (kind === 'blocked') return { kind: 'conflict', paths: [INDEX_PATH] };
  if (kind === 'absent') return { kind: 'loaded', text: undefined, paths: [] };
  const read = readRegularFile(join(folder, INDEX_PATH), { bytesMax: INDEX_MAX });
  if (read.kind === 'failed') throw read.error;
  if (read.kind === 'too-large') {
    const reason = `it has ${read.bytes} bytes, at most ${INDEX_MAX} are read`;
    return { kind: 'broken-index', path: INDEX_PATH, reason };
  }
  if (read.kind !== 'content') return { kind: 'conflict', paths: [INDEX_PATH] };
  const text = read.bytes.toString('utf8');
  const parsed = parseIndex(text);
  if (parsed.kind === 'broken') return { kind: 'broken-index', path: INDEX_PATH, reason: parsed.reason };
  return { kind: 'loaded', text, paths: parsed.paths };
}

/** Reads paths below the folder without following symbolic links; each folder is read once. */
function observer(root: string): Observe {
  const folders = new Map<string, 'folder' | 'absent' | 'blocked'>([['.', 'folder']]);
  const folderKind = (path: string): 'folder' | 'absent' | 'blocked' => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const parent = folderKind(dirname(path));
    const stats = parent === 'folder' ? lstat(join(root, path)) : undefined;
    const kind =
      parent !== 'folder' ? parent : stats === undefined ? 'absent' : stats.isDirectory() ? 'folder' : 'blocked';
    folders.set(path, kind);
    return kind;
  };
  return (path, wantedLength) => {
    const parent = folderKind(dirname(path));
    if (parent !== 'folder') return { kind: parent };
    const stats = lstat(join(root, path));
    if (stats === undefined) return { kind: 'absent' };
    if (!stats.isFile()) return { kind: 'blocked' };
    // UTF-8 has at most three bytes for a UTF-16 code unit; the first line is short.
    const isWhole = wantedLength !== undefined && stats.size <= Math.max(READ_MAX, 3 * wantedLength + HEAD_BYTES);
    const full = join(root, path);
    return { kind: 'file', text: isWhole ? fs.readFileSync(full, 'utf8') : headOf(full) };
  };
}

function headOf(path: string): string {
  const file = fs.openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, fs.readSync(file, head, 0, HEAD_BYTES, 0));
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Files that a merge may have left: all files below the folder with a path that Weft may write. Links are not followed,
 * and folders that may not be read are skipped.
 */
function filesBelow(root: string, folder = ''): readonly string[] {
  const found: string[] = [];
  quietly(() => {
    for (const entry of fs.readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!isSafePath(path) || path === INDEX_PATH) continue;
      if (entry.isDirectory()) found.push(...filesBelow(root, path));
      else if (entry.isFile()) found.push(path);
    }
  });
  return found;
}

/**
 * Paths of all that is no folder, and of empty folders, below a folder; links are not followed. Empty if there is no folder. An empty folder may be a
 * submodule, which other programs check out.
 */
export function allPaths(root: string, folder = ''): readonly string[] {
  if (folder === '' && lstat(root) === undefined) return [];
  return fs.readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const inner = entry.isDirectory() ? allPaths(root, path) : [];
    return inner.length > 0 ? inner : [path];
  });
}
