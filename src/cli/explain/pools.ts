import { relative, resolve } from 'node:path';
import { poolCoverage, type PoolCoverage } from '../../compile/coverage/pool-coverage.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { compileFolder } from '../compile/compile.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { jsonText } from '../json-text.js';
import { everyCluster } from '../problems.js';
import type { ProgramOptions } from '../programs.js';
import { findProject } from '../project.js';
import { hasErrors, refused, report } from '../report.js';

export interface ExplainPoolsOptions extends ProgramOptions {
  /** The folder of a cluster; true: every folder of clusters/. */
  readonly pools: string | true;
  readonly output?: 'json';
}

interface ClusterCoverage {
  readonly cluster: string;
  readonly coverage: readonly PoolCoverage[];
}

/** `weft explain --pools`: what each node pool gets of each component, and why not. */
export async function explainPools({ pools, output, ...options }: ExplainPoolsOptions, io: Io): Promise<ExitCode> {
  const folders = foldersOf(pools, io);
  if ('code' in folders) return refused([folders], 'text', io);
  const clusters: ClusterCoverage[] = [];
  for (const folder of folders.folders) {
    const { result, diagnostics } = await compileFolder(folder, io, options);
    if (!result || hasErrors(diagnostics)) {
      report(diagnostics, 'text', io);
      return EXIT.userError;
    }
    const { config, objects } = result;
    clusters.push({ cluster: config.cluster.name, coverage: poolCoverage(config, objects) });
  }
  io.stdout(output === 'json' ? jsonText({ version: 1, clusters }) : clusters.map(clusterText).join('\n'));
  return EXIT.ok;
}

function foldersOf(given: string | true, io: Io) {
  if (given !== true) return { folders: [resolve(io.cwd, given)] };
  return everyCluster(findProject(io.cwd), (path) => relative(io.cwd, path) || '.');
}

function clusterText({ cluster, coverage }: ClusterCoverage): string {
  const places = [
    ...groupBy(coverage, ({ pool, kernel = '' }) => `${pool}${kernel === '' ? '' : ` at kernel ${kernel}`}`),
  ];
  if (places.length === 0) return `${escapeLine(cluster)}: no pool or no component with pods on nodes\n`;
  const width = Math.max(...coverage.map(({ program }) => program.length));
  // Pools that get the same are shown once.
  const alike = groupBy(places, ([, rows]) => rows.map((row) => rowText(row, width)).join('\n'));
  const parts = [...alike].map(([text, own]) => `  ${own.map(([name]) => escapeLine(name)).join(', ')}:\n${text}\n`);
  return `${escapeLine(cluster)}:\n${parts.join('')}`;
}

function rowText({ program, daemonSets, policies, absence }: PoolCoverage, width: number): string {
  const by = policies.length === 0 ? '' : ` by ${policies.join(', ')}`;
  const text = absence === undefined ? `${daemonSets.join(', ')}${by}` : `no pod: ${absence.message}`;
  return escapeLine(`    ${program.padEnd(width)}  ${text}`);
}
