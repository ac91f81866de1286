import { clusterOfNodes, type InputDocument } from '../../cluster/pools/cluster-of-nodes.js';
import { kubectlTarget } from '../../cluster/client/target.js';
import { poolsOf } from '../../cluster/pools/pools.js';
import { filesOf } from '../../cluster/import/files.js';
import { importCluster, type ImportSource } from '../../cluster/import/import.js';
import { readLive } from '../../cluster/import/live.js';
import { readOperator } from '../../cluster/import/operator.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { JsonValue } from '../../shared/lib/json.js';
import { toInputYaml } from '../../compile/render/yaml/input-document.js';
import { withSession } from '../cluster/session.js';
import { clusterName } from '../import/cluster-name.js';
import type { Io } from '../io.js';
import { nodeWarnings } from '../pools/problems.js';
import { startProgress } from '../progress.js';
import { EXAMPLE_POLICY } from './example-policy.js';
import type { InitOptions } from './options.js';

/** A file of a folder of documents. */
export interface DocumentFile {
  readonly name: string;
  readonly text: string;
}

/** The documents of the first cluster. */
export interface FirstCluster {
  readonly name: string;
  readonly cluster: InputDocument;
  readonly others: readonly DocumentFile[];
  readonly findings: readonly Diagnostic[];
}

const DEFAULT_NAME = 'east';
const DEFAULT_SYSTEM = { name: 'ubuntu', version: '24.04' };

/** The first cluster as options and answers describe it, or as it is; or why it cannot be read. */
export async function firstCluster(options: InitOptions, io: Io): Promise<FirstCluster | readonly Diagnostic[]> {
  if (options.fromCluster) return liveCluster(options, io);
  const name = options.cluster ?? DEFAULT_NAME;
  const cluster = describedCluster(name, options);
  return { name, cluster, others: [documentFile('policy.yaml', EXAMPLE_POLICY)], findings: [] };
}

export const documentFile = (name: string, { value, comments }: InputDocument): DocumentFile => ({
  name,
  text: toInputYaml(value as JsonValue, comments),
});

/** Without an option about nodes it is an example, and says how to get the real one. */
export function describedCluster(
  name: string,
  { os = DEFAULT_SYSTEM, kernel, arch = 'amd64', ...given }: InitOptions,
): InputDocument {
  const pool = {
    name: 'workers',
    osName: os.name,
    osVersion: os.version,
    arch,
    ...(kernel !== undefined && { kernel }),
  };
  const { value, comments } = clusterOfNodes(name, [], [pool]);
  const isExample = given.cluster === undefined && kernel === undefined;
  const nodes = [
    ...(isExample ? ['An example: `npx weft pools --live` prints those of a live cluster.'] : []),
    ...(kernel === undefined ? ['Without `kernel` a pool takes nodes of any kernel, and no precompiled driver.'] : []),
  ];
  return {
    value,
    comments: [...comments, ...nodes.map((text) => ({ path: ['spec', 'nodePools'] as const, text }))],
  };
}

async function liveCluster(options: InitOptions, io: Io): Promise<FirstCluster | readonly Diagnostic[]> {
  const progress = startProgress(io);
  const live = await withSession({ ...options, programs: false }, io, (session) =>
    readLive(session, {}, progress.step),
  );
  progress.clear();
  if (!('objects' in live)) return [live];
  const name = options.cluster ?? clusterName((await contextName(options, io)) ?? DEFAULT_NAME);
  const imported = importCluster({ ...live, name });
  const findings = [...live.findings, ...nodeWarnings(imported.nodes, imported.nodeFindings)];
  if (imported.findings.some(isError)) return [...imported.findings, ...findings];
  const isCluster = ({ kind }: { readonly kind: string }) => kind === 'Cluster';
  const others = filesOf(imported.documents.filter((document) => !isCluster(document)));
  const cluster = imported.documents.find(isCluster);
  if (cluster && isOperated(live)) return { name, cluster, others, findings: [...imported.findings, ...findings] };
  return {
    name,
    cluster: clusterOfNodes(name, imported.nodes, poolsOf(imported.nodes).pools),
    others: [...others, documentFile('policy.yaml', EXAMPLE_POLICY)],
    findings,
  };
}

/** Whether the operator is there, or was: what it has is imported, with what is to be said about it. */
function isOperated({ objects }: Pick<ImportSource, 'objects'>): boolean {
  const isPolicy = ({ kind }: { readonly kind: string }) => kind === 'NicClusterPolicy' || kind === 'NicNodePolicy';
  return objects.some(isPolicy) || readOperator(objects).operator !== undefined;
}

async function contextName({ context, kubectl }: InitOptions, { env }: Io): Promise<string | undefined> {
  const target = await kubectlTarget({
    env,
    onOutput: () => undefined,
    ...(kubectl !== undefined && { command: kubectl }),
    ...(context !== undefined && { context }),
  });
  return target?.context;
}
