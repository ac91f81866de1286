import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { readRegularFile } from '../../shared/files/read-file.js';
import type { Io } from '../io.js';
import { trackedFiles } from '../old-output/git.js';
import { workTree } from '../repository-paths.js';
import { reasonOf } from '../../compile/load/load.js';
import { isObject, parsedJson, prettyJson } from '../../shared/lib/json.js';
import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import { readObjectOfFile } from '../../shared/kubernetes/shapes/file-object.js';
import { savedObject, savedParts, toSave, type SavedPart } from '../../cluster/takeover/saved.js';
import type { LocatedObject } from '../../cluster/reader/located.js';
import type { Saved } from '../../cluster/takeover/state.js';

/** In the order in which they are created again by hand. */
const FILES: Readonly<Record<SavedPart, string>> = {
  crds: '1-crds.json',
  customResources: '2-custom-resources.json',
  webhooks: '3-webhooks.json',
};
/** Nearly the longest text of Node. */
const BYTES_MAX = 500 * 1024 * 1024;

/**
 * The objects in a folder of an earlier run. Throws an Error that says which file cannot be read. A file that git tracks may be a stranger's, by
 * a pull request: a takeover that is undone would create what is in it.
 */
export function readBackup(folder: string, env: Io['env']): Saved {
  const problem = trackedProblem(folder, env);
  if (problem !== undefined) throw new Error(problem);
  return new Map(Object.values(FILES).flatMap((name) => readFile(join(folder, name))));
}

function trackedProblem(folder: string, env: Io['env']): string | undefined {
  const root = workTree(folder);
  if (root === undefined || !Object.values(FILES).some((name) => existsSync(join(folder, name)))) return undefined;
  const tracked = trackedFiles({ root, env });
  if (tracked.kind === 'found') {
    // Some file systems do not tell letters from capitals.
    const paths = Object.values(FILES).map((name) => relative(root, join(folder, name)).split(sep).join('/'));
    const own = new Set(paths.map((one) => one.toLowerCase()));
    const file = tracked.value.find((one) => own.has(one.toLowerCase()));
    return file === undefined ? undefined : `git tracks ${file}, so a change of the repository decides what is in it`;
  }
  const why = tracked.kind === 'failed' ? tracked.message : 'git is not installed';
  return `whether git tracks the files in ${folder} is not known: ${why}`;
}

function readFile(path: string): readonly (readonly [string, ListedObject])[] {
  const read = readRegularFile(path, { bytesMax: BYTES_MAX });
  if (read.kind === 'failed' && read.error.code === 'ENOENT') return [];
  if (read.kind !== 'content') {
    throw new Error(`${path}: ${read.kind === 'failed' ? reasonOf(read.error).text : 'it is not a regular file'}`);
  }
  const text = read.bytes.toString('utf8');
  const list = parsedJson(text);
  if (!isObject(list) || !Array.isArray(list['items'])) throw new Error(`${path}: it is no List in JSON`);
  return list['items'].flatMap((given: unknown, index) => {
    const read = readObjectOfFile(given, index + 1);
    if (read === undefined) return [];
    if ('problem' in read) throw new Error(`${path}: ${read.problem}`);
    const { object } = read;
    const saved = savedObject(object);
    if (saved === undefined) {
      throw new Error(
        `${path}: ${object.kind} \`${object.metadata.name}\` is not the operator’s: no takeover saves it`,
      );
    }
    return [[saved.reference, toSave(object)] as const];
  });
}

/**
 * Puts the backup of a takeover that was undone aside: the next one must not bring back custom resources that are deleted until then.
 * Returns where it is now; absent if there is none.
 */
export function putBackupAside(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const aside = `${folder}-undone`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(folder, aside);
  return aside;
}

/**
 * Adds objects to a backup, and writes its files whole or not at all, for their owner alone: custom resources may have passwords in their
 * environment. Returns the whole backup.
 */
export function writeBackup(folder: string, before: Saved, objects: readonly LocatedObject[]): Saved {
  const saved = new Map([...before, ...objects.map(({ reference, live }) => [reference, toSave(live)] as const)]);
  const parts = savedParts(saved);
  mkdirSync(folder, { recursive: true });
  for (const [part, name] of Object.entries(FILES) as [SavedPart, string][]) {
    if (parts[part].length === 0) continue;
    const items = parts[part].map(([, object]) => object);
    const path = join(folder, name);
    rmSync(`${path}.new`, { force: true });
    // Custom resources may have passwords.
    const text = prettyJson({ apiVersion: 'v1', kind: 'List', items });
    writeFileSync(`${path}.new`, text, { flag: 'wx', mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return saved;
}
