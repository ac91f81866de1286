import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { buildCommand } from '../../scripts/build.js';

const ROOT = resolve(__dirname, '../..');
const BUILDS = join(ROOT, 'node_modules/.cache/weft-command');
/** The input of the build. */
const SOURCES = ['src', 'scripts', 'package.json', 'package-lock.json'];

/** A build takes some seconds; an older lock is from a run that was stopped. */
const LONGEST_BUILD_MS = 120_000;

/** Copies the command, built from the sources as they are, into a folder. The test files of a run share one build. */
export async function putCommand(folder: string): Promise<void> {
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(await built(), join(folder, 'lib'), { recursive: true });
}

async function built(): Promise<string> {
  const digest = digestOfSources();
  const lib = join(BUILDS, digest, 'lib');
  const lock = join(BUILDS, `build-${digest}.lock`);
  mkdirSync(BUILDS, { recursive: true });
  while (!existsSync(lib)) {
    if (takeLock(lock)) {
      try {
        if (!existsSync(lib)) await build(digest);
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    } else await new Promise((resume) => setTimeout(resume, 100));
  }
  return lib;
}

async function build(digest: string): Promise<void> {
  const fresh = mkdtempSync(join(BUILDS, 'build-'));
  // Some tests run the command as another user, who may not enter `fresh`.
  await buildCommand(join(fresh, 'lib/weft.cjs'));
  renameSync(fresh, join(BUILDS, digest));
  for (const name of readdirSync(BUILDS)) {
    if (name !== digest && !name.startsWith('build-')) rmSync(join(BUILDS, name), { recursive: true, force: true });
  }
}

/** Whether this worker builds; the others wait for it. */
function takeLock(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    const isLeft = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > LONGEST_BUILD_MS;
    if (isLeft) rmSync(path, { recursive: true, force: true });
    return false;
  }
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(filesAt)) hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

function filesAt(path: string): readonly string[] {
  if (/\.json$/.test(path)) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:test|table)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}
