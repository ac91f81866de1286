import type { DriverCoverage } from '../../contract/driver-coverage.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { compareText } from '../../lib/json.js';
import type { CoverageSides } from './pool-changes.js';

/**
 * What upgrades the nodes of a changed driver DaemonSet, which keep the old driver until then. `companion`: `autoUpgrade` is
 * true or the driver is uninstalled. `missing-companion`: the same, but the output has no companion. `none`: `autoUpgrade`
 * is false, so the user has to delete the driver pods.
 */
export type Mover = 'companion' | 'missing-companion' | 'none';

/** The part of a configuration that decides how a driver change reaches the nodes. */
export interface DriverContext {
  /** The pools of both sides; absent where the old output does not say them. */
  readonly coverage?: CoverageSides;
  /** The pools of the new side; empty where the whole cluster goes. */
  readonly after: readonly DriverCoverage[];
  /** The whole cluster leaves the output. */
  readonly isClusterGone: boolean;
  /** `driver.uninstall` is set: the companion takes the drivers off the nodes. */
  readonly isUninstalling: boolean;
  /** The new output has a Job or CronJob of the companion. */
  readonly hasCompanion: boolean;
}

/** What the change of a driver DaemonSet does to nodes. */
export interface DriverImpact {
  readonly impact: 'drain' | 'remove' | 'add' | 'metadata';
  readonly pools: readonly string[];
  readonly poolsAtOnce?: readonly string[];
  readonly mover?: Mover;
  readonly notes: readonly string[];
  readonly isKept?: boolean;
}

/** Who moves nodes to these drivers. */
export function moverOf(
  drivers: readonly DriverCoverage[],
  { isUninstalling, hasCompanion }: Pick<DriverContext, 'isUninstalling' | 'hasCompanion'>,
): Mover {
  if (!isUninstalling && !drivers.some(({ autoUpgrade }) => autoUpgrade)) return 'none';
  return hasCompanion ? 'companion' : 'missing-companion';
}

/** The pools of a DaemonSet on one side. */
export function rowsOf(side: readonly DriverCoverage[], { metadata }: KubernetesObject): readonly DriverCoverage[] {
  const identity = `${metadata.namespace ?? ''}/${metadata.name}`;
  return side.filter(({ daemonSet }) => daemonSet === identity);
}

/** Names of the pools, sorted, each once. */
export function poolNames(rows: readonly DriverCoverage[]): readonly string[] {
  return [...new Set(rows.map(({ pool }) => pool))].sort(compareText);
}

/** `pools a, b`, each as code. */
export function poolList(names: readonly string[]): string {
  return `${names.length === 1 ? 'pool' : 'pools'} ${names.map((name) => `\`${name}\``).join(', ')}`;
}
