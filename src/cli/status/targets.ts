import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isOneForSeveral, renderedCluster, severalFolders, type RenderedCluster } from '../diff/rendered.js';
import type { Io } from '../io.js';
import { clusterFolders } from '../project.js';
import { hasErrors } from '../report.js';
import type { Target } from './observe.js';
import type { StatusOptions } from './options.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';

/** The clusters to look at, and diagnostics of their documents. */
interface Targets {
  readonly targets: readonly Target[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The clusters of the folders that are named, else of all folders of clusters/, else the one of the context without documents. With a
 * context it is the folder whose Cluster names that, or the only one.
 */
export async function statusTargets(given: readonly string[], options: StatusOptions, io: Io): Promise<Targets> {
  const folders = clusterFolders(given, io.cwd);
  const rendered: RenderedCluster[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const folder of folders) {
    const cluster = await renderedCluster(folder, options, io);
    if ('sides' in cluster) rendered.push(cluster);
    // Warnings about documents are not about the live cluster.
    else diagnostics.push(...cluster);
  }
  if (hasErrors(diagnostics)) return { targets: [], diagnostics };
  const { context } = options;
  const named = context === undefined ? [] : rendered.filter(({ expected }) => expected.context === context);
  const isByContext = context !== undefined && given.length === 0 && rendered.length !== 1;
  const chosen = isByContext ? named : rendered;
  if (isOneForSeveral(chosen, context)) {
    return { targets: [], diagnostics: [severalFolders('the live cluster', folders, io, 'as an argument')] };
  }
  const [name, namespace] = [context ?? 'cluster', options.namespace ?? DEFAULT_NAMESPACE];
  if (chosen.length === 0) return { targets: [{ name, namespace }], diagnostics };
  return { targets: chosen.map(targetOf), diagnostics };
}

function targetOf(cluster: RenderedCluster): Target {
  return { name: cluster.sides.name, namespace: cluster.expected.namespace, cluster };
}
