import { allComponents } from '../../compile/components/all.js';
import type { PlacedDaemonSet } from '../../shared/contract/daemon-set-placement.js';
import { driverPlacement, onlyArchitecture } from '../../shared/contract/driver-placement.js';
import { coverageTable, type Place } from '../../compile/coverage/coverage.js';
import type { ProgramDaemonSet } from '../../compile/coverage/daemon-sets.js';
import { gapsOf } from '../../compile/coverage/gaps.js';
import type { Config, NodePool } from '../../compile/model/config.js';
import { isUninstalled } from '../../compile/model/uninstall.js';
import { ARCH_LABEL, NFD_LABELS } from '../../shared/contract/labels.js';
import { taintText } from '../../shared/kubernetes/selection/taints.js';
import { POOL_FIELDS } from './fields.js';
import { isNicNode, lastingTaints, type ClusterNode } from './nodes.js';

/** Differences between the pools of a Cluster and its nodes. */
export interface PoolsCheck {
  /** NIC nodes that no pool matches, sorted by name; `why` names the nearest pool and the differences. */
  readonly uncovered: readonly { readonly node: string; readonly why: string }[];
  /** Names of the pools that match no NIC node, in the order of the document. */
  readonly empty: readonly string[];
  /** NIC nodes of pools that a policy with a driver selects, and that get no driver as they are, sorted by name; `why` says why. */
  readonly withoutDriver: readonly { readonly node: string; readonly why: string }[];
}

/** A pool as in the Cluster document, with all its kernels. */
interface NamedPool {
  readonly name: string;
  /** Without the kernel. */
  readonly labels: readonly (readonly [key: string, value: string])[];
  /** Empty if the pool is for every kernel. */
  readonly kernels: readonly string[];
  readonly taints: ReadonlySet<string>;
}

interface Difference {
  readonly text: string;
  /** The weight of a difference; the pool with the lowest sum is the nearest one. */
  readonly weight: number;
}

/** A pool with another OS or other machines is far from a node, even if everything else is equal. */
const WEIGHTS: ReadonlyMap<string, number> = new Map([
  [NFD_LABELS.osName, 100],
  [ARCH_LABEL, 100],
  [NFD_LABELS.osVersion, 10],
]);

/**
 * Compares the pools of a Cluster, and the driver DaemonSets of its output, with its live nodes. A pool matches a node that has all its labels, one of its
 * kernels (if it names any) and exactly its taints, apart from those that every driver pod tolerates.
 *
 * @param daemonSets the driver DaemonSets of the output
 */
export function checkPools(
  nodes: readonly ClusterNode[],
  config: CheckedConfig,
  daemonSets: readonly PlacedDaemonSet[],
): PoolsCheck {
  const pools = namedPools(config.cluster.pools);
  const driven = drivenPools(config);
  const placement = driverPlacement(daemonSets, onlyArchitecture(config.cluster.pools));
  const used = new Set<string>();
  const uncovered: { node: string; why: string }[] = [];
  const withoutDriver: { node: string; why: string }[] = [];
  for (const node of nodes.filter(isNicNode)) {
    const compared = pools.map((pool) => ({ name: pool.name, differences: differencesOf(node, pool) }));
    const matching = compared.filter(({ differences }) => differences.length === 0);
    for (const { name } of matching) used.add(name);
    if (matching.length === 0) uncovered.push({ node: node.name, why: whyText(compared) });
    if (!matching.some(({ name }) => driven.has(name))) continue;
    const { name, taints } = node;
    const { reason } = placement({ name, labels: Object.fromEntries(node.labels), taints });
    if (reason === undefined) continue;
    const own = config.cluster.pools.filter((pool) => matching.some((one) => one.name === pool.name));
    const why = daemonSets.length === 0 ? untolerated(config, node, own) : undefined;
    withoutDriver.push({ node: name, why: why ?? reason.message });
  }
  return { uncovered, empty: pools.map(({ name }) => name).filter((name) => !used.has(name)), withoutDriver };
}

/** Why a driver that a policy has for the pools of a node is not in the output: the policy tolerates none of their taints. */
function untolerated(config: CheckedConfig, { name, labels, taints }: ClusterNode, pools: readonly NodePool[]) {
  const place = { node: { name, labels: Object.fromEntries(labels), taints }, pools };
  const cells = coverageTable(config, [], [place]).flatMap((row) => row.cells);
  const drivers = allComponents.filter(({ providesDriver }) => providesDriver).map(({ id }) => id);
  return cells.find(({ program, absence }) => drivers.includes(program.component) && absence?.kind === 'taint')?.absence
    ?.message;
}

/** A NIC node that is in a pool, and components that have no pod there although it needs them. */
export interface NodeGap {
  readonly node: string;
  /** Names of their programs. */
  readonly components: readonly string[];
  readonly why: string;
}

/**
 * The gaps of the table of coverage on live nodes, sorted by node: device plugins, what networks need, what labels nodes, and nodes with neither driver nor
 * device plugin. Drivers that a policy has for a node are left to `checkPools`.
 *
 * @param daemonSets those of the output
 */
export function nodeGaps(
  nodes: readonly ClusterNode[],
  config: CheckedConfig,
  daemonSets: readonly ProgramDaemonSet[],
): readonly NodeGap[] {
  const pools = namedPools(config.cluster.pools);
  const places = nodes.filter(isNicNode).flatMap((node): readonly Place[] => {
    const matching = pools.filter((pool) => differencesOf(node, pool).length === 0).map(({ name }) => name);
    const { name, taints } = node;
    const own = config.cluster.pools.filter((pool) => matching.includes(pool.name));
    return own.length === 0 ? [] : [{ node: { name, labels: Object.fromEntries(node.labels), taints }, pools: own }];
  });
  return gapsOf(coverageTable(config, daemonSets, places))
    .filter(({ kind }) => kind !== 'driver')
    .map(({ place, cells, why }) => {
      return { node: place.node.name ?? '', components: cells.map(({ program }) => program.name), why };
    });
}

type CheckedConfig = Pick<Config, 'cluster' | 'policies' | 'instances'>;

/** Whether a policy has a driver or a device plugin for any node. */
export function hasDriverOrPlugin({ instances }: CheckedConfig): boolean {
  const wanted = allComponents.filter(({ providesDriver, offers }) => providesDriver || offers !== undefined);
  return wanted.some(({ id }) => (instances.get(id) ?? []).length > 0);
}

/** Names of the pools that a policy with a driver selects, whether or not it tolerates their taints. */
function drivenPools({ cluster, policies, instances }: CheckedConfig): ReadonlySet<string> {
  const drivers = allComponents.filter(({ providesDriver }) => providesDriver);
  const owners = new Set(drivers.flatMap(({ id }) => (instances.get(id) ?? []).map(({ owner }) => owner.label)));
  return new Set(
    policies
      .filter(({ owner }) => owners.has(owner.label))
      .flatMap(({ owner, pools }) => pools.filter((pool) => !isUninstalled(cluster, owner, pool)))
      .map(({ name }) => name),
  );
}

function namedPools(pools: readonly NodePool[]): readonly NamedPool[] {
  return [...new Set(pools.map(({ name }) => name))].flatMap((name) => {
    const same = pools.filter((pool) => pool.name === name);
    return same.slice(0, 1).map((pool) => ({
      name,
      labels: Object.entries(pool.labels).filter(([key]) => key !== NFD_LABELS.kernel),
      kernels: same.flatMap(({ kernel }) => (kernel === undefined ? [] : [kernel])),
      taints: new Set(lastingTaints(pool.taints).map(taintText)),
    }));
  });
}

function differencesOf(node: ClusterNode, pool: NamedPool): readonly Difference[] {
  const actual = new Set(node.taints.map(taintText));
  const unlisted = [...actual].filter((taint) => !pool.taints.has(taint));
  const absent = [...pool.taints].filter((taint) => !actual.has(taint));
  return [
    ...pool.labels.flatMap(([key, value]) => labelDifference(node, key, [value])),
    ...(pool.kernels.length === 0 ? [] : labelDifference(node, NFD_LABELS.kernel, pool.kernels)),
    ...unlisted.map((taint) => ({ text: `it has the taint \`${taint}\`, which the pool does not list`, weight: 1 })),
    ...absent.map((taint) => ({ text: `it lacks the taint \`${taint}\`, which the pool lists`, weight: 1 })),
  ];
}

function labelDifference({ labels }: ClusterNode, key: string, expected: readonly string[]): readonly Difference[] {
  const actual = labels.get(key);
  if (actual !== undefined && expected.includes(actual)) return [];
  const weight = WEIGHTS.get(key) ?? 1;
  const wanted = expected.map((value) => `\`${value}\``).join(' or ');
  const field = POOL_FIELDS.get(key);
  if (actual === undefined) {
    return [{ text: `it has no label \`${key}\`${field ? '' : ` (the pool: ${wanted})`}`, weight }];
  }
  return [{ text: `the node's ${field ?? `label \`${key}\``} is \`${actual}\`, the pool's is ${wanted}`, weight }];
}

function whyText(compared: readonly { readonly name: string; readonly differences: readonly Difference[] }[]): string {
  const distance = (differences: readonly Difference[]) => differences.reduce((sum, { weight }) => sum + weight, 0);
  const [nearest] = [...compared].sort((a, b) => distance(a.differences) - distance(b.differences));
  if (!nearest) return 'the Cluster has no node pools';
  return `nearest is pool \`${nearest.name}\`, but ${nearest.differences.map(({ text }) => text).join('; ')}`;
}
