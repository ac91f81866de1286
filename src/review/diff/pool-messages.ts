import type { ObjectDiff } from './diff.js';
import type { DiffGroup } from './groups.js';
import type { Mover } from '../impact/driver-context.js';
import type { PoolChange, PoolDriver } from '../impact/pool-changes.js';
import { compareText } from '../../lib/json.js';

/** The change for the nodes of a pool with one kernel. */
export interface PoolRow {
  readonly pool: string;
  /** Empty for every kernel. */
  readonly kernel: string;
  readonly before: string;
  readonly after: string;
  /** Absent without an inventory. */
  readonly nodes?: number;
}

/** A row for each kernel of a pool whose driver changes. */
export function poolRows(pools: readonly PoolChange[]): readonly PoolRow[] {
  return pools.flatMap(({ pool, before, after }) => {
    const kernels = [...new Set([...before, ...after].map(({ kernel }) => kernel))].sort(compareText);
    return kernels.flatMap((kernel) => {
      const [from, to] = [before, after].map((side) => side.filter((one) => one.kernel === kernel));
      if (keysOf(from ?? []) === keysOf(to ?? [])) return [];
      const nodes = nodesOf(from ?? []) ?? nodesOf(to ?? []);
      const row = { pool, kernel, before: sideText(from ?? [], []), after: sideText(to ?? [], from ?? []) };
      return [nodes === undefined ? row : { ...row, nodes }];
    });
  });
}

function keysOf(drivers: readonly PoolDriver[]): string {
  return JSON.stringify(drivers.map(({ daemonSet, digest }) => [daemonSet, digest]));
}

/** All drivers of a kernel have the same nodes. */
function nodesOf([first]: readonly PoolDriver[]): number | undefined {
  return first?.nodes;
}

function sideText(drivers: readonly PoolDriver[], before: readonly PoolDriver[]): string {
  if (drivers.length === 0) return 'no driver';
  return drivers
    .map(({ daemonSet, image }) => {
      const old = before.find((one) => one.daemonSet === daemonSet);
      const [namespace = '', name = ''] = daemonSet.split('/');
      const isMoved = before.length > 0 && !before.some((one) => one.daemonSet.startsWith(`${namespace}/`));
      const shown = image === '' ? 'unknown image' : (image.split('/').at(-1) ?? image);
      if (old) return old.image === image ? 'the same with other settings' : `the same with ${shown}`;
      return `${isMoved ? daemonSet : name} with ${shown}`;
    })
    .join(' and ');
}

/** `12 nodes`. */
export function nodesText(count: number): string {
  return `${count} ${count === 1 ? 'node' : 'nodes'}`;
}

/**
 * One sentence for each kind of driver change on nodes.
 *
 * @param quote formats the name of a pool
 */
export function nodeSentences(
  { objects, pools, notes }: Pick<DiffGroup, 'objects' | 'pools' | 'notes'>,
  quote: (name: string) => string,
): readonly string[] {
  const drains = objects.filter(({ impact, mover, poolsAtOnce }) => impact === 'drain' && (mover ?? poolsAtOnce));
  const counted = (names: readonly string[]) => {
    const list = names.map((name) => `${quote(name)}${countText(pools, name)}`).join(', ');
    return `${names.length} ${names.length === 1 ? 'pool' : 'pools'} (${list})`;
  };
  const moved = MOVERS.flatMap((mover) => {
    const names = namesOf(drains, (drain) => {
      const { poolsAtOnce = [] } = drain;
      return drain.mover === mover ? drain.pools.filter((pool) => !poolsAtOnce.includes(pool)) : [];
    });
    return names.length > 0 ? [`the driver of ${counted(names)} changes: ${moverText(mover)}`] : [];
  });
  const atOnce = namesOf(drains, ({ poolsAtOnce = [] }) => poolsAtOnce);
  const staying = objects.filter((one) => one.impact === 'remove' && one.isKept === true && one.pools.length > 0);
  const left = namesOf(staying, (one) => one.pools);
  return [
    ...(atOnce.length > 0
      ? [`driver pods of ${counted(atOnce)} are deleted when this is applied, without a drain`]
      : []),
    ...moved,
    ...(left.length > 0 ? [`the driver of ${counted(left)} stays on its nodes, and nothing upgrades it any more`] : []),
    ...(drains.some((drain) => drain.pools.length === 0)
      ? ['a driver changes for nodes that the old output does not name']
      : []),
    ...notes,
    ...objects
      .filter(({ startsRun }) => startsRun)
      .map(({ name }) => `applying this starts the run ${quote(name)} of the companion`),
  ];
}

const MOVERS = ['companion', 'missing-companion', 'none'] as const satisfies readonly Mover[];

function moverText(mover: Mover): string {
  switch (mover) {
    case 'companion':
      return 'the companion moves these nodes when it runs';
    case 'missing-companion':
      return 'the companion moves these nodes when it runs, but this output has no companion';
    case 'none':
      return 'nothing moves these nodes: `autoUpgrade` is false';
  }
}

function namesOf(objects: readonly ObjectDiff[], select: (object: ObjectDiff) => readonly string[]): readonly string[] {
  return [...new Set(objects.flatMap(select))].sort(compareText);
}

/** `: 12 nodes` of a pool: those with the kernels whose driver changes. */
function countText(pools: readonly PoolChange[], name: string): string {
  const counts = poolRows(pools).flatMap(({ pool, nodes }) => (pool === name && nodes !== undefined ? [nodes] : []));
  return counts.length === 0 ? '' : `: ${nodesText(counts.reduce((sum, count) => sum + count, 0))}`;
}
