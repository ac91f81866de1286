import { relative } from 'node:path';
import { blocksForNodes, blockShortages } from '../../compile/config/rules/custom-resources/pool-blocks.js';
import type { Config } from '../../compile/model/config.js';
import { found as locatedAt } from '../../compile/model/found.js';
import { applyIgnores } from '../../compile/load/ignore-comments.js';
import { loadDocuments } from '../compile/load.js';
import { resolve } from '../../compile/config/resolve.js';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';
import { denyWarnings } from '../../shared/diagnostics/deny.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { escapeLine, shellWord } from '../../shared/lib/escape.js';
import type { DiagnosticFormat } from '../../shared/diagnostics/render/render.js';
import { isObject, type JsonValue } from '../../shared/lib/json.js';
import { counted, listedNames } from '../../shared/lib/listed.js';
import { programDaemonSets } from '../../compile/coverage/daemon-sets.js';
import { toInputYaml } from '../../compile/render/yaml/input-document.js';
import { checkPools, hasDriverOrPlugin, nodeGaps, type NodeGap, type PoolsCheck } from '../../cluster/pools/check.js';
import { driverSetOf } from '../../review/impact/driver-sets.js';
import { isDriver } from '../../review/impact/driver.js';
import { clusterOfNodes } from '../../cluster/pools/cluster-of-nodes.js';
import { isNicNode, nodesTextMax, readNodesText, type ClusterNode } from '../../cluster/pools/nodes.js';
import { poolsOf } from '../../cluster/pools/pools.js';
import { buildObjects } from '../../compile/synth.js';
import { expectedCluster } from '../cluster/expected.js';
import { listNodes } from '../../cluster/reader/nodes.js';
import { withSession, type ClusterChoice } from '../cluster/session.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { jsonText } from '../json-text.js';
import { emptyClusters, openProject } from '../problems.js';
import { nodeWarnings, noNodes, severalClusters, SHOWN_NODES, tooMuchText } from './problems.js';
import { findProject } from '../project.js';
import { hasErrors, report, refused } from '../report.js';

export interface PoolsOptions extends ClusterChoice {
  /** Read the nodes through kubectl, not from standard input. */
  readonly live?: boolean;
  readonly check?: boolean;
  readonly output: 'yaml' | 'json';
  /** Name of the Cluster document to print; absent to print only the pools. */
  readonly cluster?: string;
  /** Treat every warning as an error. */
  readonly denyWarnings?: boolean;
  readonly format: DiagnosticFormat;
}

/**
 * `weft pools`: the nodes on standard input or of a live cluster become the `nodePools` of a Cluster document, or are compared with those of a
 * folder.
 */
export async function pools(given: string | undefined, options: PoolsOptions, io: Io): Promise<ExitCode> {
  const folder = options.check ? (given ?? onlyFolder(io)) : given;
  if (typeof folder === 'object') return refused([folder], options.format, io);
  const call = [
    'weft pools',
    ...(options.check ? ['--check'] : []),
    ...(given === undefined ? [] : [shellWord(given)]),
  ].join(' ');
  const nodes = options.live ? await liveNodes(folder, options, io) : await nodesFromStdin(call, io);
  if ('code' in nodes) return refused([nodes], options.format, io);
  return options.check && folder !== undefined ? check(nodes, folder, options, io) : print(nodes, folder, options, io);
}

async function liveNodes(folder: string | undefined, options: PoolsOptions, io: Io) {
  const expected = folder === undefined ? undefined : await expectedCluster(folder, options, io);
  // The documents of a cluster that has no pools yet may have errors; those of reading them are reported below.
  const known = expected !== undefined && 'name' in expected ? expected : undefined;
  return withSession({ ...options, expected: known }, io, (session) => listNodes(session));
}

/** Prints a line on standard error, unless that must be one JSON document. */
function printNote(text: string, { format }: PoolsOptions, io: Io): void {
  if (format === 'text') io.stderr(`${escapeLine(text)}\n`);
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
  const loaded = folder === undefined ? undefined : await loadDocuments(folder, options, io);
  const found = poolsOf(nodes, loaded?.documents.flatMap(nodeSelectorOf) ?? []);
  const diagnostics = denyWarnings(
    [...(loaded?.diagnostics ?? []), ...nodeWarnings(nodes, found.findings)],
    options.denyWarnings ? 'all' : [],
  );
  report(diagnostics, format, io);
  if (hasErrors(diagnostics)) return EXIT.userError;
  const isOpenshift = found.pools.some(({ rhcosVersion }) => rhcosVersion !== undefined);
  const { value, comments } =
    options.cluster === undefined
      ? { value: { nodePools: found.pools }, comments: [] }
      : clusterOfNodes(options.cluster, nodes, found.pools);
  io.stdout(output === 'json' ? jsonText(value) : toInputYaml(value as unknown as JsonValue, comments));
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
  const loaded = await loadDocuments(folder, options, io);
  const { config, diagnostics: found } = resolve(loaded);
  const built = config && !found.some(isError) ? buildObjects(config) : undefined;
  const diagnostics = [
    ...(config ? ofLiveNodes(config, found, nodes) : found),
    ...(built?.diagnostics ?? []).filter(isError),
  ];
  const denied = options.denyWarnings ? 'all' : (config?.cluster.spec.denyWarnings ?? []);
  // A comment may suppress a warning about the output, and this command takes only errors of that.
  const left = applyIgnores(loaded.ignores ?? [], diagnostics).filter(({ code }) => code !== UNUSED_IGNORE);
  const all = denyWarnings([...left, ...nodeWarnings(nodes, [])], denied);
  report(all, options.format, io);
  if (!config || !built || hasErrors(all)) return EXIT.userError;
  const drivers = built.objects.map(({ object }) => object).filter(isDriver);
  const result = {
    ...checkPools(nodes, config, drivers.map(driverSetOf)),
    withoutPods: nodeGaps(nodes, config, programDaemonSets(config, built.objects)),
  };
  io.stdout(options.output === 'json' ? jsonText(result) : checkText(result));
  const count = nodes.filter(isNicNode).length;
  const nicNodes = counted(count, 'NIC node');
  const { uncovered, empty, withoutDriver, withoutPods } = result;
  if (uncovered.length + empty.length + withoutDriver.length + withoutPods.length === 0) {
    const what = hasDriverOrPlugin(config)
      ? 'with what it needs'
      : 'and without a driver or a device plugin: no policy has one';
    printNote(`${folder}: ${nicNodes}, each in a pool ${what}; no pool is empty`, options, io);
    return EXIT.ok;
  }
  const lacking = withoutDriver.length === 0 ? '' : `, ${withoutDriver.length} without a driver`;
  const others = new Set(withoutPods.map(({ node }) => node)).size;
  const bare = others === 0 ? '' : `, ${others} without pods that they need`;
  const summary = `${uncovered.length} in no pool${lacking}${bare}; ${counted(empty.length, 'empty pool')}`;
  printNote(`${folder}: ${nicNodes}, ${summary}`, options, io);
  if (options.live && count > 0 && uncovered.length === count) {
    printNote('note: none of the nodes is in a pool; `--context` names another cluster', options, io);
  }
  if (uncovered.length + empty.length === 0) return EXIT.differences;
  const print = options.live
    ? ['weft pools', ...liveArguments(options), shellWord(folder)].join(' ')
    : `kubectl get nodes -o json | weft pools ${shellWord(folder)}`;
  printNote(`help: \`${print}\` prints the pools as the nodes are`, options, io);
  return EXIT.differences;
}

/** How many nodes there are is known here, and the rule itself only counts pools. */
function ofLiveNodes(
  config: Config,
  diagnostics: readonly Diagnostic[],
  nodes: readonly ClusterNode[],
): readonly Diagnostic[] {
  const live = nodes.map(({ name, labels, taints }) => ({ name, labels: Object.fromEntries(labels), taints }));
  const { code } = blocksForNodes;
  const violations = [...blockShortages(config, live, (count) => counted(count, 'node'))];
  return [...diagnostics.filter((one) => one.code !== code), ...violations.map((one) => locatedAt(code, one))];
}

function liveArguments({ context }: PoolsOptions): readonly string[] {
  return context === undefined ? ['--live'] : ['--context', shellWord(context)];
}

interface Checked extends PoolsCheck {
  readonly withoutPods: readonly NodeGap[];
}

function checkText({ uncovered, empty, withoutDriver, withoutPods }: Checked): string {
  const lines = [
    ...withoutDriver.map(({ node, why }) => `node \`${node}\` gets no driver: ${why}`),
    ...withoutPods.map(
      ({ node, components, why }) => `node \`${node}\` gets no pods of ${listedNames(components, SHOWN_NODES)}: ${why}`,
    ),
    ...uncovered.map(({ node, why }) => `node \`${node}\` is in no pool: ${why}`),
    ...empty.map((name) => `pool \`${name}\` has no node`),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}
