import { App, Chart } from 'cdk8s';
import { createDiagnosticSink } from './config/diagnostic-sink.js';
import type { Config } from './model/config.js';
import { codeInfo } from './diagnostics/codes.js';
import { isError, type Diagnostic } from './diagnostics/diagnostic.js';
import type { KubernetesObject } from './kubernetes/types.js';
import { apiGroup } from './kubernetes/names.js';
import { freeId } from './kubernetes/objects.js';
import { Cluster, type ClusterProps } from './constructs/cluster.js';
import { PatchError } from './constructs/patches/patches.js';
import type { PatchProblem } from './constructs/patches/problems.js';
import { placedObjects, type PlacedObject } from './constructs/folder.js';

/** The objects of a configuration. */
export interface Built {
  /** In the order of the tree; empty when there are errors. */
  readonly objects: readonly PlacedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds the chart of a cluster; the diagnostics are those of its patches. */
export function addCluster(
  app: App,
  config: Config,
  companion?: ClusterProps['companion'],
): { readonly chart: Chart; readonly diagnostics: readonly Diagnostic[] } {
  const chart = new Chart(app, freeId(app, config.cluster.name), { disableResourceNameHashes: true });
  const said = (problems: readonly PatchProblem[]) => patchDiagnostics(config, problems);
  try {
    return {
      chart,
      diagnostics: said(new Cluster(chart, 'cluster', { config, ...(companion && { companion }) }).patchWarnings),
    };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { chart, diagnostics: said(error.problems) };
  }
}

/** The objects of a configuration. One App each: cdk8s is quadratic in the charts of an App. */
export function buildObjects(config: Config, companion?: ClusterProps['companion']): Built {
  const { chart, diagnostics } = addCluster(new App(), config, companion);
  if (diagnostics.some(isError)) return { objects: [], diagnostics };
  const objects = placedObjects(chart);
  const collisions = findCollisions(config, objects);
  const found = [...diagnostics, ...collisions, ...withoutPolicy(config)];
  return { objects: collisions.length > 0 ? [] : objects, diagnostics: found };
}

/**
 * Without a policy there is no component: no driver, no device plugin, no CNI plugin. Where there are networks, other warnings
 * name the components that each of them lacks.
 */
function withoutPolicy({ cluster, policies, networks }: Config): readonly Diagnostic[] {
  if (policies.length + networks.length > 0) return [];
  return [
    {
      code: 'WEFT0315',
      severity: 'warning',
      message: 'the cluster has no policy, so its output has no component',
      location: cluster.origin.document.locate(['metadata', 'name']),
      path: ['metadata', 'name'],
      help: 'add a NicClusterPolicy named `nic-cluster-policy` beside the Cluster',
    },
  ];
}

function patchDiagnostics(config: Config, problems: readonly PatchProblem[]): readonly Diagnostic[] {
  const { all, report } = createDiagnosticSink();
  for (const problem of problems) report(codeInfo(problem.code).severity, () => patchDiagnostic(config, problem));
  return all;
}

function patchDiagnostic({ cluster }: Config, problem: PatchProblem): Diagnostic {
  const { index, code, path: below, at, message, help } = problem;
  const path = ['spec', 'patches', index, ...below];
  return {
    code,
    severity: codeInfo(code).severity,
    message: `\`spec.patches[${index}]\` ${message}`,
    location: cluster.origin.document.locate(path, at),
    path,
    ...(help === undefined ? {} : { help }),
  };
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, metadata.namespace ?? '', metadata.name].join(' ');
}

/** Documents that go to the output as they are must not take the place of what a component makes, or of each other. */
function findCollisions(config: Config, objects: readonly PlacedObject[]): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  for (const { object } of objects) counts.set(identity(object), (counts.get(identity(object)) ?? 0) + 1);
  return config.passthrough
    .filter(({ object }) => (counts.get(identity(object as KubernetesObject)) ?? 0) > 1)
    .map(({ object, origin }) => {
      const { kind, metadata } = object as KubernetesObject;
      return {
        code: 'WEFT0243',
        severity: 'error',
        message: `the output has another ${kind} \`${metadata.name}\` in namespace \`${metadata.namespace ?? ''}\``,
        location: origin.document.locate(['metadata', 'name']),
        path: ['metadata', 'name'],
        help: 'give this one another name; to change the object that a component makes, use `spec.patches` of the Cluster',
      };
    });
}
