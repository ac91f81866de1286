import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { diffGroups, type DiffGroup } from '../../review/diff/groups.js';
import { compareLive } from '../../review/diff/live/compare.js';
import { versionsAmong } from '../../cluster/takeover/operator/version.js';
import { withSession } from '../cluster/session.js';
import type { Io } from '../io.js';
import { hasErrors } from '../report.js';
import type { Next } from './compare.js';
import { compareWithCluster, type LiveResult } from './live.js';
import type { DiffOptions } from './options.js';
import { isOneForSeveral, renderedCluster, severalFolders, type RenderedCluster } from './rendered.js';
import { objectsFromStdin } from './stdin.js';

/** The differences from live clusters; not valid if a diagnostic is an error. */
interface LiveDiff {
  readonly groups: readonly DiffGroup[];
  readonly diagnostics: readonly Diagnostic[];
  /** The old side, for messages. */
  readonly label: string;
}

/** `weft diff --live`: each folder with the cluster of its context. */
export async function diffWithClusters(next: Next, options: DiffOptions, io: Io): Promise<LiveDiff> {
  const clusters: RenderedCluster[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const folder of next.folders) {
    const rendered = await renderedCluster(folder, next, io);
    if ('sides' in rendered) clusters.push(rendered);
    diagnostics.push(...('sides' in rendered ? rendered.diagnostics : rendered));
  }
  const label = 'the live cluster';
  if (isOneForSeveral(clusters, options.context)) diagnostics.push(severalFolders(label, next.folders, io));
  if (hasErrors(diagnostics)) return { groups: [], diagnostics, label };
  const groups = diffGroups();
  for (const cluster of clusters) {
    const { expected } = cluster;
    const found = await withSession<LiveResult>({ ...options, expected, dryRuns: true }, io, (session) =>
      compareWithCluster(session, cluster),
    );
    if ('code' in found) return { groups: [], diagnostics: [...diagnostics, found], label };
    diagnostics.push(...found.diagnostics);
    groups.add(found.diff);
  }
  return { groups: groups.all(), diagnostics, label };
}

/** `weft diff -`: one folder with the objects on standard input, of which only the kinds that occur there are compared. */
export async function diffWithStdin(next: Next, io: Io): Promise<LiveDiff> {
  const label = 'standard input';
  const [folder = '.', ...others] = next.folders;
  if (others.length > 0) return { groups: [], diagnostics: [severalFolders(label, next.folders, io)], label };
  const cluster = await renderedCluster(folder, next, io);
  if (!('sides' in cluster)) return { groups: [], diagnostics: cluster, label };
  const live = await objectsFromStdin(io);
  if ('code' in live) return { groups: [], diagnostics: [live], label };
  const kinds = new Set(live.map(({ kind }) => kind));
  const rendered = cluster.sides.rendered.filter(({ kind }) => kinds.has(kind));
  const groups = diffGroups();
  const operators = versionsAmong(live, cluster.expected.namespace);
  groups.add(
    compareLive({
      ...cluster.sides,
      rendered,
      live,
      operators,
      ...(next.nodes && { nodes: next.nodes }),
    }),
  );
  return { groups: groups.all(), diagnostics: cluster.diagnostics, label };
}
