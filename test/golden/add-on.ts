import { expect } from '@jest/globals';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { clusterText, compile, UBUNTU_POOL } from './compile.js';

/** The objects of an add-on's folder, for lines of the Cluster's `spec` and a policy. There must be no error. */
export function addOnObjects(folder: string, spec: string, policy?: string): readonly KubernetesObject[] {
  const cluster = clusterText(`${spec}  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`);
  const { placed, diagnostics } = compile({ 'cluster.yaml': cluster, ...(policy && { 'policy.yaml': policy }) });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return placed.filter((one) => one.folder === folder).map(({ object }) => object);
}

/** The diagnostics of lines of a Cluster's `spec`, as `CODE message`. */
export function addOnProblems(spec: string): readonly string[] {
  const cluster = clusterText(`${spec}  nodePools:\n${UBUNTU_POOL}`);
  return compile({ 'cluster.yaml': cluster }).diagnostics.map(({ code, message }) => `${code} ${message}`);
}
