import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { compareText } from '../../shared/lib/json.js';
import { BASES_FOLDER, fromCluster } from '../../compile/render/tree/base-path.js';
import { INDEX_PATH } from '../../compile/render/tree/manifest-index.js';
import type { Io } from '../io.js';
import { nothingToCompare, unreadableOld } from '../problems.js';
import { workTree } from '../repository-paths.js';
import { contentsOf, filesOfCommit, isShallow, resolveCommit, type GitProblem, type WorkTree } from './git.js';
import { blobId, clusterOf, isReadFile, notFollowed, type OldManifest, type OldTree } from './tree.js';

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
        return isReadFile(inner) ? [{ inner, path: `${label}${below}`, id }] : [];
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
