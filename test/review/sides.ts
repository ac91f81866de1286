import type { UpgradePolicy } from '../../src/shared/contract/upgrade-policy.js';
import type { DriverCoverage } from '../../src/shared/contract/driver-coverage.js';
import { companionObjects } from '../../src/compile/delivery/companion.js';
import { needsCompanion } from '../../src/compile/delivery/drivers.js';
import { programDaemonSets } from '../../src/compile/coverage/daemon-sets.js';
import type { Cluster } from '../../src/compile/model/config.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { driverCoverage } from '../../src/review/coverage/coverage.js';
import { diffCluster, type ClusterDiff } from '../../src/review/diff/diff.js';
import type { CoveredSide } from '../../src/review/impact/coverage-changes.js';
import { companionPolicy, isLoadedSafely } from '../../src/review/impact/new-side.js';
import type { ClusterNode } from '../../src/cluster/pools/nodes.js';
import { resolve } from '../../src/compile/config/resolve.js';
import { parsePins } from '../../src/compile/load/lock-file.js';
import { join, loadYaml } from '../../src/compile/load/yaml/yaml.js';
import { buildObjects } from '../../src/compile/synth.js';
import type { Files } from '../golden/compile.js';

/** One side of a difference, with what the companion reads of it. */
export interface Side {
  readonly objects: readonly KubernetesObject[];
  readonly coverage: readonly DriverCoverage[];
  readonly covered: CoveredSide;
  /** Absent if the output has no companion. */
  readonly policy?: UpgradePolicy;
  /** New driver pods ask for a safe load. */
  readonly safeLoad: boolean;
  readonly cluster: Cluster;
}

/** The data that `weft diff` reads of one side. Throws if the input has errors. */
export function sideOf(files: Files): Side {
  const compiled = compileSide(files);
  if ('errors' in compiled) throw new Error(compiled.errors.join('\n'));
  return compiled;
}

/** The same, or the errors of the input. */
export function compileSide(files: Files): Side | { readonly errors: readonly string[] } {
  const { 'weft.lock': lock = '', ...documents } = files;
  const resolved = resolve(join(Object.entries(documents).map(([name, text]) => loadYaml(name, text))));
  const { diagnostics } = resolved;
  const config = resolved.config && {
    ...resolved.config,
    cluster: { ...resolved.config.cluster, pins: parsePins('weft.lock', lock).pins },
  };
  const built = config && buildObjects(config, needsCompanion(config) ? companion : undefined);
  const errors = [...diagnostics, ...(built?.diagnostics ?? [])].filter(({ severity }) => severity === 'error');
  if (!config || !built || errors.length > 0)
    return { errors: errors.map(({ code, message }) => `${code} ${message}`) };
  const objects = built.objects.map(({ object }) => object);
  const policy = companionPolicy(objects);
  const safeLoad = isLoadedSafely(objects);
  const { cluster } = config;
  const daemonSets = programDaemonSets(config, built.objects);
  const coverage = driverCoverage(config, daemonSets);
  const covered = { config, daemonSets };
  return { objects, coverage, covered, safeLoad, cluster, ...(policy && { policy }) };
}

function companion(...[config, objects]: [Parameters<typeof companionObjects>[0], readonly KubernetesObject[]]) {
  return companionObjects(config, objects, () => 'program');
}

/** Compiles both sides and compares them. */
export function diffOf(old: Files, next: Files, nodes?: readonly ClusterNode[]): ClusterDiff {
  return diffCluster({ name: 'east', old: sideOf(old), next: sideOf(next), ...(nodes && { nodes }) });
}
