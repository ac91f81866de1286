import { basename, join, relative, resolve } from 'node:path';
import { decodeUtf8 } from '../config/load.js';
import { loadYaml } from '../config/yaml.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { KubernetesObject } from '../lib/kubernetes.js';
import { toYaml, type JsonValue } from '../render/yaml.js';
import { diffCluster, type ClusterDiff } from '../review/diff.js';
import { renderDiffJson } from '../review/diff-json.js';
import { renderDiffMarkdown } from '../review/diff-markdown.js';
import { asKubernetesObject } from '../review/diff-objects.js';
import { renderDiffText } from '../review/diff-text.js';
import { compileFolder, type Compiled } from './compile.js';
import { GIT_ERROR } from './git.js';
import type { DiffOptions } from './diff-options.js';
import { isClusterFolder, isFolder, openFolder, openRevision, type Opened, type OldTree } from './diff-tree.js';
import { EXIT, usesColour, type ExitCode, type Io } from './io.js';
import { emptyClusters, noClusters, sameName } from './output-problems.js';
import { findProject } from './project.js';
import { hasErrors, report } from './report.js';

/** `weft diff`: what was rendered before, compared with what the input renders now. */
export async function diff(old: string | undefined, options: DiffOptions, io: Io): Promise<ExitCode> {
  const places = placesOf(options, io);
  if ('code' in places) return refuseInput([places], io);
  const opened = await openOld(old, places.output, io);
  if ('problem' in opened) return refuse(opened, io);
  try {
    return await compare(opened, places, options, io);
  } catch (error) {
    const reason = oldTreeFailure(error);
    if (reason === undefined) throw error;
    return refuse({ problem: `${opened.tree.label} cannot be read: ${reason}`, help: 'compare with another tree' }, io);
  } finally {
    opened.tree.close();
  }
}

/** What the operating system or git says, where the failure is theirs. */
function oldTreeFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.name === GIT_ERROR || 'syscall' in error ? error.message : undefined;
}

type Problem = Extract<Opened, { readonly problem: string }>;

function refuse({ problem, help }: Problem, io: Io): ExitCode {
  io.stderr(`error: ${problem}\nhelp: ${help}\n`);
  return EXIT.userError;
}

function refuseInput(diagnostics: readonly Diagnostic[], io: Io): ExitCode {
  report(diagnostics, 'text', io, 'nothing compared');
  return EXIT.userError;
}

interface Places {
  readonly folders: readonly string[];
  /** Whether `folders` are all clusters of the project, so that others of the old tree are gone. */
  readonly isWhole: boolean;
  readonly output: string;
}

function placesOf({ folder = [], outputDir }: DiffOptions, io: Io): Places | Diagnostic {
  const found = findProject(io.cwd);
  const root = 'project' in found ? found.project.root : io.cwd;
  const output = outputDir === undefined ? join(root, 'dist') : resolve(io.cwd, outputDir);
  if (folder.length > 0) return { folders: folder, isWhole: false, output };
  if ('looked' in found) return noClusters(found.looked);
  const { folders } = found.project;
  return folders.length === 0
    ? emptyClusters(relative(io.cwd, join(root, 'clusters')))
    : { folders, isWhole: true, output };
}

/** The old tree, and whose it is where it is the folder of one cluster. */
interface Old {
  readonly tree: OldTree;
  readonly only?: string;
}

async function openOld(old: string | undefined, output: string, io: Io): Promise<Old | Problem> {
  if (old !== undefined && isFolder(resolve(io.cwd, old))) {
    const folder = resolve(io.cwd, old);
    const only = isClusterFolder(folder) ? basename(folder) : undefined;
    return { tree: openFolder(folder, old, only), ...(only === undefined ? {} : { only }) };
  }
  const revision = await openRevision(output, old);
  if (revision) return revision;
  const label = relative(io.cwd, output) || '.';
  io.stderr(`note: nothing is committed, so this compares with ${label} as it lies on disk\n`);
  return { tree: openFolder(output, label) };
}

async function compare(old: Old, places: Places, options: DiffOptions, io: Io): Promise<ExitCode> {
  const names = new Map<string, string>();
  const diffs: ClusterDiff[] = [];
  const diagnostics: Diagnostic[] = [];
  let isBroken = false;
  for (const folder of places.folders) {
    // One after the other, and only what differs is kept, so that memory does not grow with the fleet.
    const { result, diagnostics: found } = await compileFolder(folder, io);
    diagnostics.push(...found);
    isBroken ||= hasErrors(found) || !result;
    if (!result) continue;
    const { name } = result.config.cluster;
    const [other, shown] = [names.get(name), relative(io.cwd, resolve(io.cwd, folder))];
    if (other === undefined) names.set(name, shown);
    else diagnostics.push(sameName(name, other, shown));
    const compared = isBroken ? undefined : await compareCluster(result, old, places);
    diffs.push(...(compared?.diffs ?? []));
    diagnostics.push(...(compared?.diagnostics ?? []));
  }
  if (!isBroken && places.isWhole && old.only === undefined) {
    const gone = old.tree.clusters.filter((cluster) => !names.has(cluster));
    for (const name of gone) {
      const compared = await compareGone(name, old.tree);
      diffs.push(...compared.diffs);
      diagnostics.push(...compared.diagnostics);
    }
  }
  if (isBroken || hasErrors(diagnostics)) return refuseInput(diagnostics, io);
  report(diagnostics, 'text', io);
  if (old.only !== undefined && diffs.length === 0) return refuse(whose(old, places), io);
  return print(diffs, old.tree, options, io);
}

async function compareGone(name: string, tree: OldTree): Promise<Compared> {
  const { objects = [], diagnostics } = await readOld(tree, name, () => false);
  return { diffs: [diffCluster({ name, old: objects })], diagnostics };
}

function whose({ tree, only }: Old, { folders }: Places): Problem {
  const problem = `${tree.label} is the folder of one cluster, and none of the ${folders.length} clusters is named \`${only ?? ''}\``;
  return { problem, help: 'name the folder of its input with --folder' };
}

type Result = NonNullable<Compiled['result']>;

interface Compared {
  readonly diffs: readonly ClusterDiff[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `undefined` where the old tree is that of another cluster. */
async function compareCluster(result: Result, { tree, only }: Old, places: Places): Promise<Compared | undefined> {
  const { name } = result.config.cluster;
  // The folder of one cluster may have any name where the input is one cluster too.
  const isOnlyPair = only !== undefined && !places.isWhole && places.folders.length === 1;
  if (only !== undefined && only !== name && !isOnlyPair) return undefined;
  const objects = result.objects.map(({ object }) => object);
  const byId = new Map(objects.map((object) => [tree.idOf(toYaml(object as unknown as JsonValue)), object]));
  const same = new Set<KubernetesObject>();
  const isSame = (id: string): boolean => {
    const object = byId.get(id);
    if (object) same.add(object);
    return object !== undefined;
  };
  const old = await readOld(tree, isOnlyPair ? only : name, isSame);
  const sides = { name, next: { objects, same, config: result.config }, ...(old.objects ? { old: old.objects } : {}) };
  return { diffs: [diffCluster(sides)], diagnostics: old.diagnostics };
}

interface OldObjects {
  /** Absent where the tree has no such cluster. */
  readonly objects?: readonly KubernetesObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parsing is most of the work, so what has the same bytes as before is left out: `isSame` tells by the id. */
async function readOld(tree: OldTree, cluster: string, isSame: (id: string) => boolean): Promise<OldObjects> {
  const manifests = await tree.manifests(cluster);
  if (!manifests) return { diagnostics: [] };
  const changed = manifests.filter(({ id }) => !isSame(id));
  const loaded = await Promise.all(changed.map(async ({ path, read }) => loadManifest(path, await read())));
  return {
    objects: loaded.flatMap(({ objects }) => objects),
    diagnostics: loaded.flatMap(({ diagnostics }) => diagnostics),
  };
}

function loadManifest(
  path: string,
  bytes: Buffer,
): { readonly objects: readonly KubernetesObject[]; readonly diagnostics: readonly Diagnostic[] } {
  const text = decodeUtf8(path, bytes);
  if (typeof text !== 'string') return { objects: [], diagnostics: [text] };
  const { documents, diagnostics } = loadYaml(path, text);
  return { objects: documents.flatMap(({ value }) => asKubernetesObject(value) ?? []), diagnostics };
}

function print(diffs: readonly ClusterDiff[], tree: OldTree, options: DiffOptions, io: Io): ExitCode {
  const objects = diffs.flatMap((cluster) => cluster.objects);
  if (objects.length === 0 && options.format === 'text') {
    io.stderr(`no differences from ${tree.label}\n`);
  } else {
    io.stdout(rendered(diffs, options.format, io));
  }
  const { failOn = [] } = options;
  const isFailure =
    failOn.length === 0 ? objects.length > 0 : objects.some(({ impact }) => failOn.some((one) => one === impact));
  return isFailure ? EXIT.differences : EXIT.ok;
}

function rendered(diffs: readonly ClusterDiff[], format: DiffOptions['format'], io: Io): string {
  switch (format) {
    case 'text':
      return renderDiffText(diffs, { colour: usesColour(io, 'stdout') });
    case 'markdown':
      return renderDiffMarkdown(diffs);
    case 'json':
      return renderDiffJson(diffs);
  }
}
