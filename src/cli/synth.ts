import { join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { DiagnosticFormat } from '../diagnostics/render.js';
import { kustomization } from '../render/kustomization.js';
import { layout, type OutputFile, type Placed } from '../render/layout.js';
import { toJson } from '../render/json.js';
import { toYaml, type JsonValue } from '../render/yaml.js';
import { checkTree, writeTree } from '../render/write.js';
import { compileFolder, type Compiled } from './compile.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import { emptyClusters, noClusters, sameName, severalLists, treeProblem } from './output-problems.js';
import { startProgress } from './progress.js';
import { findProject } from './project.js';
import { hasErrors, report } from './report.js';
import { isStale, summaryText } from './synth-summary.js';

export interface SynthOptions {
  readonly output?: 'json' | 'yaml';
  readonly check?: boolean;
  readonly outputDir?: string;
  readonly format: DiagnosticFormat;
}

type Done = Compiled & { readonly result: NonNullable<Compiled['result']> };

/** `weft synth`: folders of documents to manifests. Nothing is written when any folder has an error. */
export async function synth(folders: readonly string[], options: SynthOptions, io: Io): Promise<ExitCode> {
  const places = inputFolders(folders, options, io);
  if ('problem' in places) return refuse([places.problem], options, io);
  const progress = startProgress(io);
  const compiled: Compiled[] = [];
  for (const [index, folder] of places.folders.entries()) {
    progress.step(`reading ${relative(io.cwd, resolve(io.cwd, folder))}`, index + 1, places.folders.length);
    compiled.push(await compileFolder(folder, io));
  }
  progress.clear();
  const diagnostics = [...compiled.flatMap((one) => one.diagnostics), ...sameNames(compiled, io)];
  if (hasErrors(diagnostics) || !compiled.every(isDone)) return refuse(diagnostics, options, io);
  if (options.output) {
    report(diagnostics, options.format, io);
    return printList(compiled, options.output, io);
  }
  return writeAll(compiled, diagnostics, places.output, options, io);
}

function isDone(compiled: Compiled): compiled is Done {
  return compiled.result !== undefined;
}

function refuse(diagnostics: readonly Diagnostic[], { format }: SynthOptions, io: Io): ExitCode {
  report(diagnostics, format, io, 'nothing written');
  return EXIT.userError;
}

type Places = { readonly folders: readonly string[]; readonly output: string } | { readonly problem: Diagnostic };

function inputFolders(given: readonly string[], { output: list, outputDir }: SynthOptions, io: Io): Places {
  const found = findProject(io.cwd);
  const root = 'project' in found ? found.project.root : io.cwd;
  const shown = (path: string) => relative(io.cwd, path) || '.';
  if (given.length === 0 && 'looked' in found) return { problem: noClusters(found.looked) };
  const folders = given.length > 0 || 'looked' in found ? given : found.project.folders;
  if (folders.length === 0) return { problem: emptyClusters(shown(join(root, 'clusters'))) };
  if (list && folders.length > 1) return { problem: severalLists(folders.map(shown)) };
  return { folders, output: outputDir === undefined ? join(root, 'dist') : resolve(io.cwd, outputDir) };
}

/** All objects as a v1 List, in the order of the files. */
function printList(done: readonly Done[], output: 'json' | 'yaml', io: Io): ExitCode {
  const items = done.flatMap(({ result }) => result.objects.map(({ object }) => object));
  const list = { apiVersion: 'v1', kind: 'List', items } as JsonValue;
  io.stdout(output === 'json' ? toJson(list) : toYaml(list));
  return EXIT.ok;
}

function sameNames(compiled: readonly Compiled[], { cwd }: Io): readonly Diagnostic[] {
  const first = new Map<string, string>();
  return compiled.flatMap(({ folder, result }) => {
    if (!result) return [];
    const { name } = result.config.cluster;
    const shown = relative(cwd, resolve(cwd, folder));
    const other = first.get(name);
    if (other === undefined) first.set(name, shown);
    return other === undefined ? [] : [sameName(name, other, shown)];
  });
}

function filesOf({ result }: Done): readonly OutputFile[] {
  const files = layout(result.objects as readonly Placed[]);
  return [...files, kustomization(files.map(({ path }) => path))];
}

async function writeAll(
  done: readonly Done[],
  warnings: readonly Diagnostic[],
  output: string,
  { check: isCheck = false, format }: SynthOptions,
  io: Io,
): Promise<ExitCode> {
  const problems: Diagnostic[] = [];
  const summaries: string[] = [];
  let isFresh = true;
  const progress = startProgress(io);
  for (const [index, one] of done.entries()) {
    const target = join(output, one.result.config.cluster.name);
    progress.step(`${isCheck ? 'comparing' : 'writing'} ${relative(io.cwd, target)}`, index + 1, done.length);
    const files = filesOf(one);
    const outcome = isCheck ? await checkTree(target, files) : await writeTree(target, files);
    const shown = relative(io.cwd, target) || '.';
    if (outcome.kind === 'done') {
      isFresh &&= !isStale(outcome.summary);
      summaries.push(summaryText(shown, outcome.summary, isCheck));
    } else {
      problems.push(...treeProblem(shown, outcome));
    }
  }
  progress.clear();
  report([...warnings, ...problems], format, io);
  // What a program reads from standard error must stay one document.
  if (format === 'text') for (const text of summaries) io.stderr(text);
  if (problems.length > 0) return EXIT.userError;
  if (isFresh || !isCheck) return EXIT.ok;
  if (format === 'text') io.stderr('help: run `weft synth` and commit the result\n');
  return EXIT.differences;
}
