import { join, relative, resolve } from 'node:path';
import type { DiagnosticFormat } from '../diagnostics/render.js';
import { kustomization } from '../render/kustomization.js';
import { layout, type OutputFile, type Placed } from '../render/layout.js';
import { toJson } from '../render/json.js';
import { toYaml, type JsonValue } from '../render/yaml.js';
import { checkTree, writeTree, type TreeProblem } from '../render/write.js';
import type { WriteSummary } from '../render/write-plan.js';
import { compileFolder, type Compiled } from './compile.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import { findProject } from './project.js';
import { hasErrors, report } from './report.js';

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
  if (!places) return EXIT.userError;
  const compiled: Compiled[] = [];
  for (const folder of places.folders) compiled.push(await compileFolder(folder, io));
  const diagnostics = compiled.flatMap((one) => one.diagnostics);
  const isBroken = hasErrors(diagnostics) || compiled.some(({ result }) => !result);
  report(diagnostics, options.format, io, isBroken ? 'nothing written' : undefined);
  if (isBroken) return EXIT.userError;
  const done = compiled as readonly Done[];
  if (options.output) return printList(done, options.output, io);
  return hasOwnNames(done, io) ? writeAll(done, places.output, options, io) : EXIT.userError;
}

function inputFolders(
  folders: readonly string[],
  { outputDir }: SynthOptions,
  io: Io,
): { readonly folders: readonly string[]; readonly output: string } | undefined {
  const found = findProject(io.cwd);
  const root = 'project' in found ? found.project.root : io.cwd;
  const output = outputDir === undefined ? join(root, 'dist') : resolve(io.cwd, outputDir);
  if (folders.length > 0) return { folders, output };
  if ('looked' in found) {
    const looked = found.looked.map((path) => `  ${path}\n`).join('');
    io.stderr(
      `error: there is no folder \`clusters\` here or above; looked for\n${looked}help: name a folder, or run \`weft synth --help\`\n`,
    );
    return undefined;
  }
  if (found.project.folders.length === 0) {
    io.stderr(`error: ${join(root, 'clusters')} has no folders\nhelp: give each cluster a folder of its own in it\n`);
    return undefined;
  }
  return { folders: found.project.folders, output };
}

/** All objects as a v1 List, in the order of the files. */
function printList(done: readonly Done[], output: 'json' | 'yaml', io: Io): ExitCode {
  const items = done.flatMap(({ result }) => result.objects.map(({ object }) => object));
  const list = { apiVersion: 'v1', kind: 'List', items } as JsonValue;
  io.stdout(output === 'json' ? toJson(list) : toYaml(list));
  return EXIT.ok;
}

/** Two clusters of one name would write into one folder. */
function hasOwnNames(done: readonly Done[], io: Io): boolean {
  const first = new Map<string, string>();
  for (const { folder, result } of done) {
    const { name } = result.config.cluster;
    const other = first.get(name);
    if (other !== undefined) {
      io.stderr(`error: the Clusters of ${other} and ${folder} are both named \`${name}\`; nothing written\n`);
      io.stderr('help: the name is the folder of the output: give each its own `metadata.name`\n');
      return false;
    }
    first.set(name, folder);
  }
  return true;
}

function filesOf({ result }: Done): readonly OutputFile[] {
  const files = layout(result.objects as readonly Placed[]);
  return [...files, kustomization(files.map(({ path }) => path))];
}

async function writeAll(done: readonly Done[], output: string, options: SynthOptions, io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  for (const one of done) {
    const target = join(output, one.result.config.cluster.name);
    const files = filesOf(one);
    const outcome = options.check ? await checkTree(target, files) : await writeTree(target, files);
    const shown = relative(io.cwd, target) || '.';
    if (outcome.kind !== 'done') {
      io.stderr(`error: ${shown}: ${problemText(outcome)}\n`);
      return EXIT.userError;
    }
    io.stderr(summaryText(shown, outcome.summary, options.check ?? false));
    if (options.check && isStale(outcome.summary)) exit = EXIT.differences;
  }
  if (exit === EXIT.differences) io.stderr('help: run `weft synth` and commit the result\n');
  return exit;
}

function isStale({ added, changed, removed, kept }: WriteSummary): boolean {
  return added.length + changed.length + removed.length + kept.length > 0;
}

function summaryText(target: string, summary: WriteSummary, isCheck: boolean): string {
  const { added, changed, removed, kept, unchanged } = summary;
  const words = isCheck
    ? { added: 'missing', changed: 'different', removed: 'no longer rendered', kept: 'no longer rendered, and edited' }
    : { added: 'added', changed: 'changed', removed: 'removed', kept: 'no longer rendered, but edited and so kept' };
  const counts = [
    `${added.length} ${words.added}`,
    `${changed.length} ${words.changed}`,
    `${removed.length} ${words.removed}`,
    ...(kept.length > 0 ? [`${kept.length} ${words.kept}`] : []),
    `${unchanged} unchanged`,
  ];
  const lines = [
    ...added.map((path) => `  + ${path}`),
    ...changed.map((path) => `  ~ ${path}`),
    ...removed.map((path) => `  - ${path}`),
    ...kept.map((path) => `  ! ${path}`),
  ];
  return `${[`${target}: ${counts.join(', ')}`, ...lines].join('\n')}\n`;
}

function problemText(problem: TreeProblem): string {
  switch (problem.kind) {
    case 'conflict':
      return (
        `something that Weft did not write is in the way:\n${problem.paths.map((path) => `  ${path}\n`).join('')}` +
        'help: move it away, then run again'
      );
    case 'locked':
      return `another run is writing there (${problem.holder})\nhelp: wait for it, or remove ${problem.path}`;
    case 'broken-index':
      return (
        `line ${problem.line} of ${problem.path} is broken: ${problem.reason}\n` +
        'help: restore it from git; it says which files are ours to remove'
      );
    case 'failed':
      return `${problem.path}: ${problem.message} (${problem.code})`;
  }
}
