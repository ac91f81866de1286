import { relative } from 'node:path';
import { loadFolder } from '../config/load.js';
import { resolve } from '../config/resolve.js';
import type { SourceDocument } from '../config/yaml.js';
import { NFD_LABELS } from '../contract/labels.js';
import { escapeJson, escapeLine } from '../diagnostics/render-escape.js';
import type { DiagnosticFormat } from '../diagnostics/render.js';
import { isObject } from '../lib/json.js';
import { toJson } from '../render/json.js';
import { toYaml, type JsonValue } from '../render/yaml.js';
import { checkPools, type PoolsCheck } from '../review/pools-check.js';
import { isNicNode, readNodes, type ClusterNode } from '../review/pools-nodes.js';
import { poolsOf, type NodeFinding } from '../review/pools.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import { findProject } from './project.js';
import { hasErrors, report } from './report.js';

export interface PoolsOptions {
  readonly check?: boolean;
  readonly output: 'yaml' | 'json';
  readonly format: DiagnosticFormat;
}

/**
 * `weft pools`: the nodes on standard input become the `nodePools` of a Cluster document, or are compared with those of a
 * folder.
 */
export async function pools(folder: string | undefined, options: PoolsOptions, io: Io): Promise<ExitCode> {
  const checked = options.check ? (folder ?? onlyFolder(io)) : folder;
  if (options.check && checked === undefined) return EXIT.userError;
  const nodes = await nodesFromStdin(io);
  if (!nodes) return EXIT.userError;
  if (!nodes.some(isNicNode)) {
    io.stderr(`warning: none of the ${counted(nodes.length, 'node')} has the label ${NFD_LABELS.nicPresent}=true\n`);
    io.stderr(`${NFD_HELP}\n`);
  }
  if (options.check && checked !== undefined) return check(nodes, checked, options, io);
  return print(nodes, folder, options, io);
}

const NFD_HELP = 'help: Node Feature Discovery sets these labels: it must be deployed and run on the NIC nodes';

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function onlyFolder(io: Io): string | undefined {
  const found = findProject(io.cwd);
  const folders = 'project' in found ? found.project.folders.map((path) => relative(io.cwd, path) || '.') : [];
  const [only] = folders;
  if (only !== undefined && folders.length === 1) return only;
  if (folders.length === 0) {
    io.stderr('error: there is no folder of a cluster in `clusters` here or above\n');
    io.stderr('help: name the folder that holds the Cluster document: `weft pools --check <folder>`\n');
    return undefined;
  }
  io.stderr(`error: there are several clusters\n${folders.map((path) => `  ${escapeLine(path)}\n`).join('')}`);
  io.stderr('help: name the one that the nodes are of: `weft pools --check <folder>`\n');
  return undefined;
}

async function nodesFromStdin(io: Io): Promise<readonly ClusterNode[] | undefined> {
  const help = 'help: kubectl get nodes -o json | weft pools\n';
  if (io.isStdinTerminal) {
    io.stderr(`error: the nodes are read from standard input, which is a terminal\n${help}`);
    return undefined;
  }
  // PowerShell puts a byte order mark before what it pipes.
  const text = (await io.readStdin()).replace(/^\uFEFF/, '');
  if (text.trim() === '') {
    io.stderr(`error: standard input is empty\n${help}`);
    return undefined;
  }
  const read = parseNodes(text);
  if ('nodes' in read) return read.nodes;
  io.stderr(`error: standard input cannot be used: ${escapeLine(read.problem)}\n${help}`);
  return undefined;
}

function parseNodes(text: string): ReturnType<typeof readNodes> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  return readNodes(value);
}

async function print(
  nodes: readonly ClusterNode[],
  folder: string | undefined,
  { output, format }: PoolsOptions,
  io: Io,
): Promise<ExitCode> {
  const loaded = folder === undefined ? undefined : await loadFolder(folder, { workingDirectory: io.cwd });
  if (loaded) report(loaded.diagnostics, format, io);
  if (loaded && hasErrors(loaded.diagnostics)) return EXIT.userError;
  const found = poolsOf(nodes, loaded?.documents.flatMap(nodeSelectorOf) ?? []);
  const value = { nodePools: found.pools } as unknown as JsonValue;
  io.stdout(output === 'json' ? escapeJson(toJson(value)) : toYaml(value));
  for (const finding of found.findings) io.stderr(`warning: ${escapeLine(findingText(finding))}\n`);
  if (found.findings.some(({ kind }) => kind === 'labels-missing')) io.stderr(`${NFD_HELP}\n`);
  if (found.pools.some(({ rhcosVersion }) => rhcosVersion !== undefined)) {
    io.stderr('note: these are nodes of OpenShift, where the Cluster needs `platform: openshift`\n');
  }
  return EXIT.ok;
}

/**
 * What a NicNodePolicy selects by. The documents are not validated: a Cluster that has no pools yet is what one runs this
 * command for.
 */
function nodeSelectorOf({ value }: SourceDocument): readonly Readonly<Record<string, string>>[] {
  if (!isObject(value) || value['kind'] !== 'NicNodePolicy' || !isObject(value['spec'])) return [];
  const { nodeSelector } = value['spec'];
  if (!isObject(nodeSelector)) return [];
  const entries = Object.entries(nodeSelector);
  return [Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))];
}

function findingText(finding: NodeFinding): string {
  const leftOut = `NIC node \`${finding.node}\` is left out`;
  switch (finding.kind) {
    case 'labels-missing':
      return `${leftOut}: it lacks ${finding.labels.map((label) => `the label \`${label}\``).join(', ')}`;
    case 'arch-unknown':
      return `${leftOut}: there are no drivers for its architecture \`${finding.arch}\``;
  }
}

async function check(
  nodes: readonly ClusterNode[],
  folder: string,
  { output, format }: PoolsOptions,
  io: Io,
): Promise<ExitCode> {
  const loaded = await loadFolder(folder, { workingDirectory: io.cwd });
  const resolved = loaded.documents.length === 0 ? { diagnostics: [] } : resolve(loaded.documents);
  const diagnostics = [...loaded.diagnostics, ...resolved.diagnostics];
  report(diagnostics, format, io);
  if (hasErrors(diagnostics) || !resolved.config) return EXIT.userError;
  const found = checkPools(nodes, resolved.config);
  io.stdout(output === 'json' ? escapeJson(toJson(found as unknown as JsonValue)) : checkText(found));
  const shown = escapeLine(folder);
  const nicNodes = counted(nodes.filter(isNicNode).length, 'NIC node');
  if (found.uncovered.length + found.empty.length === 0) {
    io.stderr(`${shown}: ${nicNodes}, each in a pool; no pool is empty\n`);
    return EXIT.ok;
  }
  io.stderr(
    `${shown}: ${nicNodes}, ${found.uncovered.length} in no pool; ${counted(found.empty.length, 'empty pool')}\n`,
  );
  io.stderr(`help: \`kubectl get nodes -o json | weft pools ${shown}\` prints the pools as the nodes are\n`);
  return EXIT.differences;
}

function checkText({ uncovered, empty }: PoolsCheck): string {
  const lines = [
    ...uncovered.map(({ node, why }) => `node \`${node}\` is in no pool: ${why}`),
    ...empty.map((name) => `pool \`${name}\` has no node`),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}
