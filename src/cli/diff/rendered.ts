import { relative, resolve } from 'node:path';
import { denyWarnings, type DeniedWarnings } from '../../shared/diagnostics/deny.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { programDaemonSets } from '../../compile/coverage/daemon-sets.js';
import { createDelivery, everyManifest } from '../../compile/gitops/delivery.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { settingsOf } from '../../shared/contract/cluster-settings.js';
import type { GitOps } from '../../compile/model/gitops.js';
import type { Placed } from '../../compile/render/layout.js';
import { driverCoverage } from '../../review/coverage/coverage.js';
import { documentsOf } from '../../review/impact/document-change.js';
import type { LiveSides } from '../../review/diff/live/compare.js';
import type { Applier } from '../../review/diff/live/managed-fields.js';
import { expectedCluster, type ExpectedCluster } from '../cluster/expected.js';
import { compileFolder } from '../compile/compile.js';
import type { Rendered } from '../compile/loaded.js';
import type { Io } from '../io.js';
import type { ProgramOptions } from '../programs.js';
import { hasErrors } from '../report.js';

/** What a folder renders, for a comparison with its live cluster. */
export interface RenderedCluster {
  readonly sides: Pick<
    LiveSides,
    'name' | 'rendered' | 'applier' | 'settings' | 'coverage' | 'covered' | 'documents' | 'files'
  >;
  readonly expected: ExpectedCluster;
  /** The configuration, and the objects with their folders. */
  readonly result: Rendered;
  /** Warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Objects for Argo CD and Flux themselves, which may be in another cluster. */
const OF_THE_TOOL = /^(?:argocd|flux)\//;

/** Renders one folder, or returns the errors of its documents. */
export async function renderedCluster(
  folder: string,
  { denied = [], ...options }: ProgramOptions & { readonly denied?: DeniedWarnings },
  io: Io,
): Promise<RenderedCluster | readonly Diagnostic[]> {
  const compiled = await compileFolder(folder, io, options);
  const diagnostics = denyWarnings(compiled.diagnostics, denied);
  if (!compiled.result || hasErrors(diagnostics)) return diagnostics;
  const expected = await expectedCluster(folder, options, io);
  if (!('name' in expected)) return expected;
  const { config, objects } = compiled.result;
  const { gitops } = config.cluster.spec;
  const manifests = everyManifest(createDelivery()(config.cluster, objects as readonly Placed[])).filter(
    ({ path }) => !OF_THE_TOOL.test(path) || gitops.helm !== undefined,
  );
  const rendered = manifests.map(({ object }): KubernetesObject => object);
  const daemonSets = programDaemonSets(config, objects);
  const sides = {
    name: config.cluster.name,
    rendered,
    applier: applierOf(gitops),
    settings: settingsOf(config.cluster.spec),
    coverage: driverCoverage(config, daemonSets),
    covered: { config, daemonSets },
    documents: documentsOf(config),
    files: new Map(manifests.map(({ object, path }): [KubernetesObject, string] => [object, path])),
  };
  return { sides, expected, result: compiled.result, diagnostics };
}

function applierOf({ argocd, flux, helm }: GitOps): Applier {
  if (argocd !== undefined) return 'argocd';
  if (flux !== undefined) return 'flux';
  return helm === undefined ? 'plain' : 'helm';
}

/**
 * Whether several clusters would be one: all of one context, or one of them of the current context.
 *
 * @param count how many are asked for, with those that have errors. Default: all are given
 */
export function isOneForSeveral(
  clusters: readonly RenderedCluster[],
  context: string | undefined,
  count = clusters.length,
): boolean {
  return count > 1 && (context !== undefined || clusters.some(({ expected }) => expected.context === undefined));
}

/** One live cluster cannot be compared with several folders. `how`: how the command takes one folder. */
export function severalFolders(what: string, folders: readonly string[], io: Io, how = 'with `--folder`'): Diagnostic {
  const shown = folders.map((folder) => relative(io.cwd, resolve(io.cwd, folder))).join(', ');
  return diagnostic('WEFT0410', {
    message: `${what} is one cluster, and ${folders.length} are rendered: ${shown}`,
    help: `name the folder of its input ${how}, or the context of each in \`access\` of its Cluster document`,
  });
}
