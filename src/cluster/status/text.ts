import { escapeLine } from '../../shared/lib/escape.js';
import { counted, listed } from '../../shared/lib/listed.js';
import { tableLines } from '../../shared/lib/table.js';
import { isAllReady, type ClusterStatus, type ComponentStatus, type NodeStatus, type UnknownCluster } from './model.js';

const SHOWN_POOLS = 6;
const SHOWN_NODES = 5;

/** The status for people: a table of the clusters if there are several, else all about the one. */
export function statusText(clusters: readonly (ClusterStatus | UnknownCluster)[]): string {
  const [only, ...others] = clusters;
  const lines = only !== undefined && others.length === 0 ? clusterLines(only) : fleetLines(clusters);
  return lines.map((line) => `${escapeLine(line).trimEnd()}\n`).join('');
}

function fleetLines(clusters: readonly (ClusterStatus | UnknownCluster)[]): readonly string[] {
  const rows = clusters.map((cluster) => {
    if ('error' in cluster) return [cluster.name, 'unknown', '-', '-', '-', '-', cluster.error];
    const { name, components, nodes, differs } = cluster;
    const desired = components.filter(({ state }) => state !== 'ignore');
    const ready = desired.filter(({ state }) => state === 'ready').length;
    return [
      ...[name, isAllReady(cluster) ? 'ready' : 'notReady', `${ready}/${desired.length}`],
      podsText(total(components)),
      doneText(nodes),
      differs === undefined ? '-' : differsText(differs),
      notReadyNames(cluster),
    ];
  });
  return tableLines([['CLUSTER', 'STATE', 'COMPONENTS', 'PODS', 'NODES', 'DIFFERS', 'NOT READY'], ...rows]);
}

/** How many nodes are done for all their drivers. */
function doneText(nodes: readonly NodeStatus[]): string {
  const all = new Set(nodes.map(({ name }) => name));
  const left = nodes.filter(({ upgrade }) => upgrade !== '' && upgrade !== 'upgrade-done');
  return `${all.size - new Set(left.map(({ name }) => name)).size}/${all.size}`;
}

function notReadyNames({ components, uncovered, notes }: ClusterStatus): string {
  const names = components.filter(isNotReady).map(({ name }) => name);
  const nodes = uncovered.length === 0 ? [] : [`${counted(uncovered.length, 'node is', 'nodes are')} not covered`];
  return [...names, ...nodes, ...notes].join(', ');
}

/** By the operator or by its pods. */
function isNotReady({ state, pods }: ComponentStatus): boolean {
  return state === 'notReady' || state === 'error' || pods.ready < pods.desired;
}

function clusterLines(cluster: ClusterStatus | UnknownCluster): readonly string[] {
  if ('error' in cluster) return [`${cluster.name}: ${cluster.where}`, `unknown: ${cluster.error}`];
  const { name, where, state, components, nodes, uncovered, differs, notes } = cluster;
  const ignored = components.filter((one) => one.state === 'ignore').map((one) => one.name);
  return [
    `${name}: ${state} (${where})`,
    '',
    ...componentTable(components.filter((one) => one.state !== 'ignore')),
    ...(ignored.length === 0 ? [] : [`ignore: ${ignored.join(', ')}`]),
    ...(nodes.length === 0 ? [] : ['', ...nodeTable(nodes)]),
    ...uncovered.map(({ node, why }) => `node ${node} is not covered: ${why}`),
    ...(differs === undefined ? [] : ['', `differs from git: ${differsText(differs)}`]),
    ...notes.map((note) => `note: ${note}`),
  ];
}

function componentTable(components: readonly ComponentStatus[]): readonly string[] {
  const names = [...new Set(components.flatMap(({ pools }) => Object.keys(pools)))].sort();
  const pools = names.length > SHOWN_POOLS ? [] : names;
  const rows = components.map((one) => [
    ...[one.name, one.state, podsText(one.pods)],
    ...pools.map((pool) => (one.pools[pool] === undefined ? '-' : podsText(one.pools[pool]))),
    [one.owner.includes('/') ? one.owner : '', one.reason, one.podsSay].filter((text) => text !== '').join('; '),
  ]);
  const heads = pools.map((pool) => (pool === '' ? 'NO POOL' : pool));
  return tableLines([['COMPONENT', 'STATE', 'PODS', ...heads, 'WHY'], ...rows]);
}

/** Nodes of which the same is to be said are one line. Where a node may have several drivers, a column names the driver. */
function nodeTable(nodes: readonly NodeStatus[]): readonly string[] {
  const namesDriver = nodes.some(({ labelPrefix }) => labelPrefix !== undefined);
  const groups = new Map<string, { readonly cells: readonly string[]; readonly names: string[] }>();
  for (const { name, pool, labelPrefix = '', driver, gate, upgrade, waitsFor } of nodes) {
    const named = namesDriver ? [labelPrefix] : [];
    const cells = [pool, ...named, driver, gate, upgrade, waitsFor].map((text) => text || '-');
    const group = groups.get(cells.join('\n')) ?? { cells, names: [] };
    group.names.push(name);
    groups.set(cells.join('\n'), group);
  }
  const rows = [...groups.values()].map(({ cells, names }) => [
    names.length === 1 ? (names[0] ?? '') : `${names.length}: ${listed(names, SHOWN_NODES)}`,
    ...cells,
  ]);
  const heads = namesDriver ? ['DRIVER', 'VERSION'] : ['DRIVER'];
  return tableLines([['NODES', 'POOL', ...heads, 'GATE', 'UPGRADE', 'WAITS FOR'], ...rows]);
}

function podsText({ desired, ready }: { readonly desired: number; readonly ready: number }): string {
  return desired === 0 && ready === 0 ? '-' : `${ready}/${desired}`;
}

function total(components: readonly ComponentStatus[]): { readonly desired: number; readonly ready: number } {
  const none = { desired: 0, ready: 0 };
  return components.reduce(
    (all, { pods }) => ({ desired: all.desired + pods.desired, ready: all.ready + pods.ready }),
    none,
  );
}

function differsText(differs: Readonly<Record<string, number>>): string {
  const counts = Object.entries(differs).map(([impact, count]) => `${count} ${impact}`);
  return counts.length === 0 ? 'nothing' : counts.join(', ');
}
