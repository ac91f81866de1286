import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

import { errorCode, lstat, quietly, type Disk } from './disk.js';
import type { OutputFile } from '../layout.js';
import { acquireLock } from './lock.js';
import { INDEX_PATH } from './manifest-index.js';
import { isSafePath } from './safe-path.js';
import { allPaths, inSlices, survey, WORK_PATH, type BrokenIndex } from './survey.js';
import type { Tree, WritePlan, WriteSummary } from './write-plan.js';

/** Why nothing was written, or why the writing ended early. Paths are relative to the output folder. */
export type TreeProblem =
  /** Something is in the way that we did not write: a file with other content, a folder, a symbolic link. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** A check found files, links or others that we did not write. */
  | { readonly kind: 'foreign'; readonly paths: readonly string[] }
  /** Another run goes on in the folder. */
  | { readonly kind: 'locked' }
  | BrokenIndex
  /** The operating system refused, for instance EACCES, EROFS or ENOSPC; `path` is absolute or as given. */
  | { readonly kind: 'failed'; readonly code: string; readonly path: string; readonly message: string };

type TreeOutcome = { readonly kind: 'done'; readonly summary: WriteSummary } | TreeProblem;

interface WriteOptions {
  /** For tests that stop a run in the middle. Default: the real disk. */
  readonly disk?: Disk;
  /** Waits before a run looks again whether another one goes on. Default: a timer. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** New files, at their paths in the tree: a folder that is not there yet can be moved into it as a whole. */
const NEW_FILES_PATH = `${WORK_PATH}/files`;
/** With the encoding, which is the default, Node 22 opens, writes and closes the file in one call. */
const NEW_FILE = { encoding: 'utf8', flag: 'wx' } as const;
const NEW_INDEX_PATH = `${WORK_PATH}/index`;

/** Writes output folders: stages each, then changes all of them or none. */
interface TreeWriter {
  /**
   * Prepares a folder to hold these files, without what an earlier run wrote and this one does not, and locks it. Files of others
   * stay.
   *
   * @returns what `commit` will change
   * @throws Error when a path is not safe: a bug of the caller.
   */
  readonly stage: (folder: string, tree: Tree) => Promise<TreeOutcome>;
  /** Puts the new files of all staged folders in their places; an outcome for each folder, in their order. */
  readonly commit: () => readonly TreeOutcome[];
  /** Leaves all staged folders as they were found. The writer does it itself when the process exits. */
  readonly abandon: () => void;
}

/** A staged folder. It is small, because a run that writes a fleet keeps one for each. */
interface Staged {
  readonly folder: string;
  readonly release: () => void;
  /** Folders from `folder` up to this one are removed if nothing is in them. */
  readonly lastEmpty: string | undefined;
  /** Absent until all files are there. */
  changes?: Changes;
}

interface Changes extends Pick<WritePlan, 'summary' | 'vacated'> {
  readonly hasIndex: boolean;
  readonly isFinished: boolean;
}

/**
 * Everything is written below `.weft.tmp` first, so a full disk changes nothing, and a signal that ends the process leaves the old
 * trees. `commit` then renames and removes files without a pause in which the process could see a signal. After SIGKILL or a power
 * failure in the middle the next run finishes: it knows its files by their first line (see `planWrite`), also those that the index
 * does not have yet.
 *
 * POSIX has no call that exchanges two folders. Two renames would leave a moment without any tree, and would take the
 * folder away from mounts, shells and watchers that are in it, and with it files that another process adds at that moment.
 */
export function createTreeWriter({ disk = fs, pause }: WriteOptions = {}): TreeWriter {
  const staged: Staged[] = [];
  const abandon = () => {
    process.off('exit', abandon);
    // The first may have made the folder that all are in.
    for (const one of staged.splice(0).reverse()) leave(disk, one);
  };
  const stage = (folder: string, tree: Tree): Promise<TreeOutcome> => {
    refuseUnsafePaths(tree.files);
    return reportFailure(async () => {
      const firstMade = disk.mkdirSync(folder, { recursive: true });
      const release = await acquireLock(folder, pause);
      if (release === undefined) return { kind: 'locked' };
      const one: Staged = { folder, release, lastEmpty: firstMade ?? (tree.files.length === 0 ? folder : undefined) };
      if (staged.length === 0) process.once('exit', abandon);
      staged.push(one);
      return stageFiles(disk, one, tree);
    });
  };
  const commit = () => {
    const outcomes = staged.map((one) => commitFiles(disk, one));
    abandon();
    return outcomes;
  };
  return { stage, commit, abandon };
}

/**
 * Returns what writing the folder would do, and changes nothing. All lists of the summary are empty when the tree is up to date. The folder may
 * hold nothing else: an own `.gitattributes` would hide the changes of a tree, and `HEAD` with `config` makes a folder a repository for git.
 */
export async function checkTree(folder: string, tree: Tree): Promise<TreeOutcome> {
  refuseUnsafePaths(tree.files);
  return reportFailure(async () => {
    const surveyed = await survey(folder, tree);
    if (surveyed.kind !== 'surveyed') return surveyed;
    const { plan } = surveyed;
    if (plan.conflicts.length > 0) return { kind: 'conflict', paths: plan.conflicts };
    const { removed, kept } = plan.summary;
    const known = new Set([INDEX_PATH, ...tree.files.map(({ path }) => path), ...removed, ...kept]);
    const foreign = allPaths(folder).filter((path) => !known.has(path));
    return foreign.length > 0 ? { kind: 'foreign', paths: foreign.sort() } : { kind: 'done', summary: plan.summary };
  });
}

/** Writes all new files beside the old ones, so that a full disk changes nothing. */
async function stageFiles(disk: Disk, one: Staged, tree: Tree): Promise<TreeOutcome> {
  const { folder } = one;
  const surveyed = await survey(folder, tree);
  if (surveyed.kind !== 'surveyed') return surveyed;
  const { plan, isFinished } = surveyed;
  if (plan.conflicts.length > 0) return { kind: 'conflict', paths: plan.conflicts };
  if (!isFinished) {
    const files = join(folder, NEW_FILES_PATH);
    disk.rmSync(join(folder, WORK_PATH), { recursive: true, force: true });
    disk.mkdirSync(files, { recursive: true });
    for (const path of foldersOf(plan.write.map((file) => file.path))) {
      disk.mkdirSync(join(files, path), { recursive: true });
    }
    await inSlices(plan.write, ({ path, text }) => disk.writeFileSync(join(files, path), text, NEW_FILE));
    if (plan.indexText !== undefined) disk.writeFileSync(join(folder, NEW_INDEX_PATH), plan.indexText);
  }
  const { summary, vacated, indexText } = plan;
  one.changes = { summary, vacated, hasIndex: indexText !== undefined, isFinished };
  return { kind: 'done', summary };
}

function commitFiles(disk: Disk, { folder, changes }: Staged): TreeOutcome {
  if (changes === undefined) throw new Error(`${folder} is not staged`);
  try {
    if (!changes.isFinished) moveIntoPlace(disk, folder, changes);
    return { kind: 'done', summary: changes.summary };
  } catch (error) {
    return failure(error);
  }
}

/** Removes the temporary folder, and output folders where nothing is in them. */
function leave(disk: Disk, { folder, release, lastEmpty }: Staged): void {
  quietly(() => disk.rmSync(join(folder, WORK_PATH), { recursive: true, force: true }));
  quietly(release);
  if (lastEmpty !== undefined) removeEmptyFolders(disk, folder, lastEmpty);
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
  const move = (from: string, to: string) => disk.renameSync(join(folder, from), join(folder, to));
  const removeFile = (path: string) => disk.unlinkSync(join(folder, path));
  // On a file system that ignores case, a new name may be an old one in other letters.
  const written = new Set(write.map((path) => path.toLowerCase()));
  const isSpelledAnew = (path: string) => written.has(path.toLowerCase());
  remove.filter(isSpelledAnew).forEach(removeFile);
  const isAtTop = (path: string) => !path.includes('/');
  const moves = [...movesInFolders(disk, folder, write), ...write.filter(isAtTop)];
  for (const path of moves) move(`${NEW_FILES_PATH}/${path}`, path);
  remove.filter((path) => !isSpelledAnew(path)).forEach(removeFile);
  for (const path of emptiedFolders(vacated)) quietly(() => disk.rmdirSync(join(folder, path)));
  if (hasIndex) move(NEW_INDEX_PATH, INDEX_PATH);
  else if (lstat(join(folder, INDEX_PATH)) !== undefined) removeFile(INDEX_PATH);
  disk.rmSync(join(folder, WORK_PATH), { recursive: true, force: true });
}

/** The moves of a commit below the top: whole folders that do not exist yet, and single files into existing ones. */
function movesInFolders(disk: Disk, folder: string, write: readonly string[]): readonly string[] {
  const below = write.filter((path) => path.includes('/'));
  const absent = new Set([...new Set(below.map(topOf))].filter((top) => lstat(join(folder, top)) === undefined));
  const files = below.filter((path) => !absent.has(topOf(path)));
  for (const path of foldersOf(files)) disk.mkdirSync(join(folder, path), { recursive: true });
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
    disk.rmdirSync(folder);
    if (folder !== last) removeEmptyFolders(disk, dirname(folder), last);
  });
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
