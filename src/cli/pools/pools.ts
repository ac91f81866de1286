import { relative } from 'node:path';
import { applyIgnores } from '../../load/ignore-comments.js';
import { loadFolder } from '../../load/load.js';
import { resolve } from '../../config/resolve.js';
import type { SourceDocument } from '../../load/yaml/yaml.js';
import { denyWarnings } from '../../diagnostics/deny.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { escapeJson, escapeLine } from '../../diagnostics/render/escape.js';
import type { DiagnosticFormat } from '../../diagnostics/render/render.js';
import { isObject, type JsonValue } from '../../lib/json.js';
import { listedNames } from '../../lib/listed.js';
import { WEFT_API_VERSION } from '../../model/cluster.js';
import { toJson } from '../../render/json.js';
import { toYaml } from '../../render/yaml/yaml.js';
import { checkPools, type PoolsCheck } from '../../review/pools/check.js';
import { isNicNode, type ClusterNode } from '../../review/pools/nodes.js';
import { nodesTextMax, readNodesText } from '../../review/pools/text.js';
import { poolsOf } from '../../review/pools/pools.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { emptyClusters, openProject } from '../problems.js';
import { nodeWarnings, noNodes, severalClusters, SHOWN_NODES, tooMuchText } from './problems.js';
import { findProject } from '../project.js';
import { hasErrors, report } from '../report.js';

export interface PoolsOptions {
  readonly check?: boolean;
  readonly output: 'yaml' | 'json';
  /** Name of the Cluster document to print; absent to print only the pools. */
  readonly cluster?: string;
  /** Treat every warning as an error. */
  readonly denyWarnings?: boolean;
  readonly format: DiagnosticFormat;
}

/**
 * `weft pools`: the nodes on standard input become the `nodePools` of a Cluster document, or are compared with those of a
 * folder.
 */
export async function pools(given: string | undefined, options: PoolsOptions, io: Io): Promise<ExitCode> {
  const folder = options.check ? (given ?? onlyFolder(io)) : given;
  if (typeof folder === 'object') return refuse(folder, options, io);
  const call = ['weft pools', ...(options.check ? ['--check'] : []), ...(given === undefined ? [] : [given])].join(' ');
  const nodes = await nodesFromStdin(call, io);
  if ('code' in nodes) return refuse(nodes, options, io);
  return options.check && folder !== undefined ? check(nodes, folder, options, io) : print(nodes, folder, options, io);
}

function refuse(diagnostic: Diagnostic, { format }: PoolsOptions, io: Io): ExitCode {
  report([diagnostic], format, io);
  return EXIT.userError;
}

/** Prints a line on standard error, unless that must be one JSON document. */
function printNote(text: string, { format }: PoolsOptions, io: Io): void {
  if (format === 'text') io.stderr(`${escapeLine(text)}\n`);
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function onlyFolder(io: Io): string | Diagnostic {
  const shown = (path: string) => relative(io.cwd, path) || '.';
  const project = openProject(findProject(io.cwd), shown);
  if ('code' in project) return project;
  const folders = project.folders.map(shown);
  const [only] = folders;
  if (only === undefined) return emptyClusters(project, shown);
  return folders.length === 1 ? only : severalClusters(folders);
}

async function nodesFromStdin(call: string, io: Io): Promise<readonly ClusterNode[] | Diagnostic> {
  if (io.isStdinTerminal) return noNodes('the nodes are read from standard input, which is a terminal', call);
  const given = await io.readStdin(nodesTextMax);
  if (given === undefined) return tooMuchText(nodesTextMax, call);
  // PowerShell writes a byte order mark at the start of a pipe.
  const text = given.replace(/^\uFEFF/, '');
  if (text.trim() === '') return noNodes('standard input is empty', call);
  const read = readNodesText(text);
  return 'nodes' in read ? read.nodes : noNodes(`standard input cannot be used: ${read.problem}`, call);
}

async function print(
  nodes: readonly ClusterNode[],
  folder: string | undefined,
  options: PoolsOptions,
  io: Io,
): Promise<ExitCode> {
  const { output, format } = options;
  const loaded =
    folder === undefined ? undefined : await loadFolder(folder, { workingDirectory: io.cwd, onOutput: io.stderr });
  const found = poolsOf(nodes, loaded?.documents.flatMap(nodeSelectorOf) ?? []);
  const diagnostics = denyWarnings(
    [...(loaded?.diagnostics ?? []), ...nodeWarnings(nodes, found.findings)],
    options.denyWarnings ? 'all' : [],
  );
  report(diagnostics, format, io);
  if (hasErrors(diagnostics)) return EXIT.userError;
  const isOpenshift = found.pools.some(({ rhcosVersion }) => rhcosVersion !== undefined);
  const spec = { ...(isOpenshift && { platform: 'openshift' }), nodePools: found.pools };
  const value = options.cluster === undefined ? { nodePools: found.pools } : clusterDocument(options.cluster, spec);
  io.stdout(
    output === 'json' ? escapeJson(toJson(value as unknown as JsonValue)) : toYaml(value as unknown as JsonValue),
  );
  for (const [name, count] of found.nodeCounts) printNote(`pool \`${name}\`: ${counted(count, 'node')}`, options, io);
  const others = nodes.filter((node) => !isNicNode(node)).map(({ name }) => name);
  if (others.length > 0) {
    const names = listedNames(others, SHOWN_NODES);
    printNote(`left out: ${counted(others.length, 'node')} without an NVIDIA NIC: ${names}`, options, io);
  }
  if (isOpenshift && options.cluster === undefined) {
    printNote('note: these are nodes of OpenShift, where the Cluster needs `platform: openshift`', options, io);
  }
  return EXIT.ok;
}

/** A Cluster document that compiles without changes. */
function clusterDocument(name: string, spec: object): object {
  return { apiVersion: WEFT_API_VERSION, kind: 'Cluster', metadata: { name }, spec };
}

/**
 * The node selectors of NicNodePolicies. The documents are not validated, because users run this command for a Cluster
 * that has no pools yet.
 */
function nodeSelectorOf({ value }: SourceDocument): readonly Readonly<Record<string, string>>[] {
  if (!isObject(value) || value['kind'] !== 'NicNodePolicy' || !isObject(value['spec'])) return [];
  const { nodeSelector } = value['spec'];
  if (!isObject(nodeSelector)) return [];
  const entries = Object.entries(nodeSelector);
  return [Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))];
}

/** The warning about a comment that suppresses no warning. */
const UNUSED_IGNORE = 'WEFT0033';

async function check(nodes: readonly ClusterNode[], folder: string, options: PoolsOptions, io: Io): Promise<ExitCode> {
  const loaded = await loadFolder(folder, { workingDirectory: io.cwd, onOutput: io.stderr });
  const { config, diagnostics } = resolve(loaded);
  const denied = options.denyWarnings ? 'all' : (config?.cluster.spec.denyWarnings ?? []);
  // A comment may suppress a warning about the output, which this command does not render.
  const left = applyIgnores(loaded.ignores ?? [], diagnostics).filter(({ code }) => code !== UNUSED_IGNORE);
  const all = denyWarnings([...left, ...nodeWarnings(nodes, [])], denied);
  report(all, options.format, io);
  if (!config || hasErrors(all)) return EXIT.userError;
  const found = checkPools(nodes, config);
  io.stdout(options.output === 'json' ? escapeJson(toJson(found as unknown as JsonValue)) : checkText(found));
  const nicNodes = counted(nodes.filter(isNicNode).length, 'NIC node');
  if (found.uncovered.length + found.empty.length === 0) {
    printNote(`${folder}: ${nicNodes}, each in a pool; no pool is empty`, options, io);
    return EXIT.ok;
  }
  const summary = `${found.uncovered.length} in no pool; ${counted(found.empty.length, 'empty pool')}`;
  printNote(`${folder}: ${nicNodes}, ${summary}`, options, io);
  printNote(
    `help: \`kubectl get nodes -o json | weft pools ${folder}\` prints the pools as the nodes are`,
    options,
    io,
  );
  return EXIT.differences;
}

function checkText({ uncovered, empty }: PoolsCheck): string {
  const lines = [
    ...uncovered.map(({ node, why }) => `node \`${node}\` is in no pool: ${why}`),
    ...empty.map((name) => `pool \`${name}\` has no node`),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}
