import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { compareText } from '../../shared/lib/json.js';
import { driverVersion } from './driver-version.js';
import type { NodeCounter } from '../../cluster/pools/count.js';

/** The driver of a pool's nodes at one kernel, on one side. */
export interface PoolDriver {
  /** Empty if one DaemonSet serves every kernel. */
  readonly kernel: string;
  /** `<namespace>/<name>`. */
  readonly daemonSet: string;
  readonly image: string;
  /** What the image installs, without the system and the kernel in its tag. */
  readonly version: string;
  readonly digest: string;
  /** Nodes of the pool with this kernel; absent without an inventory. */
  readonly nodes?: number;
}

/** A node pool whose driver changes: another DaemonSet, another install digest, or other kernels that are covered. */
export interface PoolChange {
  readonly pool: string;
  /** Empty if no driver covered the pool. Sorted by kernel and DaemonSet. */
  readonly before: readonly PoolDriver[];
  /** Empty if no driver covers it any more. */
  readonly after: readonly PoolDriver[];
}

/** The driver coverage of both sides of a cluster; pools of the old side have their new names. */
export interface CoverageSides {
  readonly before: readonly DriverCoverage[];
  readonly after: readonly DriverCoverage[];
}

/** The pools whose driver changes, sorted by name. */
export function poolChanges({ before, after }: CoverageSides, count?: NodeCounter): readonly PoolChange[] {
  const names = [...new Set([...before, ...after].map(({ pool }) => pool))].sort(compareText);
  return names.flatMap((pool) => {
    const sides = [before, after].map((side) => side.filter((one) => one.pool === pool));
    const [from = [], to = []] = sides;
    if (driverKeys(from) === driverKeys(to)) return [];
    return [{ pool, before: driversOf(from, count), after: driversOf(to, count) }];
  });
}

/**
 * A pool that was only renamed keeps its driver. The old side gets the new name, so that both sides are compared as one
 * pool.
 */
export function underNewNames({ before, after }: CoverageSides): CoverageSides {
  const gone = poolNames(before).filter((name) => !poolNames(after).includes(name));
  const come = poolNames(after).filter((name) => !poolNames(before).includes(name));
  const renamed = new Map<string, string>();
  for (const name of gone) {
    const text = poolText(before, name);
    const found = come.find((one) => ![...renamed.values()].includes(one) && poolText(after, one) === text);
    if (found !== undefined) renamed.set(name, found);
  }
  return { before: before.map((one) => ({ ...one, pool: renamed.get(one.pool) ?? one.pool })), after };
}

function poolNames(side: readonly DriverCoverage[]): readonly string[] {
  return [...new Set(side.map(({ pool }) => pool))];
}

/** All properties of a pool except its name, and those of its driver except the upgrade settings. */
function poolText(side: readonly DriverCoverage[], name: string): string {
  const lines = side
    .filter(({ pool }) => pool === name)
    .map(({ osName, osVersion, rhcosVersion, arch, kernel, labels, taints, daemonSet, digest }) =>
      JSON.stringify([osName, osVersion, rhcosVersion, arch, kernel, labels, taints, daemonSet, digest]),
    );
  return lines.sort().join('\n');
}

function driverKeys(side: readonly DriverCoverage[]): string {
  const keys = side.map(({ kernel, daemonSet, digest }) => JSON.stringify([kernel, daemonSet, digest]));
  return keys.sort().join('\n');
}

function driversOf(side: readonly DriverCoverage[], count: NodeCounter | undefined): readonly PoolDriver[] {
  return side
    .map((one) => {
      const { kernel, daemonSet, image, digest } = one;
      const version = driverVersion(image, one);
      return { kernel, daemonSet, image, version, digest, ...(count && { nodes: count(one) }) };
    })
    .sort((a, b) => compareText(a.kernel, b.kernel) || compareText(a.daemonSet, b.daemonSet));
}
