import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { errorCode, lstat, quietly, realDisk, type Disk } from './disk.js';
import { sha256 } from '../../lib/hash.js';
import type { OutputFile } from '../layout.js';
import { acquireLock, LOCK_PATH, releaseLock } from './lock.js';
import { formatIndex, INDEX_PATH, parseIndex } from './manifest-index.js';
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

export interface WriteOptions {
  /** For tests that stop a run in the middle. Default: the real disk. */
  readonly disk?: Disk;
}

const WORK_PATH = '.weft.tmp';
const STAGED_PATH = `${WORK_PATH}/staged`;
/** New files, at their paths in the tree: a folder that is not there yet can be moved into it as a whole. */
const STAGED_FILES_PATH = `${STAGED_PATH}/files`;
const STAGED_JOURNAL_PATH = `${STAGED_PATH}/journal`;
const STAGED_INDEX_PATH = `${STAGED_PATH}/index`;
const JOURNAL_PATH = `${WORK_PATH}/journal`;

/** Steps between two turns of the event loop. */
const SLICE = 256;

/** A tree whose new files lie ready beside the old ones. Its folder is locked until one of the two is called, once. */
export interface StagedTree {
  readonly summary: WriteSummary;
  /** Puts the new files in their places. */
  commit(): TreeOutcome;
  /** Leaves everything as it was found. */
  abandon(): void;
}

export type StageOutcome = { readonly kind: 'staged'; readonly tree: StagedTree } | TreeProblem;

/**
 * Prepares a folder to hold these files, without what an earlier run wrote and this one does not. Files of others stay.
 * Everything is written below `.weft.tmp`, so a full disk changes nothing, a signal that ends the process leaves the old
 * tree, and a run that writes many folders can prepare them all before it changes one.
 *
 * `commit` makes it so: a journal names what is about to be ours, then renames and removals follow without a pause in
 * which the process could see a signal. See `moveIntoPlace` for what a reader may see in that millisecond, or for longer
 * after SIGKILL or a power failure; the next run finishes then, whatever its input.
 *
 * POSIX has no call that exchanges two folders. Two renames would leave a moment without any tree, and would take the
 * folder away from mounts, shells and watchers that are in it, and with it files that someone adds at that moment.
 *
 * @throws Error when a path is not safe: a bug of the caller.
 */
export async function stageTree(
  folder: string,
  files: readonly OutputFile[],
  { disk = realDisk }: WriteOptions = {},
): Promise<StageOutcome> {
  refuseUnsafePaths(files);
  return reportFailure(async () => {
    const firstMade = disk.makeFolders(folder);
    const holder = acquireLock(disk, folder);
    if (holder !== undefined) return { kind: 'locked', path: LOCK_PATH, holder };
    const abandon = abandoner(disk, folder, firstMade ?? (files.length === 0 ? folder : undefined));
    hold(abandon);
    try {
      const surveyed = await survey(folder, files);
      const isPossible = surveyed.kind === 'surveyed' && surveyed.plan.conflicts.length === 0;
      if (isPossible && !surveyed.isFinished) await stage(disk, folder, surveyed);
      if (isPossible) return { kind: 'staged', tree: stagedTree(disk, folder, surveyed, abandon) };
      abandon();
      return surveyed.kind === 'surveyed' ? { kind: 'conflict', paths: surveyed.plan.conflicts } : surveyed;
    } catch (error) {
      abandon();
      throw error;
    }
  });
}

/**
 * Leaves a folder as it was found, and folders from there up to `lastEmpty` where nothing is in them. A function of its own:
 * one inside `stageTree` would keep all texts in memory for as long as the tree is held.
 */
function abandoner(disk: Disk, folder: string, lastEmpty: string | undefined): () => void {
  const abandon = () => {
    letGo(abandon);
    removeStaged(disk, folder);
    releaseLock(disk, folder);
    if (lastEmpty !== undefined) removeEmptyFolders(disk, folder, lastEmpty);
  };
  return abandon;
}

function stagedTree(disk: Disk, folder: string, { plan, isFinished }: Survey, abandon: () => void): StagedTree {
  const { summary } = plan;
  const changes = changesOf(plan);
  const commit = (): TreeOutcome => {
    try {
      if (!isFinished) moveIntoPlace(disk, folder, changes);
      return { kind: 'done', summary };
    } catch (error) {
      return failure(error);
    } finally {
      abandon();
    }
  };
  return { summary, commit, abandon };
}

/** What a commit must know beside what lies on the disk. Small: a run that writes a fleet keeps one for each folder. */
interface Changes extends Pick<WritePlan, 'remove' | 'vacated'> {
  readonly write: readonly string[];
  readonly hasIndex: boolean;
}

function changesOf({ write, remove, vacated, indexText }: WritePlan): Changes {
  return { write: write.map(({ path }) => path), remove, vacated, hasIndex: indexText !== undefined };
}

/** Stages and commits in one go. */
export async function writeTree(
  folder: string,
  files: readonly OutputFile[],
  options: WriteOptions = {},
): Promise<TreeOutcome> {
  const staged = await stageTree(folder, files, options);
  return staged.kind === 'staged' ? staged.tree.commit() : staged;
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
    return stats.isFile() ? { kind: 'file', hash: sha256(fs.readFileSync(join(root, path))) } : { kind: 'blocked' };
  };
}

/** All that is to be written, so that a disk that turns out to be full changes nothing. */
async function stage(disk: Disk, folder: string, { plan, recorded }: Survey): Promise<void> {
  const staged = join(folder, STAGED_PATH);
  const files = join(folder, STAGED_FILES_PATH);
  disk.removeFolder(staged);
  disk.makeFolders(files);
  for (const path of foldersOf(plan.write.map((file) => file.path))) disk.makeFolders(join(files, path));
  await inSlices(plan.write, ({ path, text }) => disk.createFile(join(files, path), text));
  disk.createFile(join(folder, STAGED_JOURNAL_PATH), journalText(recorded, plan.write));
  if (plan.indexText !== undefined) disk.createFile(join(folder, STAGED_INDEX_PATH), plan.indexText);
}

/** Everything that is ours, and everything that is about to be. */
function journalText(recorded: Recorded, written: readonly IndexEntry[]): string {
  const known = [...recorded].flatMap(([path, hashes]) => [...hashes].map((hash) => ({ path, hash })));
  const added = written.filter(({ path, hash }) => recorded.get(path)?.has(hash) !== true);
  return formatIndex([...known, ...added]);
}

/** A journal of an earlier run stays. */
function removeStaged(disk: Disk, folder: string): void {
  quietly(() => disk.removeFolder(join(folder, STAGED_PATH)));
  quietly(() => disk.removeEmptyFolder(join(folder, WORK_PATH)));
}

/**
 * In an order that leaves each reader something sensible, wherever it ends: new and changed objects first, then the files
 * at the top, which list the others, then removals, then the index. So a list names only files that are there, and every
 * object that both trees have is there, whole, in its old or its new form. Not a promise: synchronous, so that only
 * SIGKILL or a power failure can end it in the middle.
 */
function moveIntoPlace(disk: Disk, folder: string, { write, remove, vacated, hasIndex }: Changes): void {
  const move = (from: string, to: string) => disk.rename(join(folder, from), join(folder, to));
  const removeFile = (path: string) => disk.removeFile(join(folder, path));
  move(STAGED_JOURNAL_PATH, JOURNAL_PATH);
  // On a file system that ignores case, a new name may be an old one in other letters.
  const written = new Set(write.map((path) => path.toLowerCase()));
  const isSpelledAnew = (path: string) => written.has(path.toLowerCase());
  remove.filter(isSpelledAnew).forEach(removeFile);
  const isAtTop = (path: string) => !path.includes('/');
  const moves = [...movesInFolders(disk, folder, write), ...write.filter(isAtTop)];
  for (const path of moves) move(`${STAGED_FILES_PATH}/${path}`, path);
  remove.filter((path) => !isSpelledAnew(path)).forEach(removeFile);
  for (const path of emptiedFolders(vacated)) quietly(() => disk.removeEmptyFolder(join(folder, path)));
  if (hasIndex) move(STAGED_INDEX_PATH, INDEX_PATH);
  else if (lstat(join(folder, INDEX_PATH)) !== undefined) removeFile(INDEX_PATH);
  disk.removeFolder(join(folder, WORK_PATH));
}

/** What a commit moves below the top: folders that are not there yet as a whole, and single files into those that are. */
function movesInFolders(disk: Disk, folder: string, write: readonly string[]): readonly string[] {
  const below = write.filter((path) => path.includes('/'));
  const absent = new Set([...new Set(below.map(topOf))].filter((top) => lstat(join(folder, top)) === undefined));
  const files = below.filter((path) => !absent.has(topOf(path)));
  for (const path of foldersOf(files)) disk.makeFolders(join(folder, path));
  return [...absent, ...files];
}

const topOf = (path: string) => path.slice(0, path.indexOf('/'));
const foldersOf = (paths: readonly string[]) => new Set(paths.map((path) => dirname(path)));

/** The folders above these files, the innermost first. */
function emptiedFolders(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) folders.add(parent);
  }
  return [...folders].sort((a, b) => b.split('/').length - a.split('/').length);
}

/** From this folder up to that one. */
function removeEmptyFolders(disk: Disk, folder: string, last: string): void {
  quietly(() => {
    disk.removeEmptyFolder(folder);
    if (folder !== last) removeEmptyFolders(disk, dirname(folder), last);
  });
}

/** What waits to be committed. A signal handler that ends the process does so between two slices of a staging. */
const held = new Set<() => void>();

function hold(abandon: () => void): void {
  // One listener for all: Node warns of more than ten.
  if (held.size === 0) process.once('exit', abandonHeld);
  held.add(abandon);
}

function letGo(abandon: () => void): void {
  held.delete(abandon);
  if (held.size === 0) process.off('exit', abandonHeld);
}

function abandonHeld(): void {
  // The first may have made the folder that all are in.
  for (const abandon of [...held].reverse()) abandon();
}

function refuseUnsafePaths(files: readonly OutputFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    if (!isSafePath(path) || path === INDEX_PATH) throw new Error(`unsafe output path ${JSON.stringify(path)}`);
    if (seen.has(path)) throw new Error(`two files for one output path ${JSON.stringify(path)}`);
    seen.add(path);
  }
}

async function inSlices<Item>(items: readonly Item[], step: (item: Item) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    step(item);
  }
}

async function reportFailure<Outcome>(run: () => Promise<Outcome>): Promise<Outcome | TreeProblem> {
  try {
    return await run();
  } catch (error) {
    return failure(error);
  }
}

/** An error that is not the operating system's is a bug, and thrown on. */
function failure(error: unknown): TreeProblem {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const { path = '', message } = error as NodeJS.ErrnoException;
  return { kind: 'failed', code, path, message };
}
