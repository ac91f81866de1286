import { basename, relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { escapeJson } from '../../shared/lib/escape.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import type { JsonValue } from '../../shared/lib/json.js';
import { loadDocuments } from '../compile/load.js';
import { bestStartSteps } from '../../forecast/plan/best-start.js';
import { desiredOf, type Desired } from '../../forecast/plan/desired.js';
import { planSteps } from '../../forecast/plan/plan.js';
import { planMarkdown } from '../../forecast/plan/render/markdown.js';
import { planText } from '../../forecast/plan/render/text.js';
import { planTimeline } from '../../forecast/plan/render/timeline.js';
import type { UpgradePlan } from '../../forecast/plan/types.js';
import { isFolder } from '../../compile/render/tree/disk.js';
import { toJson } from '../../compile/render/json.js';
import { timelinePage } from '../../forecast/page/page.js';
import { expectedCluster } from '../cluster/expected.js';
import { compileLoaded } from '../compile/loaded.js';
import { readManifests } from '../old-output/manifests.js';
import { isUnreadable } from '../old-output/git.js';
import { openRevision } from '../old-output/revision.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { everyCluster, unreadableOld } from '../problems.js';
import { startProgress } from '../progress.js';
import { findProject, outputFolderOf } from '../project.js';
import { hasErrors, report } from '../report.js';
import type { PlanCommandOptions, PlanFailure } from './options.js';
import { withSettings } from './settings.js';
import { liveSnapshot, saveSnapshot, snapshotFile } from './snapshot.js';

/** `weft plan`: simulates the upgrade that a change starts. */
export async function plan(given: string | undefined, options: PlanCommandOptions, io: Io): Promise<ExitCode> {
  const found = await planned(given, options, io);
  if (!('startsAt' in found.result)) {
    report([...found.warnings, ...found.result], diagnosticFormat(options), io, 'nothing planned');
    return EXIT.userError;
  }
  report(found.warnings, diagnosticFormat(options), io);
  io.stdout(rendered(found.result, found.name, options));
  return isFailure(found.result, options.failOn ?? []) ? EXIT.differences : EXIT.ok;
}

function diagnosticFormat({ format }: PlanCommandOptions): 'text' | 'json' {
  return format === 'json' ? 'json' : 'text';
}

interface Planned {
  readonly name: string;
  readonly warnings: readonly Diagnostic[];
  readonly result: UpgradePlan | readonly Diagnostic[];
}

/** Plans the upgrade of one cluster; diagnostics where there is none, or where it cannot be planned. */
export async function planned(given: string | undefined, options: PlanCommandOptions, io: Io): Promise<Planned> {
  const refused = (result: readonly Diagnostic[], warnings: readonly Diagnostic[] = []): Planned => ({
    name: '',
    warnings,
    result,
  });
  const folder = folderOf(given, io);
  if (typeof folder !== 'string') return refused([folder]);
  const rendering = await renderingOf(folder, options, io);
  if (!('objects' in rendering)) return refused(rendering);
  const { objects, warnings, name } = rendering;
  const desired = desiredOf(objects);
  if (desired === undefined) return refused([nothingToPlan(name)], warnings);
  const namespaces = new Set(desired.policy.drivers.map(({ namespace }) => namespace));
  const snapshot = await snapshotOf(folder, namespaces, options, io);
  if (!('items' in snapshot)) return refused(snapshot, warnings);
  const problem = options.save === undefined ? undefined : saveSnapshot(options.save, snapshot, namespaces, io);
  if (problem !== undefined) return refused([problem], warnings);
  return { name, warnings, result: await simulated(desired, snapshot, options, io) };
}

/** A signal ends the process only while it waits. */
const SLICE_MS = 50;

async function simulated(
  desired: Desired,
  snapshot: Parameters<typeof planSteps>[1],
  { at: given = new Date(), runs, seed, duration }: PlanCommandOptions,
  io: Io,
): Promise<UpgradePlan> {
  const progress = startProgress(io);
  const onRun = (done: number, total: number): void => progress.step('simulated the upgrade', done, total);
  const at = given === 'best' ? new Date() : given;
  const options = { at, runs, seed, onRun, ...(duration && { durations: duration }) };
  const steps = (given === 'best' ? bestStartSteps : planSteps)(desired, snapshot, options);
  for (let sinceMs = Date.now(); ;) {
    const { done, value } = steps.next();
    if (done === true) {
      progress.clear();
      return value;
    }
    if (Date.now() - sinceMs < SLICE_MS) continue;
    await setImmediate();
    sinceMs = Date.now();
  }
}

/** The folder of the one cluster. */
function folderOf(given: string | undefined, io: Io): string | Diagnostic {
  if (given !== undefined && isFolder(resolve(io.cwd, given))) return given;
  const project = everyCluster(findProject(io.cwd), (path) => relative(io.cwd, path));
  if ('code' in project) return project;
  const named = project.folders.filter((folder) => given === undefined || basename(folder) === given);
  const [first, ...others] = named;
  if (first !== undefined && others.length === 0) return relative(io.cwd, first) || '.';
  const names = project.folders.map((folder) => basename(folder)).join(', ');
  const message = given === undefined ? `the project has ${named.length} clusters` : `no cluster is named \`${given}\``;
  return diagnostic('WEFT0446', { message, help: `name one of ${names}` });
}

interface Rendering {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
  readonly warnings: readonly Diagnostic[];
}

/** What the input renders, or what a revision has. */
async function renderingOf(
  folder: string,
  options: PlanCommandOptions,
  io: Io,
): Promise<Rendering | readonly Diagnostic[]> {
  const loaded = await loadDocuments(folder, options, io);
  const changed = withSettings(loaded, options.set ?? []);
  if ('code' in changed) return [changed];
  const { diagnostics, result } = await compileLoaded(folder, changed, io);
  if (result === undefined || hasErrors(diagnostics)) return diagnostics;
  const { name } = result.config.cluster;
  if (options.from !== undefined) return revisionOf(options.from, name, folder, options, io);
  return { name, objects: result.objects.map(({ object }) => object), warnings: diagnostics };
}

function revisionOf(
  revision: string,
  name: string,
  folder: string,
  { outputDir }: PlanCommandOptions,
  io: Io,
): Rendering | readonly Diagnostic[] {
  const output = outputDir === undefined ? outputFolderOf(resolve(io.cwd, folder), io.cwd) : resolve(io.cwd, outputDir);
  try {
    const tree = openRevision(output, revision, io);
    if (tree !== undefined && 'code' in tree) return [tree];
    const found = tree?.cluster(name);
    if (found === undefined) return [nothingThere(revision, name)];
    const { objects, diagnostics } = readManifests(found);
    return hasErrors(diagnostics) ? diagnostics : { name, objects, warnings: diagnostics };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return [unreadableOld(`\`${revision}\` cannot be read: ${error.message}`, 'name another revision')];
  }
}

function nothingThere(revision: string, name: string): Diagnostic {
  const message = `\`${revision}\` has no output of the cluster \`${name}\``;
  return diagnostic('WEFT0445', { message, help: 'name a revision whose `dist/` has it, or leave out `--from`' });
}

function nothingToPlan(name: string): Diagnostic {
  return diagnostic('WEFT0445', {
    message: `the output of \`${name}\` has no companion, so nothing upgrades drivers`,
    help: 'set `upgradePolicy.autoUpgrade: true` in a policy with a driver',
  });
}

async function snapshotOf(
  folder: string,
  namespaces: ReadonlySet<string>,
  options: PlanCommandOptions,
  io: Io,
): Promise<Parameters<typeof planSteps>[1] | readonly Diagnostic[]> {
  if (options.snapshot !== undefined) {
    const read = await snapshotFile(options.snapshot, io);
    return 'items' in read ? read : [read];
  }
  const expected = await expectedCluster(folder, options, io);
  if (!('name' in expected)) return expected;
  const listed = await liveSnapshot({ ...options, expected }, namespaces, io);
  return 'items' in listed ? listed : [listed];
}

function rendered(result: UpgradePlan, name: string, { format }: PlanCommandOptions): string {
  switch (format) {
    case 'text':
      return planText(result);
    case 'markdown':
      return planMarkdown(result, name);
    case 'html':
      return timelinePage(planTimeline(result, name));
    case 'json':
      return escapeJson(toJson(result as unknown as JsonValue));
  }
}

function isFailure(result: UpgradePlan, failures: readonly PlanFailure[]): boolean {
  const isStuck = result.upgraded < result.nodes || result.obstacles.some((one) => one.isStuck);
  return failures.some((failure) => {
    switch (failure.kind) {
      case 'stuck':
        return isStuck;
      case 'window':
        return result.obstacles.some(({ kind }) => kind === 'window');
      case 'duration':
        return isStuck || result.duration.nineOfTen > failure.seconds;
    }
  });
}
