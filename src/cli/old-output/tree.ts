import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isSettingsLine, readSettings, type ClusterSettings } from '../../shared/contract/cluster-settings.js';
import { readCoverageLine, type DriverCoverage } from '../../shared/contract/driver-coverage.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { readRegularFile } from '../../shared/files/read-file.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { compareText } from '../../shared/lib/json.js';
import { fileBytesMax, reasonOf } from '../../compile/load/load.js';
import { BASES_FOLDER, fromCluster } from '../../compile/render/tree/base-path.js';
import { INDEX_PATH, parseIndex } from '../../compile/render/tree/manifest-index.js';
import type { Io } from '../io.js';
import { nothingToCompare, unreadableOld } from '../problems.js';
import { workTree } from '../repository-paths.js';
import {
  contentsOf,
  filesOfCommit,
  isShallow,
  resolveCommit,
  unreadable,
  type GitProblem,
  type WorkTree,
} from './git.js';

/** A manifest of the old tree. */
export interface OldManifest {
  /** For messages. */
  readonly path: string;
  /** Relative to the folder of its cluster. */
  readonly inner: string;
  /** Git's object id of its content: equal ids, equal bytes. */
  readonly id: string;
}

/** The folder of one cluster in the old tree. */
export interface OldCluster {
  readonly manifests: readonly OldManifest[];
  /** Whether Weft wrote it. */
  readonly hasIndex: boolean;
  /** The drivers of its configuration; absent when its index does not list them or has merge conflicts. */
  readonly coverage?: readonly DriverCoverage[];
  /** Absent when its index has merge conflicts. */
  readonly settings?: ClusterSettings;
  /** The contents of some of its manifests, in the order of these. */
  readonly contents: (manifests: readonly OldManifest[]) => readonly Buffer[];
}

/** The old side. Reading it may end with an error, see `isUnreadable`. */
export interface OldTree {
  /** For messages, such as `HEAD:dist/`. */
  readonly label: string;
  /** Sorted: clusters, also those that are not in the input any more, and folders of others. */
  readonly folders: readonly string[];
  /** `undefined` if the tree has no such folder. */
  readonly cluster: (name: string) => OldCluster | undefined;
  /** The id that a text would have in this tree. */
  readonly idOf: (text: string) => string;
  /** What a folder of the input held in this revision, by the names of its files; absent for a tree that is no revision. */
  readonly inputOf?: (folder: string) => ReadonlyMap<string, Buffer>;
}

const MANIFEST = /\.(?:ya?ml|json)$/;
const NO_MANIFEST = /(?:^|\/)kustomization\.ya?ml$/;
const isManifest = (path: string) => MANIFEST.test(path) && !NO_MANIFEST.test(path);

/**
 * The manifests are the files that the index lists, and those of the bases that it lists; without an index, all files that look like manifests.
 *
 * @param text that of the index; absent: there is none
 * @param inBase the files of a base, with their paths from the folder of the cluster
 */
function clusterOf(
  files: readonly OldManifest[],
  text: string | undefined,
  inBase: (folder: string) => readonly OldManifest[],
  contents: OldCluster['contents'],
): OldCluster {
  const index = parseIndex(text ?? '');
  const ours = index.kind === 'index' ? new Set(index.paths) : undefined;
  const own = files.filter(({ inner }) => isManifest(inner) && (ours === undefined || ours.has(inner)));
  const bases = index.kind === 'index' ? index.bases.flatMap(inBase).filter(({ inner }) => isManifest(inner)) : [];
  const manifests = [...own, ...bases];
  const cluster = { manifests, hasIndex: text !== undefined, contents };
  if (index.kind !== 'index' || !index.isWhole) return cluster;
  const coverage = index.facts.filter((line) => !isSettingsLine(line)).map(readCoverageLine);
  const isComplete = coverage.every((one) => one !== undefined);
  return isComplete ? { ...cluster, coverage, settings: readSettings(index.facts) } : cluster;
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
    folders: names.filter((name) => lstatSync(join(folder, name)).isDirectory()),
    cluster: (name) => {
      const root = folderOf(name);
      if (cluster !== undefined && name !== cluster) return undefined;
      const stat = lstatSync(root, { throwIfNoEntry: false });
      if (stat?.isSymbolicLink() === true && cluster === undefined) throw notFollowed(join(label, name));
      return stat === undefined || stat.isFile() ? undefined : clusterOnDisk(root, join(label, relative(folder, root)));
    },
    idOf: (text) => blobId(text, 'sha1'),
  };
}

/** Whether a folder is the output of one cluster and not of several. */
export function isClusterFolder(folder: string): boolean {
  return existsSync(join(folder, INDEX_PATH)) || existsSync(join(folder, 'kustomization.yaml'));
}

function clusterOnDisk(root: string, label: string): OldCluster {
  const contents = new Map<string, Buffer>();
  const readAll = (inners: readonly string[]) =>
    inners.map((inner): OldManifest => {
      const path = join(label, inner);
      const content = contentOf(join(root, inner), path);
      contents.set(inner, content);
      return { inner, path, id: blobId(content, 'sha1') };
    });
  const files = readAll(filesBelow(root, label));
  const inBase = (folder: string) => {
    const above = dirname(join(root, fromCluster(folder)));
    // A link there would lead elsewhere.
    const isThere = [above, join(root, fromCluster(folder))].every((path) =>
      lstatSync(path, { throwIfNoEntry: false })?.isDirectory(),
    );
    return isThere ? readAll(filesBelow(root, label, fromCluster(folder))) : [];
  };
  return clusterOf(files, contents.get(INDEX_PATH)?.toString('utf8'), inBase, (manifests) =>
    manifests.flatMap(({ inner }) => contents.get(inner) ?? []),
  );
}

const isWanted = (path: string) => MANIFEST.test(path) || path === INDEX_PATH;

/** Paths of what is no folder, with `/` between their parts. */
function filesBelow(root: string, label: string, folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isSymbolicLink()) throw notFollowed(join(label, path));
    if (entry.isDirectory()) return filesBelow(root, label, path);
    return isWanted(path) ? [path] : [];
  });
}

function contentOf(path: string, label: string): Buffer {
  const read = readRegularFile(path, { bytesMax: fileBytesMax });
  switch (read.kind) {
    case 'content':
      return read.bytes;
    case 'link':
      throw notFollowed(label);
    case 'not-a-file':
      throw unreadable(`\`${label}\` is not a regular file`);
    case 'too-large':
      throw unreadable(`\`${label}\` has ${read.bytes} bytes; at most ${fileBytesMax} are read`);
    case 'failed':
      throw unreadable(`\`${label}\`: ${reasonOf(read.error).text}`);
  }
}

const notFollowed = (label: string, what = 'symbolic link') =>
  unreadable(`\`${label}\` is a ${what}, and its content is elsewhere`);

/**
 * The output folder in a revision of the repository that the working directory is in. `undefined` if there is no repository or no commit.
 *
 * @param output absolute
 */
export function openRevision(output: string, revision: string | undefined, io: Io): OldTree | Diagnostic | undefined {
  const root = workTree(io.cwd);
  const path = root === undefined ? [] : relative(root, output).split(sep).filter(Boolean);
  if (root === undefined || path[0] === '..') {
    if (revision === undefined) return undefined;
    const fact =
      root === undefined
        ? 'the working directory is in no git repository'
        : 'the output is not in the git repository of the working directory';
    return nothingToCompare(`\`${revision}\` is no folder, and ${fact}`, FOLDER_HELP);
  }
  const other = path
    .map((_, index) => path.slice(0, index + 1).join('/'))
    .find((one) => existsSync(join(root, one, '.git')));
  if (other !== undefined) {
    return unreadableOld(
      `\`${other}\` is a git repository of its own, inside of another`,
      `run it there, or ${FOLDER_HELP}`,
    );
  }
  const at: WorkTree = { root, env: io.env };
  const commit = resolveCommit(at, revision ?? 'HEAD');
  if (commit.kind !== 'found') return gitProblem(commit, revision);
  if (commit.value === undefined) return revision === undefined ? undefined : unknownRevision(at, revision);
  const tree = treeOfCommit(at, commit.value, path.join('/'), revision ?? 'HEAD');
  const { value } = commit;
  return 'code' in tree ? tree : { ...tree, inputOf: (folder) => filesDirectlyIn(at, value, folder) };
}

/** The regular files of a folder, which is absolute; none where the commit does not have it. */
function filesDirectlyIn(at: WorkTree, commit: string, folder: string): ReadonlyMap<string, Buffer> {
  const path = relative(at.root, folder).split(sep).join('/');
  const found = path === '..' || path.startsWith('../') ? undefined : filesOfCommit(at, commit, path);
  if (found?.kind !== 'found') return new Map();
  const prefix = path === '' ? '' : `${path}/`;
  const files = found.value.flatMap(({ kind, path: file, id }) => {
    const name = file.slice(prefix.length);
    return kind === 'file' && file.startsWith(prefix) && !name.includes('/') ? [{ name, id }] : [];
  });
  const contents = contentsOf(
    at,
    files.map(({ id }) => id),
  );
  return new Map(contents.map((content, index) => [files[index]?.name ?? '', content]));
}

/** Whether a text names a commit of the repository that the working directory is in, or several. */
export function isRevision(text: string, { cwd, env }: Io): boolean {
  const root = workTree(cwd);
  const commit = root === undefined ? undefined : resolveCommit({ root, env }, text);
  return commit?.kind === 'found' ? commit.value !== undefined : commit?.kind === 'ambiguous';
}

function treeOfCommit(at: WorkTree, commit: string, path: string, revision: string): OldTree | Diagnostic {
  const found = filesOfCommit(at, commit, path);
  if (found.kind !== 'found') return gitProblem(found, revision);
  const prefix = path === '' ? '' : `${path}/`;
  const label = `${revision}:${prefix}`;
  // The path itself, or a folder above it, may be a link or a submodule.
  const above = found.value.find((file) => !file.path.startsWith(prefix) && file.kind !== 'file');
  if (above !== undefined)
    return unreadableOld(notFollowed(`${revision}:${above.path}`, above.kind).message, FOLDER_HELP);
  const files = found.value.flatMap((file) =>
    file.path.startsWith(prefix) ? [{ ...file, below: file.path.slice(prefix.length) }] : [],
  );
  const folders = groupBy(files, ({ below }) => below.split('/', 1)[0] ?? '');
  const indexes = files.filter(({ below, kind }) => kind === 'file' && below.split('/', 2)[1] === INDEX_PATH);
  const texts = contentsOf(
    at,
    indexes.map(({ id }) => id),
  );
  const indexTexts = new Map(indexes.map((index, number) => [index.below, texts[number]?.toString('utf8')]));
  const refuseOthers = (all: readonly (typeof files)[number][]) => {
    const other = all.find(({ kind }) => kind !== 'file');
    if (other !== undefined) throw notFollowed(`${revision}:${other.path}`, other.kind);
  };
  return {
    label,
    folders: [...folders].flatMap(([name, [first]]) => (first?.below === name ? [] : [name])).sort(compareText),
    cluster: (name) => {
      const all = folders.get(name) ?? [];
      refuseOthers(all);
      const inside = all.flatMap(({ below, id }) => {
        const inner = below.slice(name.length + 1);
        return isWanted(inner) ? [{ inner, path: `${label}${below}`, id }] : [];
      });
      const inBase = (folder: string) => {
        const found = (folders.get(BASES_FOLDER) ?? []).filter(({ below }) => below.startsWith(`${folder}/`));
        refuseOthers(found);
        return found.map(({ below, id }) => ({ inner: fromCluster(below), path: `${label}${below}`, id }));
      };
      const contents = (manifests: readonly OldManifest[]) =>
        contentsOf(
          at,
          manifests.map(({ id }) => id),
        );
      return all.length === 0 || (inside.length === 0 && all[0]?.below === name)
        ? undefined
        : clusterOf(inside, indexTexts.get(`${name}/${INDEX_PATH}`), inBase, contents);
    },
    idOf: (text) => blobId(text, commit.length === 64 ? 'sha256' : 'sha1'),
  };
}

function gitProblem(problem: GitProblem, revision = 'HEAD'): Diagnostic {
  switch (problem.kind) {
    case 'not-installed':
      return nothingToCompare(`\`${revision}\` is no folder, and git is not installed`, FOLDER_HELP);
    case 'ambiguous': {
      const help = 'write its full name, such as `refs/remotes/origin/main`, or the id of the commit';
      return nothingToCompare(`the git repository has several refs that \`${revision}\` may mean`, help);
    }
    case 'failed': {
      const [first = '', ...more] = problem.message.split('\n');
      return unreadableOld(`git refuses: ${first}`, more.join('\n') || `or ${FOLDER_HELP}`);
    }
  }
}

const FOLDER_HELP = 'name a folder that holds what was rendered before';

function unknownRevision(at: WorkTree, revision: string): Diagnostic {
  const help = isShallow(at)
    ? 'the clone has only the last commits: run `git fetch --depth 1 origin <branch>`, then `weft diff FETCH_HEAD`'
    : '`git branch --all`, `git tag` and `git log` name revisions';
  return nothingToCompare(`\`${revision}\` is neither a folder nor a revision of the git repository`, help);
}
