import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { OutputFile } from './layout.js';
import { formatIndex, hashOf, INDEX_PATH, indexEntries, parseIndex } from './manifest-index.js';
import type { IndexEntry } from './manifest-index.js';
import { isSafePath } from './safe-path.js';
import { planWrite } from './write-plan.js';
import type { Observed, Recorded, WritePlan, WriteSummary } from './write-plan.js';

/** Why nothing was written, or why the writing ended early. Paths are relative to the output folder. */
export type TreeProblem =
  /** Something is in the way that we did not write: a file with other content, a folder, a symbolic link. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** Another run holds the lock file; removing it by hand is right when no such process exists. */
  | { readonly kind: 'locked'; readonly path: string; readonly holder: string }
  | { readonly kind: 'broken-index'; readonly path: string; readonly line: number; readonly reason: string }
  /** The operating system refused, for instance EACCES, EROFS or ENOSPC; `path` is absolute or as given. */
  | { readonly kind: 'failed'; readonly code: string; readonly path: string; readonly message: string };

export type TreeOutcome = { readonly kind: 'done'; readonly summary: WriteSummary } | TreeProblem;

/**
 * Everything that changes the disk. Synchronous on purpose: for files of this size Node's promises cost four times as
 * much as the work itself, and between the steps the event loop gets its turn.
 */
export interface Disk {
  makeFolders(path: string): void;
  /** Fails with EEXIST when the file exists. */
  createFile(path: string, text: string): void;
  rename(from: string, to: string): void;
  removeFile(path: string): void;
  removeEmptyFolder(path: string): void;
  removeFolder(path: string): void;
}

export interface WriteOptions {
  /** For tests that stop a run in the middle. Default: the real disk. */
  readonly disk?: Disk;
}

/** The disk itself. */
export const realDisk: Disk = {
  makeFolders: (path) => void fs.mkdirSync(path, { recursive: true }),
  createFile: (path, text) => fs.writeFileSync(path, text, { flag: 'wx' }),
  rename: (from, to) => fs.renameSync(from, to),
  removeFile: (path) => fs.unlinkSync(path),
  removeEmptyFolder: (path) => fs.rmdirSync(path),
  removeFolder: (path) => fs.rmSync(path, { recursive: true, force: true }),
};

const LOCK_PATH = '.weft.lock';
const WORK_PATH = '.weft.tmp';
const STAGED_PATH = `${WORK_PATH}/staged`;
const JOURNAL_PATH = `${WORK_PATH}/journal`;

/** A process of another machine cannot be looked up; no run takes as long as this. */
const FOREIGN_LOCK_MAX_AGE_SECONDS = 600;

/** Steps between two turns of the event loop. */
const SLICE = 256;

/**
 * Makes the folder hold these files, and removes what an earlier run wrote and this one does not. Files of others stay.
 * Everything is first written below `.weft.tmp`, so a full disk changes nothing and a signal that ends the process leaves
 * the old tree; then a journal names what is about to be ours, and renames and removals follow without a pause in which
 * the process could see a signal. See `commit` for what a reader may see in that millisecond, or for longer after SIGKILL
 * or a power failure; the next run finishes then, whatever its input.
 *
 * POSIX has no call that exchanges two folders. Two renames would leave a moment without any tree, and would take the
 * folder away from mounts, shells and watchers that are in it, and with it files that someone adds at that moment.
 *
 * @throws Error when a path is not safe: a bug of the caller.
 */
export async function writeTree(
  folder: string,
  files: readonly OutputFile[],
  options: WriteOptions = {},
): Promise<TreeOutcome> {
  refuseUnsafePaths(files);
  const disk = options.disk ?? realDisk;
  return reportFailure(async () => {
    const isNew = lstat(folder) === undefined;
    disk.makeFolders(folder);
    const holder = acquireLock(disk, folder);
    if (holder !== undefined) return { kind: 'locked', path: LOCK_PATH, holder };
    const leave = () => {
      releaseLock(disk, folder);
      if (isNew || files.length === 0) quietly(() => disk.removeEmptyFolder(folder));
    };
    const abandon = () => {
      removeStaged(disk, folder);
      leave();
    };
    // A signal handler that ends the process does so between two slices of the staging.
    process.once('exit', abandon);
    try {
      const surveyed = await survey(folder, files);
      if (surveyed.kind !== 'surveyed') return surveyed;
      const { plan } = surveyed;
      if (plan.conflicts.length > 0) return { kind: 'conflict', paths: plan.conflicts };
      if (surveyed.isFinished) return { kind: 'done', summary: plan.summary };
      await stage(disk, folder, plan.write);
      writeJournal(disk, folder, surveyed.recorded, plan.write);
      commit(disk, folder, plan);
      return { kind: 'done', summary: plan.summary };
    } finally {
      process.off('exit', abandon);
      leave();
    }
  });
}

/** What `writeTree` would do; changes nothing. Up to date: all lists of the summary are empty. */
export async function checkTree(folder: string, files: readonly OutputFile[]): Promise<TreeOutcome> {
  refuseUnsafePaths(files);
  return reportFailure(async () => {
    const surveyed = await survey(folder, files);
    if (surveyed.kind !== 'surveyed') return surveyed;
    const { plan } = surveyed;
    if (plan.conflicts.length > 0) return { kind: 'conflict', paths: plan.conflicts };
    return { kind: 'done', summary: plan.summary };
  });
}

interface Survey {
  readonly kind: 'surveyed';
  readonly plan: WritePlan;
  readonly recorded: Recorded;
  /** Nothing is to be written, not even the index, and no earlier run left anything unfinished. */
  readonly isFinished: boolean;
}

async function survey(folder: string, files: readonly OutputFile[]): Promise<Survey | TreeProblem> {
  const observe = observer(folder);
  const index = loadIndex(folder, INDEX_PATH, observe);
  if (index.kind !== 'loaded') return index;
  const journal = loadIndex(folder, JOURNAL_PATH, observe);
  if (journal.kind !== 'loaded') return journal;
  const recorded = new Map<string, Set<string>>();
  for (const { path, hash } of [...index.entries, ...journal.entries]) {
    recorded.set(path, (recorded.get(path) ?? new Set()).add(hash));
  }
  const observed = new Map<string, Observed>();
  await inSlices([...new Set([...files.map(({ path }) => path), ...recorded.keys()])], (path) => {
    observed.set(path, observe(path));
  });
  const plan = planWrite({ files, recorded, observed, oldIndexText: index.text });
  const isFinished =
    plan.write.length + plan.remove.length === 0 &&
    plan.indexText === index.text &&
    !fs.existsSync(join(folder, WORK_PATH));
  return { kind: 'surveyed', plan, recorded, isFinished };
}

type LoadedIndex = {
  readonly kind: 'loaded';
  readonly text: string | undefined;
  readonly entries: readonly IndexEntry[];
};

function loadIndex(folder: string, path: string, observe: (path: string) => Observed): LoadedIndex | TreeProblem {
  const { kind } = observe(path);
  if (kind === 'blocked') return { kind: 'conflict', paths: [path] };
  if (kind === 'absent') return { kind: 'loaded', text: undefined, entries: [] };
  const text = fs.readFileSync(join(folder, path), 'utf8');
  const parsed = parseIndex(text, { repeatedPaths: path === JOURNAL_PATH });
  if (parsed.kind === 'broken') return { kind: 'broken-index', path, line: parsed.line, reason: parsed.reason };
  return { kind: 'loaded', text, entries: parsed.entries };
}

/** Looks at paths below the folder without following a symbolic link on the way; each folder is looked at once. */
function observer(root: string): (path: string) => Observed {
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
  return (path) => {
    const parent = folderKind(dirname(path));
    if (parent !== 'folder') return { kind: parent };
    const stats = lstat(join(root, path));
    if (stats === undefined) return { kind: 'absent' };
    return stats.isFile() ? { kind: 'file', hash: hashOf(fs.readFileSync(join(root, path))) } : { kind: 'blocked' };
  };
}

function lstat(path: string): fs.Stats | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}

/** Before the journal, so that what an earlier journal knows is not lost while the disk may still turn out to be full. */
async function stage(disk: Disk, folder: string, files: readonly OutputFile[]): Promise<void> {
  const staged = join(folder, STAGED_PATH);
  try {
    disk.removeFolder(staged);
    disk.makeFolders(staged);
    await inSlices(files, ({ text }, index) => disk.createFile(join(staged, String(index)), text));
  } catch (error) {
    removeStaged(disk, folder);
    throw error;
  }
}

/** A journal of an earlier run stays. */
function removeStaged(disk: Disk, folder: string): void {
  quietly(() => disk.removeFolder(join(folder, STAGED_PATH)));
  quietly(() => disk.removeEmptyFolder(join(folder, WORK_PATH)));
}

function writeJournal(disk: Disk, folder: string, recorded: Recorded, files: readonly OutputFile[]): void {
  const known = [...recorded].flatMap(([path, hashes]) => [...hashes].map((hash) => ({ path, hash })));
  const added = indexEntries(files).filter(({ path, hash }) => recorded.get(path)?.has(hash) !== true);
  const temporary = join(folder, STAGED_PATH, 'journal');
  disk.createFile(temporary, formatIndex([...known, ...added]));
  disk.rename(temporary, join(folder, JOURNAL_PATH));
}

/**
 * In an order that leaves each reader something sensible, wherever it ends: new and changed objects first, then the files
 * at the top, which list the others, then removals, then the index. So a list names only files that are there, and every
 * object that both trees have is there, whole, in its old or its new form. Not a promise: synchronous, so that only
 * SIGKILL or a power failure can end it in the middle.
 */
function commit(disk: Disk, folder: string, plan: WritePlan): void {
  // On a file system that ignores case, a new name may be an old one in other letters.
  const written = new Set(plan.write.map(({ path }) => path.toLowerCase()));
  const isSpelledAnew = (path: string) => written.has(path.toLowerCase());
  const remove = (path: string) => disk.removeFile(join(folder, path));
  plan.remove.filter(isSpelledAnew).forEach(remove);
  const moves = plan.write.map(({ path }, index) => ({ path, staged: join(folder, STAGED_PATH, String(index)) }));
  new Set(moves.map(({ path }) => dirname(path))).forEach((path) => disk.makeFolders(join(folder, path)));
  const isAtTop = ({ path }: { readonly path: string }) => !path.includes('/');
  for (const { path, staged } of [...moves.filter((move) => !isAtTop(move)), ...moves.filter(isAtTop)]) {
    disk.rename(staged, join(folder, path));
  }
  plan.remove.filter((path) => !isSpelledAnew(path)).forEach(remove);
  for (const path of emptiedFolders(plan.vacated)) quietly(() => disk.removeEmptyFolder(join(folder, path)));
  commitIndex(disk, folder, plan.indexText);
  disk.removeFolder(join(folder, WORK_PATH));
}

function commitIndex(disk: Disk, folder: string, text: string | undefined): void {
  if (text !== undefined) {
    const temporary = join(folder, STAGED_PATH, 'index');
    disk.createFile(temporary, text);
    disk.rename(temporary, join(folder, INDEX_PATH));
  } else if (lstat(join(folder, INDEX_PATH)) !== undefined) {
    disk.removeFile(join(folder, INDEX_PATH));
  }
}

/** The folders above these files, the innermost first. */
function emptiedFolders(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) folders.add(parent);
  }
  return [...folders].sort((a, b) => b.split('/').length - a.split('/').length);
}

/** Takes the lock, or says who holds it. The lock of a process that is gone is taken over. */
function acquireLock(disk: Disk, folder: string): string | undefined {
  const path = join(folder, LOCK_PATH);
  if (createLock(disk, path)) return undefined;
  const stats = lstat(path);
  if (stats !== undefined) {
    const holder = stats.isFile() ? fs.readFileSync(path, 'utf8').trim() : 'something that is not a file';
    if (!isStale(holder, stats.mtimeMs)) return holder;
    // Renaming decides between two runs that both saw the same stale lock; who moved a fresh one puts it back.
    const moved = `${path}.${process.pid}`;
    disk.rename(path, moved);
    if (fs.readFileSync(moved, 'utf8').trim() !== holder) {
      disk.rename(moved, path);
      return 'another run';
    }
    disk.removeFile(moved);
  }
  return createLock(disk, path) ? undefined : 'another run';
}

/** Also removes what a run left that was killed while it took a lock over. */
function releaseLock(disk: Disk, folder: string): void {
  const left = fs.readdirSync(folder).filter((name) => name.startsWith(`${LOCK_PATH}.`));
  for (const name of [...left, LOCK_PATH]) quietly(() => disk.removeFile(join(folder, name)));
}

function createLock(disk: Disk, path: string): boolean {
  try {
    disk.createFile(path, `process ${process.pid} on ${hostname()}\n`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isStale(holder: string, changedAtMs: number): boolean {
  const [, pid, host] = /^process (\d+) on (.*)$/.exec(holder) ?? [];
  if (pid === undefined || host !== hostname()) return Date.now() - changedAtMs > FOREIGN_LOCK_MAX_AGE_SECONDS * 1000;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

function refuseUnsafePaths(files: readonly OutputFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    if (!isSafePath(path) || path === INDEX_PATH) throw new Error(`unsafe output path ${JSON.stringify(path)}`);
    if (seen.has(path)) throw new Error(`two files for one output path ${JSON.stringify(path)}`);
    seen.add(path);
  }
}

async function inSlices<Item>(items: readonly Item[], step: (item: Item, index: number) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    step(item, index);
  }
}

/** For tidying up after the outcome is decided, where a failure changes nothing. */
function quietly(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

async function reportFailure(run: () => Promise<TreeOutcome>): Promise<TreeOutcome> {
  try {
    return await run();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const { path = '', message } = error as NodeJS.ErrnoException;
    return { kind: 'failed', code, path, message };
  }
}

/** The code of an operating system's error; undefined for every other error, which is a bug. */
function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
