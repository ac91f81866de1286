import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type * as Jiti from 'jiti';
import { compareText, isObject } from '../../../shared/lib/json.js';
import { thrownTexts } from '../../../shared/lib/thrown.js';
import { plainData, type PlainData } from './data.js';
import type { ProgramMessage, ProgramTask } from './messages.js';

// Runs in a worker thread (run.ts): imports one program and posts copies of the documents that it exports.

const hasKind = (value: unknown): boolean => isObject(value) && 'kind' in value;

/** Exports that are a document or a list with one; other exports are helpers of the file. */
function collectDocuments(exported: Readonly<Record<string, unknown>>): unknown[] {
  const found = Object.keys(exported)
    .sort(compareText)
    .map((name) => exported[name])
    .flatMap((value) =>
      Array.isArray(value) && value.some(hasKind) ? (value as unknown[]) : hasKind(value) ? [value] : [],
    );
  return [...new Set(found)];
}

function copiesOf(values: readonly unknown[], { left }: ProgramTask): readonly PlainData[] {
  const copies: PlainData[] = [];
  let characters = 0;
  for (const value of values) {
    const copy = plainData(value);
    copies.push(copy);
    characters += copy.characters;
    if (copies.length > left.documents || characters > left.characters) break;
  }
  return copies;
}

/**
 * Imports the program and waits for timers that are due, because unhandled rejections are reported only then. jiti
 * compiles in memory and writes no cache, so that a read-only checkout works; it takes no aliases from the environment.
 */
async function run(task: ProgramTask): Promise<ProgramMessage> {
  const { createJiti } = createRequire(task.jiti)(task.jiti) as typeof Jiti;
  const jiti = createJiti(dirname(task.path), { moduleCache: false, fsCache: false, alias: {} });
  const exported = await jiti.import<Record<string, unknown>>(task.path);
  await new Promise((resume) => setTimeout(resume, 1));
  return { kind: 'documents', documents: copiesOf(collectDocuments(exported), task) };
}

/** Resolves when all output has been passed on. */
const flushed = (stream: NodeJS.WriteStream) => new Promise<void>((resume) => stream.write('', () => resume()));

async function post(message: ProgramMessage): Promise<void> {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  parentPort?.postMessage(message);
}

const fail = (error: unknown): void => void post({ kind: 'failed', ...thrownTexts(error) });

process.on('uncaughtException', fail).on('unhandledRejection', fail);
process.once('beforeExit', () => void post({ kind: 'waiting' }));
run(workerData as ProgramTask).then((message) => void post(message), fail);
