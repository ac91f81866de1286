import { resolve } from 'node:path';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { loadDocuments } from '../compile/load.js';
import { access } from '../../compile/model/cluster.js';
import type { Io } from '../io.js';
import type { ProgramOptions } from '../programs.js';
import { hasErrors } from '../report.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';

/** The live cluster that a Cluster document names. */
export interface ExpectedCluster {
  /** Name of the document. */
  readonly name: string;
  /** Namespace of what it renders. */
  readonly namespace: string;
  readonly context?: string | undefined;
  /** UID of the namespace kube-system. */
  readonly clusterUID?: string | undefined;
}

/**
 * Reads which live cluster the Cluster document of a folder names. Other errors of the documents do not matter here: `weft synth` reports
 * them. Without a Cluster document any cluster is expected.
 */
export async function expectedCluster(
  folder: string,
  options: ProgramOptions,
  io: Io,
): Promise<ExpectedCluster | readonly Diagnostic[]> {
  const { documents, diagnostics } = await loadDocuments(folder, options, io);
  if (hasErrors(diagnostics)) return diagnostics;
  const cluster = documents.map(({ value }) => value).find((value) => isObject(value) && value['kind'] === 'Cluster');
  const [name, namespace] = [valueAt(cluster, ['metadata', 'name']), valueAt(cluster, ['spec', 'namespace'])];
  const read = access.safeParse(valueAt(cluster, ['spec', 'access']) ?? {});
  if (!read.success) {
    const message = `\`access\` of the Cluster document in \`${folder}\` cannot be read`;
    return [diagnostic('WEFT0393', { message, help: '`weft synth` says what is wrong with it' })];
  }
  return {
    name: typeof name === 'string' ? name : resolve(io.cwd, folder),
    namespace: typeof namespace === 'string' ? namespace : DEFAULT_NAMESPACE,
    ...read.data,
  };
}

/** The context to use, or why the one that was named is another cluster's. */
export function contextOf(
  given: string | undefined,
  expected: ExpectedCluster | undefined,
): string | undefined | Diagnostic {
  const named = expected?.context;
  if (given === undefined || named === undefined || given === named || expected?.clusterUID !== undefined) {
    return given ?? named;
  }
  return diagnostic('WEFT0393', {
    message: `the context \`${given}\` is not \`${named}\`, which the Cluster \`${expected?.name}\` names in \`access\``,
    help: `leave out \`--context\`, or name the folder of the other cluster; with \`access.clusterUID\` any context that reaches the cluster will do`,
  });
}

/** The cluster has another UID than the document names. */
export function anotherCluster({ name, clusterUID }: ExpectedCluster, found: string): Diagnostic {
  return diagnostic('WEFT0393', {
    message: `the namespace kube-system has the UID ${found}, and the Cluster \`${name}\` names ${clusterUID} in \`access\``,
    help: 'name the context of that cluster with `--context`; `kubectl get namespace kube-system -o jsonpath={.metadata.uid}` prints the UID',
  });
}
