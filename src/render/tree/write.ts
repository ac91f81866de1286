import { dirname, join } from 'node:path';

import { errorCode, lstat, quietly, realDisk, type Disk } from './disk.js';
import type { OutputFile } from '../layout.js';
import { acquireLock, LOCK_PATH, releaseLock } from './lock.js';
import { formatIndex, INDEX_PATH } from './manifest-index.js';
import { isSafePath } from './safe-path.js';
import { inSlices, JOURNAL_PATH, survey, WORK_PATH, type BrokenIndex, type Survey } from './survey.js';
import type { Tree, WritePlan, WriteSummary } from './write-plan.js';

/** Why nothing was written, or why the writing ended early. Paths are relative to the output folder. */
export type TreeProblem =
  /** Something is in the way that we did not write: a file with other content, a folder, a symbolic link. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** Another run holds the lock file; removing it by hand is right when no such process exists. */
  | { readonly kind: 'locked'; readonly path: string; readonly holder: string }
  | BrokenIndex
  /** The operating system refused, for instance EACCES, EROFS or ENOSPC; `path` is absolute or as given. */
  | { readonly kind: 'failed'; readonly code: string; readonly path: string; readonly message: string };

type TreeOutcome = { readonly kind: 'done'; readonly summary: WriteSummary } | TreeProblem;

interface WriteOptions {
  /** For tests that stop a run in the middle. Default: the real disk. */
  readonly disk?: Disk;
}

const STAGED_PATH = `${WORK_PATH}/staged`;
/** New files, at their paths in the tree: a folder that is not there yet can be moved into it as a whole. */
const STAGED_FILES_PATH = `${STAGED_PATH}/files`;
const STAGED_JOURNAL_PATH = `${STAGED_PATH}/journal`;
const STAGED_INDEX_PATH = `${STAGED_PATH}/index`;

/** A tree whose new files lie ready beside the old ones. Its folder is locked until one of the two is called, once. */
export interface StagedTree {
  readonly summary: WriteSummary;
  /** Puts the new files in their places. */
  commit(): TreeOutcome;
  /** Leaves everything as it was found. */
  abandon(): void;
}

type StageOutcome = { readonly kind: 'staged'; readonly tree: StagedTree } | TreeProblem;

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
 * folder away from mounts, shells and watchers that are in it, and with it files that another process adds at that moment.
 *
 * @throws Error when a path is not safe: a bug of the caller.
 */
export async function stageTree(
  folder: string,
  tree: Tree,
  { disk = realDisk }: WriteOptions = {},
): Promise<StageOutcome> {
  refuseUnsafePaths(tree.files);
  return reportFailure(async () => {
    const firstMade = disk.makeFolders(folder);
    const holder = acquireLock(disk, folder);
    if (holder !== undefined) return { kind: 'locked', path: LOCK_PATH, holder };
    const abandon = abandoner(disk, folder, firstMade ?? (tree.files.length === 0 ? folder : undefined));
    hold(abandon);
    try {
      const surveyed = await survey(folder, tree);
      const isPossible = surveyed.kind === 'surveyed' && surveyed.plan.conflicts.length === 0;
      if (isPossible && !surveyed.isFinished) await stage(disk, folder, tree.source, surveyed);
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
  const changes = changesOf(plan);
  const { summary } = changes;
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

/** The data of a commit that is not on the disk. It is small, because a run that writes a fleet keeps one for each folder. */
interface Changes extends Pick<WritePlan, 'summary' | 'vacated'> {
  readonly hasIndex: boolean;
}

function changesOf({ summary, vacated, indexText }: WritePlan): Changes {
  return { summary, vacated, hasIndex: indexText !== undefined };
}

/** Stages and commits in one go. */
export async function writeTree(folder: string, tree: Tree, options: WriteOptions = {}): Promise<TreeOutcome> {
  const staged = await stageTree(folder, tree, options);
  return staged.kind === 'staged' ? staged.tree.commit() : staged;
}

/** Returns what `writeTree` would do, and changes nothing. All lists of the summary are empty when the tree is up to date. */
export async function checkTree(folder: string, tree: Tree): Promise<TreeOutcome> {
  refuseUnsafePaths(tree.files);
  return reportFailure(async () => {
    const surveyed = await survey(folder, tree);
    if (surveyed.kind !== 'surveyed') return surveyed;
    const { plan } = surveyed;
    if (plan.conflicts.length > 0) return { kind: 'conflict', paths: plan.conflicts };
    return { kind: 'done', summary: plan.summary };
  });
}

/** All that is to be written, so that a full disk changes nothing. */
async function stage(disk: Disk, folder: string, source: string, { plan, recorded }: Survey): Promise<void> {
  const staged = join(folder, STAGED_PATH);
  const files = join(folder, STAGED_FILES_PATH);
  disk.removeFolder(staged);
  disk.makeFolders(files);
  for (const path of foldersOf(plan.write.map((file) => file.path))) disk.makeFolders(join(files, path));
  await inSlices(plan.write, ({ path, text }) => disk.createFile(join(files, path), text));
  // Everything that is ours, and everything that is about to be.
  const paths = [...new Set([...recorded, ...plan.write.map(({ path }) => path)])];
  disk.createFile(join(folder, STAGED_JOURNAL_PATH), formatIndex({ source, facts: [], paths }));
  if (plan.indexText !== undefined) disk.createFile(join(folder, STAGED_INDEX_PATH), plan.indexText);
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
function moveIntoPlace(disk: Disk, folder: string, { summary, vacated, hasIndex }: Changes): void {
  const isFile = (path: string) => path !== INDEX_PATH;
  const write = [...summary.added, ...summary.changed].filter(isFile);
  const remove = summary.removed.filter(isFile);
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

/** The moves of a commit below the top: whole folders that do not exist yet, and single files into existing ones. */
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

/** Staged files that are not committed yet. A signal handler ends the process only between two slices of a staging. */
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
