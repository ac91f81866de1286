import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { compareText } from '../lib/json.js';
import { INDEX_PATH, parseIndex } from '../render/manifest-index.js';
import { listFiles, openBlobs, repositoryPrefix, resolveCommit, type GitProblem } from './git.js';

/** A manifest of the old tree. */
export interface OldManifest {
  /** For messages. */
  readonly path: string;
  /** Git's object id of its content: equal ids, equal bytes. */
  readonly id: string;
  readonly read: () => Promise<Buffer>;
}

/** What there was before. */
export interface OldTree {
  /** For messages, such as `HEAD:dist`. */
  readonly label: string;
  /** Folders with an index of Weft's, sorted: clusters, also those that are not in the input any more. */
  readonly clusters: readonly string[];
  /** `undefined` where the tree has no such folder. */
  readonly manifests: (cluster: string) => Promise<readonly OldManifest[] | undefined>;
  /** The id that a text would have in this tree. */
  readonly idOf: (text: string) => string;
  readonly close: () => void;
}

export type Opened = { readonly tree: OldTree } | { readonly problem: string; readonly help: string };

/** A file of an old tree, before its manifests are told from the rest. */
interface OldFile extends OldManifest {
  /** Relative to the folder of its cluster. */
  readonly inner: string;
}

const MANIFEST = /\.(?:ya?ml|json)$/;
const NO_MANIFEST = /(?:^|\/)kustomization\.ya?ml$/;

/** Those of the files that Weft wrote, as its index says; without one, all that look like manifests. */
async function manifestsOf(files: readonly OldFile[]): Promise<readonly OldManifest[]> {
  const text = await files.find(({ inner }) => inner === INDEX_PATH)?.read();
  const index = parseIndex(text?.toString('utf8') ?? '', { repeatedPaths: false });
  const ours = index.kind === 'index' ? new Set(index.entries.map(({ path }) => path)) : undefined;
  return files.filter(
    ({ inner }) => MANIFEST.test(inner) && !NO_MANIFEST.test(inner) && (ours === undefined || ours.has(inner)),
  );
}

function blobId(content: string | Buffer, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm)
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');
}

/** A tree on disk: the folder of one cluster where `cluster` says whose, else a folder with one for each cluster. */
export function openFolder(folder: string, label: string, cluster?: string): OldTree {
  const folderOf = (name: string) => (cluster === undefined ? join(folder, name) : folder);
  const names = existsSync(folder) && cluster === undefined ? readdirSync(folder).sort(compareText) : [];
  return {
    label,
    clusters: names.filter((name) => existsSync(join(folder, name, INDEX_PATH))),
    manifests: async (name) => {
      const root = folderOf(name);
      if ((cluster !== undefined && name !== cluster) || !isFolder(root)) return undefined;
      return manifestsOf(filesBelow(root).map((inner) => diskFile(root, inner, join(label, relative(folder, root)))));
    },
    idOf: (text) => blobId(text, 'sha1'),
    close: () => undefined,
  };
}

/** Whether a folder is the output of one cluster, rather than that of several. */
export function isClusterFolder(folder: string): boolean {
  return existsSync(join(folder, INDEX_PATH)) || existsSync(join(folder, 'kustomization.yaml'));
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function diskFile(root: string, inner: string, label: string): OldFile {
  const content = readFileSync(join(root, inner));
  const id = blobId(content, 'sha1');
  return { inner, path: join(label, inner), id, read: () => Promise.resolve(content) };
}

/** Paths of regular files with `/` between their parts; links are not followed, so that there is no loop. */
function filesBelow(root: string, folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path);
    const isWanted = entry.isFile() && (MANIFEST.test(path) || path === INDEX_PATH);
    return isWanted ? [path] : [];
  });
}

/** The output folder as a revision has it. `undefined` where the project is in no repository, or in one without a commit. */
export async function openRevision(output: string, revision: string | undefined): Promise<Opened | undefined> {
  const start = nearestFolder(output);
  const prefix = await repositoryPrefix(start);
  if (prefix.kind !== 'found') {
    const isOptional = revision === undefined && prefix.kind !== 'failed';
    return isOptional ? undefined : gitProblem(prefix, revision);
  }
  const commit = await resolveCommit(start, revision ?? 'HEAD');
  if (commit.kind !== 'found') return gitProblem(commit, revision);
  if (commit.value === undefined) return revision === undefined ? undefined : unknownRevision(revision);
  const inside = relative(start, output).split(sep).filter(Boolean);
  const path = prefix.value + inside.map((part) => `${part}/`).join('');
  const files = await listFiles(start, commit.value, path);
  if (files.kind !== 'found') return gitProblem(files, revision);
  return { tree: gitTree(start, `${revision ?? 'HEAD'}:${path}`, files.value) };
}

function nearestFolder(path: string): string {
  return isFolder(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function gitTree(
  start: string,
  label: string,
  files: readonly { readonly path: string; readonly id: string }[],
): OldTree {
  const blobs = openBlobs(start);
  const byCluster = new Map<string, OldFile[]>();
  for (const { path, id } of files) {
    const slash = path.indexOf('/');
    if (slash < 0) continue;
    const [cluster, inner] = [path.slice(0, slash), path.slice(slash + 1)];
    const read = () => blobs.read(id);
    const file = { inner, path: `${label}${path}`, id, read };
    const known = byCluster.get(cluster);
    if (known) known.push(file);
    else byCluster.set(cluster, [file]);
  }
  const algorithm = files[0]?.id.length === 64 ? 'sha256' : 'sha1';
  return {
    label,
    clusters: [...byCluster]
      .filter(([, inside]) => inside.some(({ inner }) => inner === INDEX_PATH))
      .map(([name]) => name)
      .sort(compareText),
    manifests: (name) => {
      const inside = byCluster.get(name);
      return inside ? manifestsOf(inside) : Promise.resolve(undefined);
    },
    idOf: (text) => blobId(text, algorithm),
    close: blobs.close,
  };
}

function gitProblem(problem: GitProblem, revision: string | undefined): Opened {
  switch (problem.kind) {
    case 'not-installed':
      return { problem: `\`${revision ?? ''}\` is no folder, and git is not installed`, help: 'name a folder' };
    case 'no-repository':
      return {
        problem: `\`${revision ?? ''}\` is no folder, and the output is in no git repository`,
        help: 'name a folder that holds what was rendered before',
      };
    case 'failed':
      return { problem: `git: ${problem.message}`, help: 'or name a folder that holds what was rendered before' };
  }
}

function unknownRevision(revision: string): Opened {
  return {
    problem: `\`${revision}\` is neither a folder nor a revision of the git repository`,
    help: 'in CI the checkout may be shallow: fetch the revision first, as in `git fetch --depth 1 origin main`',
  };
}
