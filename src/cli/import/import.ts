import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { linkOnTheWay } from '../../shared/files/links.js';
import { compareWith, type ComparedImport } from '../../cluster/import/compare.js';
import { filesOf, type ImportedFile } from '../../cluster/import/files.js';
import { importCluster, type ImportedCluster, type ImportSource } from '../../cluster/import/import.js';
import { readLive } from '../../cluster/import/live.js';
import { mergeReleases } from '../../cluster/import/read-source.js';
import { kubectlTarget } from '../../cluster/client/target.js';
import { linkNotFollowed, loadFolder, reasonOf } from '../../compile/load/load.js';
import { join as joinLoaded, loadYaml, type LoadedDocuments } from '../../compile/load/yaml/yaml.js';
import { expectedCluster } from '../cluster/expected.js';
import { withSession } from '../cluster/session.js';
import { compileLoaded } from '../compile/loaded.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { programsOf } from '../programs.js';
import { nodeWarnings } from '../pools/problems.js';
import { startProgress } from '../progress.js';
import { CLUSTERS } from '../project.js';
import { report, refused } from '../report.js';
import { clusterName } from './cluster-name.js';
import { readFiles } from './files.js';
import type { ImportOptions } from './options.js';
import { printImport } from './output.js';

/** `weft import`: a live cluster or files become the documents of a cluster folder. Documents that are there stay as they are. */
export async function importFolder(given: string | undefined, options: ImportOptions, io: Io): Promise<ExitCode> {
  const refuse = (diagnostics: readonly Diagnostic[]) => refused(diagnostics, options.format, io, 'nothing written');
  const folder = given ?? (await defaultFolder(options, io));
  if (typeof folder === 'object') return refuse([folder]);
  const link = linkOnTheWay(io.cwd, resolve(io.cwd, folder));
  if (link !== undefined) return refuse([linkNotFollowed(relative(io.cwd, link))]);
  const there = existsSync(resolve(io.cwd, folder)) ? await existing(folder, options, io) : NOTHING;
  if (there.diagnostics.some(isError)) return refuse(there.diagnostics);
  const source = await readAll(folder, options, io);
  if (!('objects' in source)) return refuse(source);
  if (source.findings.some(isError)) return refuse(source.findings);
  const name = options.name ?? clusterName(folder);
  const imported = importCluster({ ...source, name });
  const findings = [...source.findings, ...imported.findings, ...ofNodes(imported)];
  if (findings.some(isError)) return refuse(findings);
  const compared = compareWith(imported, there.documents);
  const files = newFiles(compared, (file) => existsSync(resolve(io.cwd, folder, file)));
  const compiled = await compile(folder, there, files, io);
  const failed = options.dryRun === true ? undefined : write(folder, files, io);
  if (failed) return refuse([...findings, failed]);
  const isWhole = isLive(options);
  printImport({ folder, files, compared, isWhole, hasErrors: compiled.some(isError) }, options, io);
  report([...findings, ...compiled], options.format, io);
  if (compiled.some(isError)) return EXIT.userError;
  const isLost = findings.some(({ code }) => code === 'WEFT0571');
  const isOther = compared.changed.length > 0 || (isWhole && compared.gone.length > 0);
  return isOther || isLost ? EXIT.differences : EXIT.ok;
}

const NOTHING: LoadedDocuments = { documents: [], diagnostics: [] };

/** The documents of a folder; an empty one is no error. */
async function existing(folder: string, options: ImportOptions, io: Io): Promise<LoadedDocuments> {
  const loaded = await loadFolder(folder, {
    workingDirectory: io.cwd,
    onOutput: io.stderr,
    programs: programsOf(options, io),
  });
  const isEmpty = loaded.documents.length === 0 && loaded.diagnostics.every(({ code }) => code === 'WEFT0021');
  return isEmpty ? NOTHING : loaded;
}

const isLive = ({ from = [], live = false }: ImportOptions) => live || from.length === 0;

/** `clusters/` and the name of the Cluster or of the context. */
async function defaultFolder(options: ImportOptions, { env }: Io): Promise<string | Diagnostic> {
  const { name, context, kubectl } = options;
  const chosen =
    name ??
    (isLive(options)
      ? (
          await kubectlTarget({
            env,
            onOutput: () => undefined,
            ...(kubectl !== undefined && { command: kubectl }),
            ...(context !== undefined && { context }),
          })
        )?.context
      : undefined);
  if (chosen !== undefined) return join(CLUSTERS, clusterName(chosen));
  return diagnostic('WEFT0562', {
    message: 'no folder is named, and nothing names the cluster',
    help: 'name the folder: `weft import clusters/<name>`',
  });
}

type Source = Omit<ImportSource, 'name'> & { readonly findings: readonly Diagnostic[] };

/** What files and the live cluster tell together. */
async function readAll(folder: string, options: ImportOptions, io: Io): Promise<Source | readonly Diagnostic[]> {
  const { from = [], namespace } = options;
  const files = await readFiles(from, options, io);
  if (!isLive(options)) return { ...files, ...(namespace !== undefined && { namespace }) };
  const expected = existsSync(resolve(io.cwd, folder)) ? await expectedCluster(folder, options, io) : undefined;
  if (expected && !('name' in expected) && expected.some(isError)) return expected;
  const progress = startProgress(io);
  const choice = { ...options, ...(expected && 'name' in expected && { expected }) };
  const live = await withSession(choice, io, (session) => readLive(session, options, progress.step));
  progress.clear();
  if (!('objects' in live)) return [...files.findings, live];
  const chart = files.chart && live.chart ? mergeReleases(live.chart, files.chart) : (files.chart ?? live.chart);
  return {
    ...live,
    // Of an object in both, that of the cluster counts.
    objects: [...files.objects, ...live.objects],
    ...(chart && { chart }),
    findings: [...files.findings, ...live.findings],
  };
}

function ofNodes({ nodes, nodeFindings }: ImportedCluster): readonly Diagnostic[] {
  return nodes.length === 0 ? [] : nodeWarnings(nodes, nodeFindings);
}

/** The files of new documents, under names that are free. */
function newFiles({ fresh }: ComparedImport, isTaken: (name: string) => boolean): readonly ImportedFile[] {
  return filesOf(fresh).map((file) => {
    let name = file.name;
    for (let number = 2; isTaken(name); number += 1) name = file.name.replace(/\.yaml$/, `-${number}.yaml`);
    return { ...file, name };
  });
}

/** What `weft synth` will say of the folder. */
async function compile(
  folder: string,
  there: LoadedDocuments,
  files: readonly ImportedFile[],
  io: Io,
): Promise<readonly Diagnostic[]> {
  const added = files.map(({ name, text }) => loadYaml(join(folder, name), text));
  const { diagnostics } = await compileLoaded(folder, joinLoaded([there, ...added]), io);
  return diagnostics;
}

/** Writes files that are not there; nothing is overwritten. */
function write(folder: string, files: readonly ImportedFile[], { cwd }: Io): Diagnostic | undefined {
  try {
    mkdirSync(resolve(cwd, folder), { recursive: true });
    for (const { name, text } of files) writeFileSync(resolve(cwd, folder, name), text, { flag: 'wx' });
    return undefined;
  } catch (error) {
    const message = `the folder cannot be written: ${reasonOf(error).text}`;
    return diagnostic('WEFT0057', { message, location: { file: folder }, help: 'name another folder' });
  }
}
