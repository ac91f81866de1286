import { resolve } from '../../src/compile/config/resolve.js';
import { join, loadYaml } from '../../src/compile/load/yaml/yaml.js';
import type { Config } from '../../src/compile/model/config.js';
import type { PlacedObject } from '../../src/compile/model/placed-object.js';
import type { Diagnostic } from '../../src/shared/diagnostics/diagnostic.js';
import { sortDiagnostics } from '../../src/shared/diagnostics/render/order.js';
import { buildObjects } from '../../src/compile/synth.js';

/** Input files by name, as text. */
export type Files = Readonly<Record<string, string>>;

/** The result for some input files; without a configuration and objects if they have errors. */
export interface CompiledFiles {
  readonly config?: Config;
  readonly placed: readonly PlacedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads, resolves and builds files that exist in memory only. */
export function compile(files: Files): CompiledFiles {
  const loaded = Object.entries(files).map(([name, text]) => loadYaml(name, text));
  const { config, diagnostics } = resolve(join(loaded));
  if (!config) return { placed: [], diagnostics };
  const built = buildObjects(config);
  return { config, placed: built.objects, diagnostics: [...diagnostics, ...built.diagnostics] };
}

/** Diagnostics as `file:line:column CODE message`, sorted by place. */
export function problemLines(diagnostics: readonly Diagnostic[]): readonly string[] {
  return sortDiagnostics(diagnostics).map(({ code, message, location }) => {
    const { file = '', line = 0, column = 0 } = location ?? {};
    return `${file}:${line}:${column} ${code} ${message}`;
  });
}

/** A Cluster document; `spec` is the text below `spec:`, indented by two. */
export function clusterText(spec: string, name = 'east'): string {
  return `apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata:\n  name: ${name}\nspec:\n${spec}`;
}

/** A policy document; `spec` is the text below `spec:`, indented by two. */
export function policyText(kind: 'NicClusterPolicy' | 'NicNodePolicy', name: string, spec: string): string {
  return `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n${spec}`;
}

/** A pool that suits most tables, as text below `nodePools:`. */
export const UBUNTU_POOL =
  '    - {name: workers, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic}\n';

/** A cluster with that pool and a release. */
export const PLAIN_CLUSTER = clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`);
