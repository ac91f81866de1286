import { basename, dirname, relative, resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { DiagnosticFormat } from '../../diagnostics/render/render.js';
import { isFolder } from '../../render/tree/disk.js';
import type { ObjectDiff } from '../../review/diff/diff.js';
import type { DiffGroup } from '../../review/diff/groups.js';
import { renderDiffJson } from '../../review/diff/json.js';
import { renderDiffMarkdown } from '../../review/diff/markdown.js';
import { renderDiffText } from '../../review/diff/text.js';
import { compareAll, type Next, type Old } from './compare.js';
import { nodesOfSeveral, readNodesFile } from './nodes.js';
import type { DiffOptions, failOnChoices } from './options.js';
import { isClusterFolder, openFolder, openRevision, type OldTree } from './tree.js';
import { GIT_ERROR } from './git.js';
import { EXIT, usesColour, type ExitCode, type Io } from '../io.js';
import { emptyOutputDir, everyCluster, nothingToCompare, unreadableOld } from '../problems.js';
import { nonFolderAt } from '../synth/output-place.js';
import { eachOnce, findProject, outputFolderOf } from '../project.js';
import { hasErrors, report } from '../report.js';

/** `weft diff`: compares the rendered output with what the input renders now. */
export async function diff(given: string | undefined, options: DiffOptions, io: Io): Promise<ExitCode> {
  const found = placesOf(options, io);
  if (isProblem(found)) return refuse([found], options, io);
  const inventory = await inventoryOf(found, options, io);
  if (isProblem(inventory)) return refuse([inventory], options, io);
  const places = { ...found, ...inventory };
  let old: Old | undefined;
  try {
    const opened = await openOld(given, places, options, io);
    if (isProblem(opened)) return refuse([opened], options, io);
    old = opened;
    return await compare(old, places, options, io);
  } catch (error) {
    const reason = oldTreeFailure(error);
    if (reason === undefined) throw error;
    const label = old?.tree.label ?? given ?? (isGitError(error) ? 'HEAD' : relative(io.cwd, places.output) || '.');
    return refuse(
      [unreadableOld(`${label} cannot be read: ${reason}`, 'see that it can be read, or compare with another tree')],
      options,
      io,
    );
  } finally {
    old?.tree.close();
  }
}

/** Facts about the live cluster, from a file or through kubectl. */
async function inventoryOf(
  { folders }: Places,
  options: DiffOptions,
  io: Io,
): Promise<Pick<Next, 'nodes' | 'addresses'> | Diagnostic> {
  const { nodes: path, live = false } = options;
  if (path === undefined && !live) return {};
  if (folders.length !== 1) return nodesOfSeveral(live ? '--live' : '--nodes', folders.length);
  if (path !== undefined) {
    const nodes = readNodesFile(path, io.cwd);
    return isProblem(nodes) ? nodes : { nodes };
  }
  const { readLive } = await import('./live.js');
  return readLive(options, io);
}

/** The message of the operating system or of git, if one of them failed. */
function oldTreeFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return isGitError(error) || 'syscall' in error ? error.message : undefined;
}

function isGitError(error: unknown): boolean {
  return error instanceof Error && error.name === GIT_ERROR;
}

function isProblem(found: object): found is Diagnostic {
  return 'code' in found;
}

/** With `--format json` the diagnostics are JSON too. */
function diagnosticFormat({ format }: DiffOptions): DiagnosticFormat {
  return format === 'json' ? 'json' : 'text';
}

function refuse(diagnostics: readonly Diagnostic[], options: DiffOptions, io: Io): ExitCode {
  report(diagnostics, diagnosticFormat(options), io, 'nothing compared');
  return EXIT.userError;
}

interface Places extends Next {
  /** The output folder. */
  readonly output: string;
}

function placesOf({ folder = [], outputDir, denyWarnings = false }: DiffOptions, io: Io): Places | Diagnostic {
  if (outputDir === '') return emptyOutputDir();
  const [first = '.'] = folder;
  const output = outputDir === undefined ? outputFolderOf(resolve(io.cwd, first), io.cwd) : resolve(io.cwd, outputDir);
  const denied = denyWarnings ? 'all' : [];
  if (folder.length > 0) return { folders: eachOnce(folder, io.cwd), isWhole: false, denied, output };
  const project = everyCluster(findProject(io.cwd), (path) => relative(io.cwd, path));
  return isProblem(project) ? project : { folders: project.folders, isWhole: true, denied, output };
}

async function openOld(
  given: string | undefined,
  places: Places,
  options: DiffOptions,
  io: Io,
): Promise<Old | Diagnostic> {
  if (given === '') {
    return nothingToCompare('the revision is empty', 'is a variable of the script not set? Without one it is HEAD');
  }
  if (given !== undefined && isFolder(resolve(io.cwd, given))) {
    const folder = resolve(io.cwd, given);
    const input = inputProblem(given, folder, places, io);
    if (input) return input;
    const only = isClusterFolder(folder) ? basename(folder) : undefined;
    return { tree: openFolder(folder, given, only), ...(only === undefined ? {} : { only }) };
  }
  const revision = await openRevision(places.output, given, io.env);
  if (revision) return isProblem(revision) ? revision : { tree: revision };
  const label = relative(io.cwd, places.output) || '.';
  const inTheWay = nonFolderAt(places.output);
  if (inTheWay !== undefined) {
    const fact = `nothing is committed, and \`${relative(io.cwd, inTheWay)}\` is not a folder`;
    return unreadableOld(fact, 'name a folder that holds what was rendered before');
  }
  note(`nothing is committed, so this compares with ${label} as it lies on disk`, options, io);
  return { tree: openFolder(places.output, label) };
}

/** Other commands take the folder of a cluster as argument; this one takes the old side. */
function inputProblem(given: string, folder: string, { folders }: Places, io: Io): Diagnostic | undefined {
  const inputs = folders.map((input) => resolve(io.cwd, input));
  if (inputs.includes(folder)) {
    const help = `the argument is the old side; to compare one cluster: \`weft diff --folder ${given}\``;
    return nothingToCompare(`\`${given}\` is the input of a cluster, not its output`, help);
  }
  if (!inputs.some((input) => dirname(input) === folder)) return undefined;
  return nothingToCompare(`\`${given}\` is the input of the clusters, not their output`, 'name a revision or a `dist`');
}

function note(text: string, options: DiffOptions, io: Io): void {
  // With `--format json` standard error must be one document.
  if (diagnosticFormat(options) === 'text') io.stderr(`note: ${text}\n`);
}

async function compare(old: Old, next: Next, options: DiffOptions, io: Io): Promise<ExitCode> {
  const { groups, diagnostics, isFound } = await compareAll(old, next, io);
  if (hasErrors(diagnostics)) return refuse(diagnostics, options, io);
  if (old.only !== undefined && !isFound)
    return refuse([...diagnostics, anotherCluster(old.only, old, next)], options, io);
  report(diagnostics, diagnosticFormat(options), io);
  const { label } = old.tree;
  if (!isFound)
    note(`${label} has no folder of ${next.isWhole ? 'any cluster' : 'these clusters'}: all is new`, options, io);
  return print(groups, old.tree, options, io);
}

function anotherCluster(only: string, { tree }: Old, { folders }: Next): Diagnostic {
  const message = `${tree.label} is the output of one cluster, and none of the ${folders.length} clusters is named \`${only}\``;
  return nothingToCompare(message, 'name the folder of its input with --folder');
}

function print(groups: readonly DiffGroup[], { label }: OldTree, options: DiffOptions, io: Io): ExitCode {
  if (groups.length === 0 && options.format === 'text') io.stderr(`no differences from ${label}\n`);
  for (const piece of rendered(groups, label, options.format, io)) io.stdout(piece);
  const { failOn = [] } = options;
  const isFailure =
    failOn.length === 0
      ? groups.length > 0
      : groups.some(({ objects }) => objects.some((object) => failOn.some((one) => isOf(object, one))));
  return isFailure ? EXIT.differences : EXIT.ok;
}

function isOf({ impact, refusedFields }: ObjectDiff, choice: (typeof failOnChoices)[number]): boolean {
  return choice === 'refused' ? refusedFields !== undefined : impact === choice;
}

function rendered(groups: readonly DiffGroup[], old: string, format: DiffOptions['format'], io: Io): Iterable<string> {
  switch (format) {
    case 'text':
      return renderDiffText(groups, { colour: usesColour(io, 'stdout') });
    case 'markdown':
      return [renderDiffMarkdown(groups)];
    case 'json':
      return renderDiffJson(groups, { old });
  }
}
