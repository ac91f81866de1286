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

/** The part of a configuration that determines how nodes get a driver change. */
export interface DriverContext {
  /** The pools of both sides; absent if the old output does not list them. */
  readonly coverage?: CoverageSides;
  /** The pools of the new side; empty if the whole cluster is removed. */
  readonly after: readonly DriverCoverage[];
  /** The whole cluster is removed from the output. */
  readonly isClusterGone: boolean;
  /** `driver.uninstall` is set: the companion uninstalls the drivers. */
  readonly isUninstalling: boolean;
  /** The new output has a Job or CronJob of the companion. */
  readonly hasCompanion: boolean;
}

/** The effect of a driver DaemonSet's change on nodes. */
export interface DriverImpact {
  readonly impact: 'drain' | 'remove' | 'add' | 'metadata';
  readonly pools: readonly string[];
  readonly poolsAtOnce?: readonly string[];
  readonly mover?: Mover;
  readonly notes: readonly string[];
  readonly isKept?: boolean;
}

/** Who upgrades the nodes of these drivers. */
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
