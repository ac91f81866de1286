import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildCommand } from '../scripts/build.js';

const ROOT = resolve(__dirname, '..');
const BUILDS = join(ROOT, 'node_modules/.cache/weft-command');
/** What the bundle is made of. */
const SOURCES = ['src', 'scripts', 'package.json', 'package-lock.json'];

/** Copies the command, built from the sources as they are, into a folder. The test files of a run share one build. */
export async function putCommand(folder: string): Promise<void> {
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(await built(), join(folder, 'lib'), { recursive: true });
}

async function built(): Promise<string> {
  const digest = digestOfSources();
  const lib = join(BUILDS, digest, 'lib');
  if (existsSync(lib)) return lib;
  mkdirSync(BUILDS, { recursive: true });
  const fresh = mkdtempSync(join(BUILDS, 'build-'));
  // Tests run the command as another user, too, who may not enter `fresh`.
  await buildCommand(join(fresh, 'lib/weft.cjs'));
  try {
    renameSync(fresh, join(BUILDS, digest));
  } catch {
    // Another worker of this run has built the same.
    rmSync(fresh, { recursive: true });
  }
  for (const name of readdirSync(BUILDS)) {
    if (name !== digest && !name.startsWith('build-')) rmSync(join(BUILDS, name), { recursive: true, force: true });
  }
  return lib;
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
