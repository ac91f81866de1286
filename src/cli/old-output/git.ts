import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import type { Io } from '../io.js';

/** The root of a work tree, which has `.git`, and the environment of the command. */
export interface WorkTree {
  readonly root: string;
  readonly env: Io['env'];
}

/** Why git returned no result. */
export type GitProblem =
  | { readonly kind: 'not-installed' }
  /** Several refs have the name. */
  | { readonly kind: 'ambiguous' }
  /** Git ran and failed; `message` is git's. */
  | { readonly kind: 'failed'; readonly message: string };

type GitResult<T> = { readonly kind: 'found'; readonly value: T } | GitProblem;

/** A file of a commit. */
interface GitFile {
  /** From the root of the repository, with `/` between its parts. */
  readonly path: string;
  /** Object id, in hexadecimal. */
  readonly id: string;
  /** What git has there. A link and a submodule have no content that may be read. */
  readonly kind: 'file' | 'symbolic link' | 'submodule';
}

/** The commit of a revision; `undefined` if the repository has no such revision. */
export function resolveCommit(at: WorkTree, revision: string): GitResult<string | undefined> {
  const args = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`];
  const { result, stderr } = runGit(at, args);
  if (result.kind === 'failed') {
    return stderr.endsWith('fatal: Needed a single revision') ? { kind: 'found', value: undefined } : result;
  }
  if (result.kind === 'found' && stderr.includes('is ambiguous')) return { kind: 'ambiguous' };
  return result.kind === 'found' ? { kind: 'found', value: result.value.toString('utf8').trim() } : result;
}

/** The paths in the index, from the root: what a checkout writes. */
export function trackedFiles(at: WorkTree): GitResult<readonly string[]> {
  const { result } = runGit(at, ['ls-files', '-z']);
  if (result.kind !== 'found') return result;
  return { kind: 'found', value: result.value.toString('utf8').split('\0').slice(0, -1) };
}

/** Whether the clone is shallow. */
export function isShallow(at: WorkTree): boolean {
  const { result } = runGit(at, ['rev-parse', '--is-shallow-repository']);
  return result.kind === 'found' && result.value.toString('utf8').trim() === 'true';
}

/** All files of a commit below a path, which is relative to the root; empty for all. A path that is no folder is a file itself. */
export function filesOfCommit(at: WorkTree, commit: string, path: string): GitResult<readonly GitFile[]> {
  const { result } = runGit(at, ['ls-tree', '-r', '-z', '--full-tree', commit, ...(path === '' ? [] : ['--', path])]);
  if (result.kind !== 'found') return result;
  const lines = result.value.toString('utf8').split('\0').slice(0, -1);
  return { kind: 'found', value: lines.map(fileOf) };
}

/** Mode, type, id, a tab and the path (`git ls-tree`, "Output format"). */
function fileOf(line: string): GitFile {
  const tab = line.indexOf('\t');
  const [mode, , id = ''] = line.slice(0, tab).split(' ');
  const kind = mode === '120000' ? 'symbolic link' : mode === '160000' ? 'submodule' : 'file';
  return { path: line.slice(tab + 1), id, kind };
}

/** The contents of files by their ids, in the order of these. Throws where one is missing, see `isUnreadable`. */
export function contentsOf(at: WorkTree, ids: readonly string[]): readonly Buffer[] {
  if (ids.length === 0) return [];
  const { result } = runGit(at, ['cat-file', '--batch'], ids.map((id) => `${id}\n`).join(''));
  if (result.kind !== 'found') throw unreadable(result.kind === 'failed' ? result.message : 'git is not installed');
  let position = 0;
  return ids.map((id) => {
    const start = result.value.indexOf('\n', position) + 1;
    const header = result.value.toString('utf8', position, start - 1);
    const [, type, size] = header.split(' ');
    if (type !== 'blob') throw unreadable(`git has no content ${id}: ${header}`);
    position = start + Number(size) + 1;
    return result.value.subarray(start, position - 1);
  });
}

/**
 * Git reads objects by their ids and does nothing else. Only commands that read objects or the index run, and these know no hooks, filters,
 * `textconv`, external diffs or aliases; no program starts to fetch what is missing; no object stands for another. The repository is
 * that of the root: neither a folder below it that looks like a bare repository nor a variable of a hook names another.
 */
const OPTIONS = [
  '--no-pager',
  '-c',
  'safe.bareRepository=explicit',
  '-c',
  'core.warnAmbiguousRefs=true',
  '-c',
  'core.fsmonitor=false',
];
const ENVIRONMENT = {
  // The code compares the English messages of git.
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  // Versions before 2.44 do not know the first: they fetch, if a protocol is allowed.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: devNull,
  GIT_LITERAL_PATHSPECS: '1',
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_NAMESPACE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
};

/** The result, and the messages of git also where it has one. */
function runGit(
  { root, env }: WorkTree,
  args: readonly string[],
  input = '',
): { readonly result: GitResult<Buffer>; readonly stderr: string } {
  const { status, stdout, stderr, error } = spawnSync('git', [...OPTIONS, ...args], {
    cwd: root,
    env: { ...env, ...ENVIRONMENT },
    input,
    // Output is as large as the files of a fleet.
    maxBuffer: Infinity,
  });
  if (error !== undefined) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { result: isMissing ? { kind: 'not-installed' } : { kind: 'failed', message: error.message }, stderr: '' };
  }
  const message = stderr.toString('utf8').trim();
  const result: GitResult<Buffer> = status === 0 ? { kind: 'found', value: stdout } : { kind: 'failed', message };
  return { result, stderr: message };
}

const UNREADABLE = 'UnreadableError';

/** What ends the reading of old output. */
export function unreadable(message: string): Error {
  return Object.assign(new Error(message), { name: UNREADABLE });
}

export function isUnreadable(error: unknown): error is Error {
  return error instanceof Error && error.name === UNREADABLE;
}
