import type { CoverageChange } from '../impact/coverage-changes.js';
import { A_DOWNGRADE } from '../impact/downgrades.js';
import { isOlderDriver } from '../impact/driver-version.js';
import type { ImpactClass } from '../impact/impact.js';
import type { PoolChange, PoolDriver } from '../impact/pool-changes.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { compareText } from '../../shared/lib/json.js';

/** The change for the nodes of a pool with one kernel. */
export interface PoolRow {
  readonly pool: string;
  /** Empty for every kernel. */
  readonly kernel: string;
  readonly before: string;
  readonly after: string;
  /** Absent without an inventory. */
  readonly nodes?: number;
  readonly impact: ImpactClass;
}

/**
 * A row for each kernel of a pool whose driver changes.
 *
 * @param quote formats the name of a driver
 */
export function poolRows(pools: readonly PoolChange[], quote: (name: string) => string): readonly PoolRow[] {
  return pools.flatMap(({ pool, before, after }) => {
    const kernels = [...new Set([...before, ...after].map(({ kernel }) => kernel))].sort(compareText);
    return kernels.flatMap((kernel) => {
      const [from, to] = [before, after].map((side) => side.filter((one) => one.kernel === kernel));
      if (keysOf(from ?? []) === keysOf(to ?? [])) return [];
      const nodes = nodesOf(from ?? []) ?? nodesOf(to ?? []);
      const row = {
        pool,
        kernel,
        impact: impactOf(from ?? [], to ?? [], { lost: 'driver-loss', replaced: 'drain' }),
        before: sideText(from ?? [], [], quote),
        after: sideText(to ?? [], from ?? [], quote),
      };
      return [nodes === undefined ? row : { ...row, nodes }];
    });
  });
}

/** The class of a row of which one side may be empty. */
function impactOf(
  before: readonly unknown[],
  after: readonly unknown[],
  { lost, replaced }: Readonly<Record<'lost' | 'replaced', ImpactClass>>,
): ImpactClass {
  if (after.length === 0) return lost;
  return before.length === 0 ? 'add' : replaced;
}

function keysOf(drivers: readonly PoolDriver[]): string {
  return JSON.stringify(drivers.map(({ daemonSet, digest }) => [daemonSet, digest]));
}

/** All drivers of a kernel have the same nodes. */
function nodesOf([first]: readonly PoolDriver[]): number | undefined {
  return first?.nodes;
}

/** `25.10-1.2.8.0-2 of mofed-…-ds`. */
function sideText(
  drivers: readonly PoolDriver[],
  before: readonly PoolDriver[],
  quote: (name: string) => string,
): string {
  if (drivers.length === 0) return 'no DaemonSet';
  return drivers
    .map(({ daemonSet, version, image }) => {
      const [namespace = '', name = ''] = daemonSet.split('/');
      const isMoved = before.length > 0 && !before.some((one) => one.daemonSet.startsWith(`${namespace}/`));
      const same = before.find((one) => one.daemonSet === daemonSet && one.version === version);
      if (same !== undefined)
        return `the same version with ${same.image === image ? 'other settings' : 'another image'}`;
      const shown = quote(isMoved ? daemonSet : name);
      const isDowngrade = before.length > 0 && before.every((one) => isOlderDriver(version, one.version));
      return version === '' ? shown : `${quote(version)} of ${shown}${isDowngrade ? `, ${A_DOWNGRADE}` : ''}`;
    })
    .join(' and ');
}

/** The pods of a component, for pools on which they change in the same way. */
export interface PodRow {
  readonly pools: readonly string[];
  readonly program: string;
  readonly before: string;
  readonly after: string;
  readonly impact: ImpactClass;
}

/** @param quote formats the name of a DaemonSet */
export function podRows(changes: readonly CoverageChange[], quote: (name: string) => string): readonly PodRow[] {
  const namesOf = (ids: readonly string[]) => ids.map((id) => quote(id.slice(id.indexOf('/') + 1))).join(' and ');
  const alike = groupBy(changes, ({ program, before, after, why }) => JSON.stringify([program, before, after, why]));
  return [...alike.values()].flatMap((own) =>
    own.slice(0, 1).map(({ program, before, after, why }) => ({
      pools: own.map(({ pool }) => pool),
      program,
      impact: impactOf(before, after, { lost: 'remove', replaced: 'restart' }),
      before: before.length === 0 ? 'no pod' : namesOf(before),
      after: after.length === 0 ? `no pod: ${why ?? ''}` : namesOf(after),
    })),
  );
}
