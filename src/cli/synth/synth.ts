import { join, relative, resolve } from 'node:path';
import { denyWarnings, type DeniedWarnings } from '../../shared/diagnostics/deny.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { DiagnosticFormat } from '../../shared/diagnostics/render/render.js';
import { compileFolder } from '../compile/compile.js';
import { collectUnusedIgnores } from '../compile/unused-ignores.js';
import { leftBehindText, type LeftBehind } from '../compile/left-behind.js';
import type { LayoutName } from '../compile/layout-names.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { emptyOutputDir, everyCluster, sameName, severalLists } from '../problems.js';
import { startProgress } from '../progress.js';
import type { ProgramOptions } from '../programs.js';
import { eachOnce, findProject, outputFolderOf, sourceOf } from '../project.js';
import { collectDiagnostics, hasErrors, report } from '../report.js';
import { fleetRunFor } from '../compile/fleet-run.js';
import { fleetFolders } from './fleet-folder.js';
import type { Places } from './folder-output.js';
import { unusedPins, withoutPins } from './locked.js';
import { listOutput, type Output } from './output.js';

export interface SynthOptions extends ProgramOptions {
  readonly output?: 'json' | 'yaml';
  readonly check?: boolean;
  readonly layout?: LayoutName;
  readonly denyWarnings?: boolean;
  /** Refuse images without a digest. */
  readonly locked?: boolean;
  readonly outputDir?: string;
  readonly format: DiagnosticFormat;
}

/**
 * `weft synth`: folders of documents to manifests. Nothing is written when any folder has an error. One folder is in
 * memory at a time; its files are staged on disk until all folders are without errors.
 */
export async function synth(folders: readonly string[], options: SynthOptions, io: Io): Promise<ExitCode> {
  const inputs = findInputs(folders, options, io);
  if ('problem' in inputs) return refuse([inputs.problem], options, io);
  const places = { inputs: inputs.map(({ folder }) => resolve(io.cwd, folder)), isWhole: folders.length === 0 };
  const output = await chooseOutput(options, places, io);
  const { diagnostics, left } = await renderAll(inputs, places.isWhole, output, options, io);
  if (hasErrors(diagnostics)) return refuse(diagnostics, options, io);
  const warnings = denyWarnings(output.warnings(), deniedBy(options));
  if (hasErrors(warnings)) {
    output.abandon();
    return refuse([...diagnostics, ...warnings], options, io);
  }
  const { exit, problems, text } = output.finish();
  // In every format but text, standard error must be one document.
  const isText = options.format === 'text';
  const isReportedAsText = isText && exit === EXIT.differences;
  report([...diagnostics, ...warnings, ...(isReportedAsText ? [] : problems)], options.format, io);
  if (isText) io.stderr(`${text}${leftBehindText(left)}`);
  return exit;
}

function deniedBy({ denyWarnings: isDenied = false }: SynthOptions): DeniedWarnings {
  return isDenied ? 'all' : [];
}

function refuse(diagnostics: readonly Diagnostic[], { check, format }: SynthOptions, io: Io): ExitCode {
  report(diagnostics, format, io, check ? undefined : 'nothing written');
  return EXIT.userError;
}

async function chooseOutput({ output, check = false }: SynthOptions, places: Places, io: Io): Promise<Output> {
  if (output !== undefined) return listOutput(output, io);
  const { checkOutput, writeOutput } = await import('./folder-output.js');
  return check ? checkOutput(places, io) : writeOutput(places, io);
}

/** The input folders as given, each with the folder that contains its output folder. */
type Inputs = readonly { readonly folder: string; readonly output: string }[];

function findInputs(
  given: readonly string[],
  { output: list, outputDir }: SynthOptions,
  { cwd }: Io,
): Inputs | { readonly problem: Diagnostic } {
  const shown = (path: string) => relative(cwd, path) || '.';
  if (outputDir === '') return { problem: emptyOutputDir() };
  const project = given.length > 0 ? { folders: eachOnce(given, cwd) } : everyCluster(findProject(cwd), shown);
  if ('code' in project) return { problem: project };
  const { folders } = project;
  if (list && folders.length > 1) return { problem: severalLists(folders.map(shown)) };
  return folders.map((folder) => ({
    folder,
    output: outputDir === undefined ? outputFolderOf(resolve(cwd, folder), cwd) : resolve(cwd, outputDir),
  }));
}

/** Compiles the folders in order and adds each to the output, until one has an error. */
async function renderAll(
  inputs: Inputs,
  isWhole: boolean,
  output: Output,
  options: SynthOptions,
  io: Io,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly left: readonly LeftBehind[] }> {
  const { check, layout, locked = false } = options;
  const fleets = fleetFolders(isWhole);
  const found = collectDiagnostics();
  const unusedIgnores = collectUnusedIgnores(deniedBy(options));
  const takenBy = new Map<string, string>();
  const left: LeftBehind[] = [];
  const progress = startProgress(io);
  const forOutput = { ...options, fleet: fleetRunFor(inputs), layout, takesLeftBehind: true };
  for (const [index, { folder, output: above }] of inputs.entries()) {
    const shown = relative(io.cwd, resolve(io.cwd, folder));
    progress.step(`${check ? 'comparing' : 'rendering'} ${shown}`, index + 1, inputs.length);
    const compiled = await compileFolder(folder, io, forOutput);
    const { diagnostics, result, behind } = compiled;
    unusedIgnores.add(compiled);
    found.add(denyWarnings(diagnostics, deniedBy(options)));
    if (locked && result !== undefined) found.add(withoutPins(result));
    if (check === true && result !== undefined) found.add(unusedPins(result, shown));
    const cluster = result?.config.cluster ?? behind;
    if (cluster !== undefined) {
      const target = join(above, cluster.name);
      const first = takenBy.get(target);
      if (first === undefined) takenBy.set(target, shown);
      else found.add([sameName(cluster.name, first, shown)]);
      found.add(fleets.take(cluster, above));
      const source = sourceOf(resolve(io.cwd, folder));
      if (!found.hasErrors())
        found.add(result ? await output.take(result, { source, target }) : behind ? output.leave(behind, target) : []);
    }
    if (behind !== undefined) left.push(behind);
    if (found.hasErrors()) output.abandon();
  }
  // Other clusters may need the comments.
  if (isWhole) found.add(unusedIgnores.all());
  for (const { tree, target } of found.hasErrors() ? [] : fleets.trees()) {
    found.add(await output.takeTree(tree, target));
    if (found.hasErrors()) output.abandon();
  }
  if (!found.hasErrors()) found.add(await output.takeRest());
  if (found.hasErrors()) output.abandon();
  progress.clear();
  return { diagnostics: found.all, left };
}
