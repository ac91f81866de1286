import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { renderDiagnostics, type DiagnosticFormat } from '../../shared/diagnostics/render/render.js';
import { linkOnTheWay } from '../../shared/files/links.js';
import { linkNotFollowed } from '../../compile/load/load.js';
import { isFolder } from '../../compile/render/tree/disk.js';
import type { ObjectDiff } from '../../review/diff/diff.js';
import { isComputed } from '../../review/diff/computed.js';
import type { DiffContext, FailedCluster } from '../../review/diff/context.js';
import type { DiffGroup } from '../../review/diff/groups.js';
import { renderDiffJson } from '../../review/diff/json.js';
import { renderDiffMarkdown, type ShownPlan } from '../../review/diff/markdown.js';
import { DEFAULT_CHOICES, diffResults, isOf, leftOutOfGithub, resultRule } from '../../review/diff/results.js';
import { renderDiffText } from '../../review/diff/text.js';
import { leftBehindText } from '../compile/left-behind.js';
import { compareAll, type Next, type Old } from './compare.js';
import { nodesOfSeveral, readNodesFile } from './nodes.js';
import type { DiffOptions } from './options.js';
import { isUnreadable } from '../old-output/git.js';
import { isClusterFolder, openFolder } from '../old-output/folder.js';
import { isRevision, openRevision } from '../old-output/revision.js';
import { expectedCluster } from '../cluster/expected.js';
import { STDIN } from '../given-file.js';
import { EXIT, usesColour, type ExitCode, type Io } from '../io.js';
import { emptyOutputDir, everyCluster, nothingToCompare, unreadableOld } from '../problems.js';
import { nonFolderAt } from '../synth/output-place.js';
import { eachOnce, findProject, outputFolderOf } from '../project.js';
import { hasErrors, report } from '../report.js';
import { fromRepository } from '../repository-paths.js';
import { escapeLine, shellWord } from '../../shared/lib/escape.js';
import { counted } from '../../shared/lib/listed.js';

/** `weft diff`: compares the rendered output, or a live cluster, with what the input renders now. */
export async function diff(given: string | undefined, options: DiffOptions, io: Io): Promise<ExitCode> {
  const found = planProblem(options) ?? placesOf(options, io);
  if (isProblem(found)) return refuse([found], options, io);
  if (options.live === true || given === STDIN) return diffLive(given, found, options, io);
  const inventory = await inventoryOf(found, options, io);
  if (isProblem(inventory)) return refuse([inventory], options, io);
  const places = { ...found, ...inventory };
  let old: Old | undefined;
  try {
    const opened = openOld(given, places, options, io);
    if (isProblem(opened)) return refuse([opened], options, io);
    old = opened;
    return await compare(old, places, options, io);
  } catch (error) {
    const reason = oldTreeFailure(error);
    if (reason === undefined) throw error;
    const label = old?.tree.label ?? given ?? (isUnreadable(error) ? 'HEAD' : relative(io.cwd, places.output) || '.');
    return refuse(
      [unreadableOld(`${label} cannot be read: ${reason}`, 'see that it can be read, or compare with another tree')],
      options,
      io,
    );
  }
}

/** `--plan` with options that it does not go with; undefined: it does. */
function planProblem({ plan, snapshot, format }: DiffOptions): Diagnostic | undefined {
  if (plan !== true) {
    return snapshot === undefined ? undefined : misfit('`--snapshot` is for `--plan`', 'add `--plan`');
  }
  return format === 'text' || format === 'markdown'
    ? undefined
    : misfit(
        `\`--plan\` is text, and \`--format ${format}\` is for programs`,
        '`weft plan --format json` prints a plan',
      );
}

function misfit(message: string, help: string): Diagnostic {
  return diagnostic('WEFT0446', { message, help });
}

async function diffLive(given: string | undefined, places: Next, options: DiffOptions, io: Io): Promise<ExitCode> {
  if (options.live === true && given !== undefined) {
    const fact = `\`--live\` compares with the live cluster, and \`${given}\` is another old side`;
    return refuse(
      [nothingToCompare(fact, 'leave out one of them; `--nodes live` has the nodes of the cluster')],
      options,
      io,
    );
  }
  const inventory = options.live === true ? {} : await inventoryOf(places, options, io);
  if (isProblem(inventory)) return refuse([inventory], options, io);
  const { diffWithClusters, diffWithStdin } = await import('./diff-live.js');
  const { groups, diagnostics, label, failed } =
    options.live === true
      ? await diffWithClusters(places, options, io)
      : await diffWithStdin({ ...places, ...inventory }, io);
  const clusterCount = places.folders.length;
  if (failed.length === clusterCount || (failed.length === 0 && hasErrors(diagnostics)))
    return refuse(diagnostics, options, io);
  reportFailed(diagnostics, failed, clusterCount, options, io);
  return finish(groups, { label, places, isFolded: isQuiet, failed }, options, io);
}

/** Facts about the live cluster, from a file or through kubectl. */
async function inventoryOf(
  { folders }: Next,
  options: DiffOptions,
  io: Io,
): Promise<Pick<Next, 'nodes' | 'addresses'> | Diagnostic> {
  const { nodes: path } = options;
  if (path === undefined) return {};
  if (folders.length !== 1) return nodesOfSeveral(folders.length);
  if (path !== LIVE_NODES) {
    const nodes = await readNodesFile(path, io);
    return isProblem(nodes) ? nodes : { nodes };
  }
  const expected = await expectedCluster(folders[0] ?? '.', options, io);
  // Comparing reports the errors of reading the documents.
  if (!('name' in expected)) return {};
  const { readInventory } = await import('./live.js');
  return readInventory({ ...options, expected }, io);
}

/** The value of `--nodes` that means the live cluster. */
const LIVE_NODES = 'live';

/** Why the old tree cannot be read; undefined for a bug. */
function oldTreeFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return isUnreadable(error) || 'syscall' in error ? error.message : undefined;
}

function isProblem(found: object): found is Diagnostic {
  return 'code' in found;
}

/** The diagnostics of the input are text beside Markdown, else they have the format of the differences. */
function diagnosticFormat({ format }: DiffOptions): DiagnosticFormat {
  return format === 'markdown' ? 'text' : format;
}

function refuse(diagnostics: readonly Diagnostic[], options: DiffOptions, io: Io): ExitCode {
  report(diagnostics, diagnosticFormat(options), io, 'nothing compared');
  return EXIT.userError;
}

function placesOf(options: DiffOptions, io: Io): Next | Diagnostic {
  const { folder = [], outputDir, denyWarnings = false, programs = false } = options;
  if (outputDir === '') return emptyOutputDir();
  const [first = '.'] = folder;
  const output = outputDir === undefined ? outputFolderOf(resolve(io.cwd, first), io.cwd) : resolve(io.cwd, outputDir);
  const next = { denied: denyWarnings ? ('all' as const) : [], output, programs };
  if (folder.length > 0) return { ...next, folders: eachOnce(folder, io.cwd), isWhole: false };
  const project = everyCluster(findProject(io.cwd), (path) => relative(io.cwd, path));
  return isProblem(project) ? project : { ...next, folders: project.folders, isWhole: true };
}

function openOld(given: string | undefined, places: Next, options: DiffOptions, io: Io): Old | Diagnostic {
  if (given === '') {
    return nothingToCompare('the revision is empty', 'is a variable of the script not set? Without one it is HEAD');
  }
  if (given !== undefined && isFolder(resolve(io.cwd, given))) {
    const folder = resolve(io.cwd, given);
    const input = inputProblem(given, folder, places, io);
    if (input) return input;
    const link = linkOnTheWay(io.cwd, folder);
    if (link !== undefined) return linkNotFollowed(relative(io.cwd, link));
    if (!isPath(given) && isRevision(given, io)) return folderAndRevision(given);
    const only = isClusterFolder(folder) ? basename(folder) : undefined;
    return { tree: openFolder(folder, given, only), ...(only === undefined ? {} : { only }) };
  }
  const revision = openRevision(places.output, given, io);
  if (revision) return isProblem(revision) ? revision : { tree: revision };
  const label = relative(io.cwd, places.output) || '.';
  const link = linkOnTheWay(io.cwd, places.output);
  if (link !== undefined) return linkNotFollowed(relative(io.cwd, link));
  const inTheWay = nonFolderAt(places.output);
  if (inTheWay !== undefined) {
    const fact = `nothing is committed, and \`${relative(io.cwd, inTheWay)}\` is not a folder`;
    return unreadableOld(fact, 'name a folder that holds what was rendered before');
  }
  note(`nothing is committed, so this compares with ${label} as it lies on disk`, options, io);
  return { tree: openFolder(places.output, label) };
}

/** Whether a text can only be a path. */
const isPath = (given: string) => isAbsolute(given) || /^\.\.?(?:$|[\\/])/.test(given);

/** A change may bring a folder of any name, also of that of the branch which it is compared with. */
function folderAndRevision(given: string): Diagnostic {
  const help = `write \`./${given}\` for the folder, or the id of the commit for the revision`;
  return nothingToCompare(`\`${given}\` is a folder, and a revision of the git repository`, help);
}

/** Other commands take the folder of a cluster as argument; this one takes the old side. */
function inputProblem(given: string, folder: string, { folders }: Next, io: Io): Diagnostic | undefined {
  const inputs = folders.map((input) => resolve(io.cwd, input));
  if (inputs.includes(folder)) {
    const help = `the argument is the old side; to compare one cluster: \`weft diff --folder ${shellWord(given)}\``;
    return nothingToCompare(`\`${given}\` is the input of a cluster, not its output`, help);
  }
  if (!inputs.some((input) => dirname(input) === folder)) return undefined;
  return nothingToCompare(`\`${given}\` is the input of the clusters, not their output`, 'name a revision or a `dist`');
}

function note(text: string, options: DiffOptions, io: Io): void {
  // In a format for programs standard error must be one document.
  if (diagnosticFormat(options) === 'text') io.stderr(`note: ${escapeLine(text)}\n`);
}

async function compare(old: Old, next: Next, options: DiffOptions, io: Io): Promise<ExitCode> {
  const { groups, diagnostics, isFound, left, causes, failed, ...all } = await compareAll(old, next, io);
  const { label } = old.tree;
  const areAllFailed = failed.length > 0 && failed.length === all.clusterCount;
  const isOfNoCluster = failed.length === 0 && hasErrors(diagnostics);
  if (all.hasNamesakes || areAllFailed || isOfNoCluster) {
    if (causes !== undefined && diagnosticFormat(options) === 'text') {
      for (const part of renderDiffText([], { colour: usesColour(io), causes, failed })) io.stderr(part);
    }
    return refuse(diagnostics, options, io);
  }
  if (old.only !== undefined && !isFound)
    return refuse([...diagnostics, anotherCluster(old.only, old, next)], options, io);
  reportFailed(diagnostics, failed, all.clusterCount, options, io);
  if (diagnosticFormat(options) === 'text') io.stderr(leftBehindText(left));
  if (!isFound)
    note(`${label} has no folder of ${next.isWhole ? 'any cluster' : 'these clusters'}: all is new`, options, io);
  return finish(groups, { label, places: next, isFolded: isComputed, causes, failed, left }, options, io);
}

/** The diagnostics of clusters, of which some are compared. */
function reportFailed(
  diagnostics: readonly Diagnostic[],
  failed: readonly FailedCluster[],
  clusterCount: number,
  options: DiffOptions,
  io: Io,
): void {
  const closing = `${failed.length} of ${counted(clusterCount, 'cluster')} not compared`;
  report(diagnostics, diagnosticFormat(options), io, failed.length === 0 ? undefined : closing);
}

function anotherCluster(only: string, { tree }: Old, { folders }: Next): Diagnostic {
  const message = `${tree.label} is the output of one cluster, and none of the ${folders.length} clusters is named \`${only}\``;
  return nothingToCompare(message, 'name the folder of its input with --folder');
}

/** No running pod notices it: in a cluster in which little was applied that is nearly all. */
const isQuiet = ({ impact }: ObjectDiff): boolean => impact === 'add' || impact === 'metadata';

/** The old side as users know it, and where the new one lies. */
interface Shown extends DiffContext {
  readonly label: string;
  readonly places: Next;
  /** Whether text only counts an object, unless all is asked for. */
  readonly isFolded: (object: ObjectDiff) => boolean;
}

/** Prints the differences, with the plans of the upgrades that they start. */
async function finish(groups: readonly DiffGroup[], shown: Shown, options: DiffOptions, io: Io): Promise<ExitCode> {
  let plans: readonly ShownPlan[] = [];
  if (options.plan === true) {
    const { plansOf } = await import('./plans.js');
    const found = await plansOf(groups, shown.places.folders, options, io);
    if ('code' in found) return refuse([found], options, io);
    plans = found;
  }
  const { failed = [] } = shown;
  if (groups.length === 0 && options.format === 'text') {
    const which = failed.length === 0 ? '' : ', in the clusters that are compared';
    io.stderr(`no differences from ${escapeLine(shown.label)}${which}\n`);
  }
  for (const piece of rendered(groups, { ...shown, plans }, options, io)) io.stdout(piece);
  if (failed.length > 0) return EXIT.userError;
  const { failOn = [] } = options;
  const isFailure =
    failOn.length === 0
      ? groups.length > 0
      : groups.some(({ objects }) => objects.some((object) => failOn.some((one) => isOf(object, one))));
  return isFailure ? EXIT.differences : EXIT.ok;
}

function rendered(
  groups: readonly DiffGroup[],
  { label, places, isFolded, plans, ...context }: Shown & { readonly plans: readonly ShownPlan[] },
  { format, failOn = DEFAULT_CHOICES, all = false }: DiffOptions,
  io: Io,
): Iterable<string> {
  switch (format) {
    case 'text':
      return [
        ...renderDiffText(groups, { colour: usesColour(io, 'stdout'), ...context, ...(!all && { isFolded }) }),
        ...plans.map(({ text }) => text),
      ];
    case 'markdown':
      return [renderDiffMarkdown(groups, { ...context, plans })];
    case 'json':
      return renderDiffJson(groups, { old: label, ...context });
    case 'github':
    case 'sarif': {
      const results = diffResults(groups, failOn, (cluster) => relative(io.cwd, join(places.output, cluster)), context);
      const how = { colour: false, rule: resultRule, isOrdered: true, notice: leftOutOfGithub(results) };
      return [renderDiagnostics(format, fromRepository(results, io), how)];
    }
  }
}
