import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readRegularFile } from '../shared/files/read-file.js';
import { fileBytesMax, reasonOf } from '../compile/load/load.js';
import { isInputBelow } from '../compile/load/file-names.js';
import { workTree } from './repository-paths.js';
import { compareText } from '../shared/lib/json.js';
import { isFolder } from '../compile/render/tree/disk.js';
import { encodeFileName } from '../compile/render/tree/safe-path.js';

/** The folders of a project: input of its clusters, and output. */
export interface Project {
  /** Absolute path of the folder that holds `clusters/`. */
  readonly root: string;
  /** Absolute paths of the folders of `clusters/`, sorted. */
  readonly folders: readonly string[];
}

/** The project, or all folders that were searched, or the `clusters/` that cannot be read with the reason. */
export type FoundProject =
  | { readonly project: Project }
  | { readonly looked: readonly string[] }
  | { readonly unreadable: string; readonly reason: string };

export const CLUSTERS = 'clusters';

/** Finds `clusters/` in the working directory or in the nearest folder above it. */
export function findProject(cwd: string): FoundProject {
  const found = findRoot(cwd);
  if ('looked' in found) return found;
  const clusters = join(found.root, CLUSTERS);
  try {
    return { project: { root: found.root, folders: foldersOf(clusters) } };
  } catch (error) {
    return { unreadable: clusters, reason: reasonOf(error).text };
  }
}

/** The folders as given, without duplicates. */
export function eachOnce(folders: readonly string[], cwd: string): readonly string[] {
  const known = new Map<string, string>();
  for (const folder of folders) if (!known.has(resolve(cwd, folder))) known.set(resolve(cwd, folder), folder);
  return [...known.values()];
}

/** Folders of clusters as a command takes them, each once: paths, or names of folders of clusters/. Without any: all of clusters/. */
export function clusterFolders(given: readonly string[], cwd: string): readonly string[] {
  const found = findProject(cwd);
  const all = 'project' in found ? found.project.folders.map((folder) => relative(cwd, folder) || `./${CLUSTERS}`) : [];
  if (given.length === 0) return all;
  const folders = given.map((name) => {
    const named = all.find((folder) => basename(folder) === name);
    return !existsSync(resolve(cwd, name)) && named !== undefined ? named : name;
  });
  return eachOnce(folders, cwd);
}

/** `dist/` of the project that a folder is in, which need not be that of the working directory. */
export function outputFolderOf(folder: string, cwd: string): string {
  const own = findRoot(folder);
  const found = 'root' in own ? own : findRoot(cwd);
  return join('root' in found ? found.root : cwd, 'dist');
}

/**
 * The folder that the bases of a cluster lie in: the git work tree, else the folder that holds `clusters/`, else the working
 * directory.
 *
 * @param folder the folder of the cluster
 */
export function projectFolderOf(folder: string, cwd: string): string {
  const own = findRoot(folder);
  return workTree(resolve(folder)) ?? ('root' in own ? own.root : cwd);
}

/** Does not list the clusters: it runs for each cluster, so listing would be quadratic in their number. */
function findRoot(start: string): { readonly root: string } | { readonly looked: readonly string[] } {
  const looked: string[] = [];
  for (let directory = resolve(start); ; directory = dirname(directory)) {
    const clusters = join(directory, CLUSTERS);
    looked.push(clusters);
    if (isReadableFolder(clusters)) return { root: directory };
    if (dirname(directory) === directory) return { looked };
  }
}

/** Whether the path is a folder that this process may read. */
function isReadableFolder(path: string): boolean {
  try {
    return isFolder(path);
  } catch {
    return false;
  }
}

function foldersOf(clusters: string): readonly string[] {
  return readdirSync(clusters, { withFileTypes: true })
    .filter(
      (entry) => !entry.name.startsWith('.') && (entry.isDirectory() || isReadableFolder(join(clusters, entry.name))),
    )
    .map((entry) => join(clusters, entry.name))
    .sort(compareText);
}

/** Absolute paths of the documents directly in `clusters/`, sorted. They belong to no cluster and are not read. */
export function strayDocuments({ root }: Project): readonly string[] {
  const clusters = join(root, CLUSTERS);
  return readdirSync(clusters, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isInputBelow(entry.name, { hasProgram: true }))
    .map((entry) => join(clusters, entry.name))
    .filter(isDocument)
    .sort(compareText);
}

/** Other YAML, such as values that a `cluster.ts` reads, is no document. */
function isDocument(path: string): boolean {
  const read = readRegularFile(path, { bytesMax: fileBytesMax });
  const text = read.kind === 'content' ? read.bytes.toString('utf8') : '';
  return /^[ \t\ufeff]*apiVersion:/m.test(text) && /^[ \t\ufeff]*kind:/m.test(text);
}

/**
 * What the first line of the output calls an input folder: `clusters/east`, or the name of a folder that is elsewhere. The
 * same on every machine, wherever the command runs.
 *
 * @param folder an absolute path
 */
export function sourceOf(folder: string): string {
  const above = basename(dirname(folder));
  return [...(above === CLUSTERS ? [above] : []), basename(folder)].map(encodeFileName).join('/') || '/';
}
