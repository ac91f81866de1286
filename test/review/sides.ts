import { driverCoverage } from '../../src/review/coverage/coverage.js';
import { diffCluster, type ClusterDiff } from '../../src/review/diff/diff.js';
import type { ClusterNode } from '../../src/review/pools/nodes.js';
import { compile, type Files } from '../golden/compile.js';

/** The data that `weft diff` reads of one side. */
export function sideOf(files: Files) {
  const { config, placed, diagnostics } = compile(files);
  if (!config) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  const objects = placed.map(({ object }) => object);
  const isUninstalling = config.cluster.spec.driver.uninstall;
  return { objects, coverage: driverCoverage(config, objects), isUninstalling };
}

/** Compiles both sides and compares them. */
export function diffOf(old: Files, next: Files, nodes?: readonly ClusterNode[]): ClusterDiff {
  return diffCluster({ name: 'east', old: sideOf(old), next: sideOf(next), ...(nodes && { nodes }) });
}
