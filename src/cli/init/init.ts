import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { join as joinLoaded, loadYaml } from '../../compile/load/yaml/yaml.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { escapeLine, shellWord } from '../../shared/lib/escape.js';
import { compareText } from '../../shared/lib/json.js';
import { compileLoaded } from '../compile/loaded.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { CLUSTERS } from '../project.js';
import { refused, report } from '../report.js';
import { ciFiles } from './ci-files.js';
import { firstCluster, type FirstCluster } from './first-cluster.js';
import { clusterFolder, fleetFolders } from './folders.js';
import type { InitOptions } from './options.js';
import { askOptions } from './questions.js';
import { repositoryFiles, type InitFile } from './repository-files.js';
import { linkTo, planFiles, writeFiles, type PlannedFile } from './write-files.js';

/** `weft init`: a repository for clusters. Files that are there stay as they are. */
export async function init(given: string | undefined, options: InitOptions, io: Io): Promise<ExitCode> {
  const refuse = (diagnostics: readonly Diagnostic[]) => refused(diagnostics, 'text', io, 'nothing written');
  const root = resolve(io.cwd, given ?? '.');
  const needsCluster = namesCluster(options) || namesIn(join(root, CLUSTERS)).length === 0;
  const chosen = await askOptions(options, needsCluster, io);
  const cluster = needsCluster ? await firstCluster(chosen, io) : undefined;
  if (cluster !== undefined && !('others' in cluster)) return refuse(cluster);
  const files = planFiles(root, [
    ...repositoryFiles(chosen.weft ?? packageIn(root, io), chosen.fleet === true),
    ...ciFiles(chosen.ci ?? 'none'),
    ...(cluster === undefined ? [] : documentFiles(root, cluster, chosen)),
  ]);
  const link = linkTo(root, files, io);
  if (link) return refuse([link]);
  const compiled = cluster === undefined ? [] : await compile(cluster, io);
  const findings = [...(cluster?.findings ?? []), ...compiled];
  // What a live cluster has may need a person who corrects it; what was typed is typed again.
  if (!chosen.fromCluster && compiled.some(isError)) return refuse(findings);
  const failed = chosen.dryRun === true ? undefined : writeFiles(root, files);
  if (failed) return refuse([...findings, failed]);
  report(findings, 'text', io);
  const isWritten = chosen.dryRun !== true;
  const isGit = existsSync(join(root, '.git'));
  print({ given, files, isWritten, isGit, needsCluster, hasErrors: compiled.some(isError) }, io);
  if (compiled.some(isError)) return EXIT.userError;
  return files.some(({ state }) => state === 'lacking') ? EXIT.differences : EXIT.ok;
}

const namesCluster = ({ cluster, fromCluster, fleet, os, kernel, arch }: InitOptions) =>
  [cluster, fromCluster, fleet, os, kernel, arch].some((option) => option !== undefined);

/** The names in a folder; none where it cannot be read, which writing to it reports. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort(compareText);
  } catch {
    return [];
  }
}

/** The package that `npm run pack:build` put there, else this version of a registry. */
function packageIn(root: string, { version = 'development' }: Io): string {
  const packed = namesIn(join(root, 'vendor')).find((name) => /^weft-gitops-.+\.tgz$/.test(name));
  return packed === undefined ? version : `file:vendor/${packed}`;
}

/** Nothing is added to a folder of documents that is there. */
function documentFiles(root: string, cluster: FirstCluster, { fleet = false }: InitOptions): readonly InitFile[] {
  const folders = fleet ? fleetFolders(cluster) : [clusterFolder(cluster)];
  return folders.flatMap(({ path, files }) =>
    existsSync(resolve(root, path))
      ? [{ path, text: '' }]
      : files.map(({ name, text }) => ({ path: join(path, name), text })),
  );
}

/** What `weft synth` will say of the cluster; one on a base is merged to the same documents. */
async function compile(cluster: FirstCluster, io: Io): Promise<readonly Diagnostic[]> {
  const { path, files } = clusterFolder(cluster);
  const loaded = joinLoaded(files.map(({ name, text }) => loadYaml(join(path, name), text)));
  return (await compileLoaded(path, loaded, io)).diagnostics;
}

interface Result {
  readonly given: string | undefined;
  readonly files: readonly PlannedFile[];
  readonly isWritten: boolean;
  /** Whether git has the folder already. */
  readonly isGit: boolean;
  readonly needsCluster: boolean;
  readonly hasErrors: boolean;
}

/** Prints the new files on standard output, and what is to be done on standard error. */
function print(result: Result, io: Io): void {
  const { given, files, isWritten, needsCluster } = result;
  const shown = (path: string) => join(given ?? '.', path);
  const of = (state: PlannedFile['state']) => files.filter((file) => file.state === state);
  for (const { path } of of('new')) io.stdout(`${escapeLine(shown(path))}\n`);
  const lacking = of('lacking');
  const lines = [
    ...of('there').map(({ path }) => `kept: ${shown(path)}`),
    ...lacking.map(({ path, needs = '' }) => `kept, without \`${needs}\`: ${shown(path)}`),
    ...(lacking.length > 0
      ? ['help: add that by hand; or move the file away and run it again, which writes the file anew']
      : []),
    ...of('new').flatMap(({ path, text }) => (text.includes(UNRELEASED) ? [unpinned(shown(path))] : [])),
    ...(needsCluster ? [] : [`${shown(CLUSTERS)} has clusters; \`--cluster <name>\` adds one`]),
    ...(isWritten ? [] : ['nothing written: --dry-run']),
    ...(isWritten && of('new').length > 0 ? [nextStep(result)] : []),
  ];
  io.stderr(lines.map((line) => `${escapeLine(line)}\n`).join(''));
}

/** What the examples of an unreleased Weft name as its commit; a release writes its own. */
const UNRELEASED = '0'.repeat(40);

const unpinned = (path: string) =>
  `help: this Weft is no release: write the repository and the commit of yours into ${path}, in place of \`platform/weft\` and zeros`;

function nextStep({ given, isGit, hasErrors }: Result): string {
  const folder = given === undefined ? [] : [`cd ${shellWord(given)}`];
  const steps = [...folder, ...(isGit ? [] : ['git init']), 'npm install', 'npx weft synth'].join(' && ');
  return `next: ${hasErrors ? 'correct the errors, then ' : ''}\`${steps}\`, and commit it all`;
}
