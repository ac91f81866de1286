import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { readCoverageLine, type DriverCoverage } from '../../contract/driver-coverage.js';
import { compareText } from '../../lib/json.js';
import { isFolder } from '../../render/tree/disk.js';
import { INDEX_PATH, parseIndex } from '../../render/tree/manifest-index.js';
import {
  isShallow,
  openObjects,
  repositoryPrefix,
  resolveCommit,
  type GitFolder,
  type GitProblem,
  type ObjectReader,
} from './git.js';
import type { Io } from '../io.js';
import { nothingToCompare, unreadableOld } from '../problems.js';

/** A manifest of the old tree. */
export interface OldManifest {
  /** For messages. */
  readonly path: string;
  /** Relative to the folder of its cluster. */
  readonly inner: string;
  /** Git's object id of its content: equal ids, equal bytes. */
  readonly id: string;
  readonly read: () => Promise<Buffer>;
}

/** The folder of one cluster in the old tree. */
export interface OldCluster {
  readonly manifests: readonly OldManifest[];
  /** Whether Weft wrote it. */
  readonly hasIndex: boolean;
  /** The drivers of its configuration; absent when its index does not list them or has merge conflicts. */
  readonly coverage?: readonly DriverCoverage[];
}

/** The old side. It holds only names of folders, and lists their files on request. */
export interface OldTree {
  /** For messages, such as `HEAD:dist/`. */
  readonly label: string;
  /** Sorted: clusters, also those that are not in the input any more, and folders of others. */
  readonly folders: readonly string[];
  /** `undefined` if the tree has no such folder. */
  readonly cluster: (name: string) => Promise<OldCluster | undefined>;
  /** The id that a text would have in this tree. */
  readonly idOf: (text: string) => string;
  readonly close: () => void;
}

const MANIFEST = /\.(?:ya?ml|json)$/;
const NO_MANIFEST = /(?:^|\/)kustomization\.ya?ml$/;

/** The manifests are the files that the index lists; without an index, all files that look like manifests. */
async function clusterOf(files: readonly OldManifest[]): Promise<OldCluster> {
  const indexFile = files.find(({ inner }) => inner === INDEX_PATH);
  const text = (await indexFile?.read())?.toString('utf8') ?? '';
  const index = parseIndex(text);
  const ours = index.kind === 'index' ? new Set(index.paths) : undefined;
  const manifests = files.filter(
    ({ inner }) => MANIFEST.test(inner) && !NO_MANIFEST.test(inner) && (ours === undefined || ours.has(inner)),
  );
  const coverage = index.kind === 'index' && index.isWhole ? index.facts.map(readCoverageLine) : [undefined];
  const isComplete = coverage.every((one) => one !== undefined);
  return { manifests, hasIndex: indexFile !== undefined, ...(isComplete ? { coverage } : {}) };
}

function blobId(content: string | Buffer, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm)
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');
}

/** A tree on disk: the folder of one cluster if `cluster` names it, else a folder with one for each cluster. */
export function openFolder(folder: string, label: string, cluster?: string): OldTree {
  const folderOf = (name: string) => (cluster === undefined ? join(folder, name) : folder);
  const names = existsSync(folder) && cluster === undefined ? readdirSync(folder).sort(compareText) : [];
  return {
    label,
    folders: names.filter((name) => isFolder(join(folder, name))),
    cluster: async (name) => {
      const root = folderOf(name);
      if ((cluster !== undefined && name !== cluster) || !isFolder(root)) return undefined;
      return clusterOf(filesBelow(root).map((inner) => diskFile(root, inner, join(label, relative(folder, root)))));
    },
    idOf: (text) => blobId(text, 'sha1'),
    close: () => undefined,
  };
}

/** Whether a folder is the output of one cluster and not of several. */
export function isClusterFolder(folder: string): boolean {
  return existsSync(join(folder, INDEX_PATH)) || existsSync(join(folder, 'kustomization.yaml'));
}

function diskFile(root: string, inner: string, label: string): OldManifest {
  const content = readFileSync(join(root, inner));
  const id = blobId(content, 'sha1');
  return { inner, path: join(label, inner), id, read: () => Promise.resolve(content) };
}

const isWanted = (path: string) => MANIFEST.test(path) || path === INDEX_PATH;

/** Paths of regular files with `/` between their parts; links are not followed, to avoid loops. */
function filesBelow(root: string, folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path);
    return entry.isFile() && isWanted(path) ? [path] : [];
  });
}

/** The output folder in a revision. `undefined` if the project is in no repository, or in one without a commit. */
export async function openRevision(
  output: string,
  revision: string | undefined,
  env: Io['env'],
): Promise<OldTree | Diagnostic | undefined> {
  const start = nearestFolder(output);
  const at: GitFolder = { folder: start, env };
  const prefix = await repositoryPrefix(at);
  if (prefix.kind !== 'found') {
    const isOptional = revision === undefined && prefix.kind !== 'failed';
    return isOptional ? undefined : gitProblem(prefix, revision);
  }
  const commit = await resolveCommit(at, revision ?? 'HEAD');
  if (commit.kind !== 'found') return gitProblem(commit, revision);
  if (commit.value === undefined) return revision === undefined ? undefined : unknownRevision(at, revision);
  const path = [...prefix.value.split('/'), ...relative(start, output).split(sep)].filter(Boolean);
  const label = `${revision ?? 'HEAD'}:${path.map((part) => `${part}/`).join('')}`;
  return gitTree(openObjects(at), commit.value, path, label);
}

/** A folder in which git can run: the nearest existing one, because the output folder may be missing. */
function nearestFolder(path: string): string {
  return (isFolder(path) && isOpen(path)) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function gitTree(
  objects: ObjectReader,
  commit: string,
  path: readonly string[],
  label: string,
): Promise<OldTree> {
  let folders = await gitFolders(objects, `${commit}^{tree}`);
  for (const part of path) {
    const id = folders.get(part);
    folders = id === undefined ? new Map<string, string>() : await gitFolders(objects, id);
  }
  return {
    label,
    folders: [...folders.keys()].sort(compareText),
    cluster: async (name) => {
      const id = folders.get(name);
      return id === undefined ? undefined : clusterOf(await gitFiles(objects, id, `${label}${name}/`));
    },
    idOf: (text) => blobId(text, commit.length === 64 ? 'sha256' : 'sha1'),
    close: objects.close,
  };
}

/** Ids of the folders in a folder, by name. */
async function gitFolders(objects: ObjectReader, folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await objects.folder(folder);
  return new Map(entries.flatMap(({ kind, name, id }) => (kind === 'folder' ? [[name, id] as const] : [])));
}

async function gitFiles(
  objects: ObjectReader,
  folder: string,
  label: string,
  above = '',
): Promise<readonly OldManifest[]> {
  const entries = await objects.folder(folder);
  const files = entries.map(async ({ kind, name, id }): Promise<readonly OldManifest[]> => {
    const inner = `${above}${name}`;
    if (kind === 'folder') return gitFiles(objects, id, label, `${inner}/`);
    if (kind === 'other' || !isWanted(inner)) return [];
    return [{ inner, path: `${label}${inner}`, id, read: () => objects.file(id) }];
  });
  return (await Promise.all(files)).flat();
}

function gitProblem(problem: GitProblem, revision = ''): Diagnostic {
  switch (problem.kind) {
    case 'not-installed':
      return nothingToCompare(`\`${revision}\` is no folder, and git is not installed`, FOLDER_HELP);
    case 'no-repository':
      return nothingToCompare(`\`${revision}\` is no folder, and the output is in no git repository`, FOLDER_HELP);
    case 'failed': {
      const [first = '', ...more] = problem.message.split('\n');
      return unreadableOld(`git refuses: ${first}`, more.join('\n') || `or ${FOLDER_HELP}`);
    }
  }
}

const FOLDER_HELP = 'name a folder that holds what was rendered before';

async function unknownRevision(at: GitFolder, revision: string): Promise<Diagnostic> {
  const help = (await isShallow(at))
    ? 'the clone has only the last commits: run `git fetch --depth 1 origin <branch>`, then `weft diff FETCH_HEAD`'
    : '`git branch --all`, `git tag` and `git log` name revisions';
  return nothingToCompare(`\`${revision}\` is neither a folder nor a revision of the git repository`, help);
}
