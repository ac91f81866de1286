import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Io } from '../io.js';

/** A folder of a repository, and the environment for git, for instance with `GIT_DIR`. */
export interface GitFolder {
  readonly folder: string;
  readonly env: Io['env'];
}

/** Why git returned no result. */
export type GitProblem =
  | { readonly kind: 'not-installed' }
  | { readonly kind: 'no-repository' }
  /** Git ran and failed; `message` is git's. */
  | { readonly kind: 'failed'; readonly message: string };

type GitResult<T> = { readonly kind: 'found'; readonly value: T } | GitProblem;

/** An entry of a folder of a commit; links and submodules are `other`. */
interface GitEntry {
  readonly kind: 'file' | 'folder' | 'other';
  readonly name: string;
  /** Object id, in hexadecimal. */
  readonly id: string;
}

/** Path of a folder from the root of its repository, with a trailing `/`; empty for the root. */
export async function repositoryPrefix(at: GitFolder): Promise<GitResult<string>> {
  const result = await runGit(at, ['rev-parse', '--show-prefix']);
  return result.kind === 'found' ? { kind: 'found', value: result.value.toString('utf8').replace(/\n$/, '') } : result;
}

/** The commit of a revision; `undefined` if the repository has no such revision. */
export async function resolveCommit(at: GitFolder, revision: string): Promise<GitResult<string | undefined>> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const result = await runGit(at, args);
  if (result.kind === 'found') return { kind: 'found', value: result.value.toString('utf8').trim() };
  return result.kind === 'failed' && result.message === '' ? { kind: 'found', value: undefined } : result;
}

/** Whether the clone is shallow. */
export async function isShallow(at: GitFolder): Promise<boolean> {
  const result = await runGit(at, ['rev-parse', '--is-shallow-repository']);
  return result.kind === 'found' && result.value.toString('utf8').trim() === 'true';
}

/** Git prints English messages, which the code compares, and does not prompt. */
function environment({ env }: GitFolder): NodeJS.ProcessEnv {
  return { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
}

function runGit(at: GitFolder, args: readonly string[]): Promise<GitResult<Buffer>> {
  return new Promise((resolve) => {
    const child = spawn('git', args, { cwd: at.folder, env: environment(at), stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? { kind: 'not-installed' } : { kind: 'failed', message: error.message }),
    );
    child.on('close', (code) => {
      if (code === 0) return resolve({ kind: 'found', value: Buffer.concat(stdout) });
      const message = Buffer.concat(stderr).toString('utf8').trim();
      resolve(/not a git repository/i.test(message) ? { kind: 'no-repository' } : { kind: 'failed', message });
    });
  });
}

/** Name of the errors of a reader: the content is missing, or git ended. */
export const GIT_ERROR = 'GitError';

function gitError(message: string): Error {
  return Object.assign(new Error(message), { name: GIT_ERROR });
}

/** Reads objects of a repository, one process for all of them. */
export interface ObjectReader {
  /** The content of a file. */
  readonly file: (id: string) => Promise<Buffer>;
  /** The entries of a folder, by its id or as `<commit>^{tree}`. */
  readonly folder: (id: string) => Promise<readonly GitEntry[]>;
  readonly close: () => void;
}

/** Starts `git cat-file --batch`, which answers requests in order. */
export function openObjects(at: GitFolder): ObjectReader {
  const child = spawn('git', ['cat-file', '--batch'], {
    cwd: at.folder,
    env: environment(at),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const bytes = byteReader(child.stdout);
  let last: Promise<unknown> = Promise.resolve();
  // An error of the process becomes the end of its output.
  child.on('error', () => child.stdout.destroy());
  child.stdin.on('error', () => undefined);
  const ask = (id: string): Promise<GitObject> => {
    child.stdin.write(`${id}\n`);
    const answer = last.then(() => readAnswer(bytes, id));
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    file: async (id) => (await ask(id)).content,
    folder: async (id) => entriesOf(await ask(id)),
    close: () => child.stdin.end(),
  };
}

interface GitObject {
  readonly id: string;
  readonly content: Buffer;
}

async function readAnswer(bytes: ByteReader, asked: string): Promise<GitObject> {
  const header = (await bytes.line()).toString('utf8');
  const [, id, size] = /^([0-9a-f]+) (?:blob|tree) (\d+)$/.exec(header) ?? [];
  if (id === undefined) throw gitError(`git has no content ${asked}: ${header}`);
  const content = await bytes.take(Number(size));
  await bytes.take(1);
  return { id, content };
}

/** Entries of mode, space, name, NUL and the bytes of the id (git, tree-walk.c, `decode_tree_entry`). */
function entriesOf({ id, content }: GitObject): readonly GitEntry[] {
  const idLength = id.length / 2;
  const entries: GitEntry[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space);
    entries.push({
      kind: mode.startsWith('100') ? 'file' : mode === '40000' ? 'folder' : 'other',
      name: content.toString('utf8', space + 1, end),
      id: content.toString('hex', end + 1, end + 1 + idLength),
    });
    at = end + 1 + idLength;
  }
  return entries;
}

interface ByteReader {
  /** The bytes up to the next line feed; the line feed is consumed. */
  readonly line: () => Promise<Buffer>;
  readonly take: (count: number) => Promise<Buffer>;
}

function byteReader(stream: Readable): ByteReader {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held = Buffer.alloc(0);
  const more = async (): Promise<void> => {
    // A process that could not start, or was killed, closes the stream before its end.
    const next = await chunks.next().catch(() => ({ done: true }) as const);
    if (next.done) throw gitError('git ended early');
    held = Buffer.concat([held, next.value]);
  };
  const take = async (count: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    let missing = count;
    for (;;) {
      const part = held.subarray(0, missing);
      parts.push(part);
      held = held.subarray(part.length);
      missing -= part.length;
      if (missing === 0) return parts.length === 1 ? part : Buffer.concat(parts);
      await more();
    }
  };
  const line = async (): Promise<Buffer> => {
    while (!held.includes(0x0a)) await more();
    const found = await take(held.indexOf(0x0a));
    await take(1);
    return found;
  };
  return { line, take };
}
