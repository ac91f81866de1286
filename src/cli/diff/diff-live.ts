import { basename, resolve } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { FailedCluster } from '../../review/diff/context.js';
import { diffGroups, type DiffGroup } from '../../review/diff/groups.js';
import { compareLive } from '../../review/diff/live/compare.js';
import { versionsAmong } from '../../cluster/takeover/operator/version.js';
import { withSession } from '../cluster/session.js';
import type { Io } from '../io.js';
import type { Next } from './compare.js';
import { failedCluster } from './failed.js';
import { compareWithCluster, type LiveResult } from './live.js';
import type { DiffOptions } from './options.js';
import { isOneForSeveral, renderedCluster, severalFolders, type RenderedCluster } from './rendered.js';
import { objectsFromStdin } from './stdin.js';

/** The differences from live clusters. */
interface LiveDiff {
  readonly groups: readonly DiffGroup[];
  readonly diagnostics: readonly Diagnostic[];
  /** Nothing is compared where there are errors, and none of these. */
  readonly failed: readonly FailedCluster[];
  /** The old side, for messages. */
  readonly label: string;
}

/** `weft diff --live`: each folder with the cluster of its context. */
export async function diffWithClusters(next: Next, options: DiffOptions, io: Io): Promise<LiveDiff> {
  const clusters: RenderedCluster[] = [];
  const diagnostics: Diagnostic[] = [];
  const failed: FailedCluster[] = [];
  const fails = (name: string, errors: readonly Diagnostic[]): boolean => {
    diagnostics.push(...errors);
    const failure = failedCluster(name, errors);
    if (failure !== undefined) failed.push(failure);
    return failure !== undefined;
  };
  for (const folder of next.folders) {
    const rendered = await renderedCluster(folder, next, io);
    if (!('sides' in rendered)) fails(basename(resolve(io.cwd, folder)), rendered);
    else if (!fails(rendered.sides.name, rendered.diagnostics)) clusters.push(rendered);
  }
  const label = 'the live cluster';
  if (isOneForSeveral(clusters, options.context, next.folders.length)) {
    return { groups: [], diagnostics: [...diagnostics, severalFolders(label, next.folders, io)], failed: [], label };
  }
  const groups = diffGroups();
  for (const cluster of clusters) {
    const { expected, sides } = cluster;
    const found = await withSession<LiveResult>({ ...options, expected, dryRuns: true }, io, (session) =>
      compareWithCluster(session, cluster),
    );
    const isFailed = fails(sides.name, 'code' in found ? [found] : found.diagnostics);
    if (!isFailed && 'diff' in found) groups.add(found.diff);
  }
  return { groups: groups.all(), diagnostics, failed, label };
}

/** `weft diff -`: one folder with the objects on standard input, of which only the kinds that occur there are compared. */
export async function diffWithStdin(next: Next, io: Io): Promise<LiveDiff> {
  const label = 'standard input';
  const [folder = '.', ...others] = next.folders;
  const nothing = (diagnostics: readonly Diagnostic[]): LiveDiff => ({ groups: [], diagnostics, failed: [], label });
  if (others.length > 0) return nothing([severalFolders(label, next.folders, io)]);
  const cluster = await renderedCluster(folder, next, io);
  if (!('sides' in cluster)) return nothing(cluster);
  const live = await objectsFromStdin(io);
  if ('code' in live) return nothing([live]);
  const kinds = new Set(live.map(({ kind }) => kind));
  const rendered = cluster.sides.rendered.filter(({ kind }) => kinds.has(kind));
  const unlisted = cluster.sides.rendered.filter(({ kind }) => !kinds.has(kind));
  const groups = diffGroups();
  const operators = versionsAmong(live, cluster.expected.namespace);
  groups.add(
    compareLive({
      ...cluster.sides,
      rendered,
      unlisted,
      live,
      operators,
      ...(next.nodes && { nodes: next.nodes }),
    }),
  );
  return { groups: groups.all(), diagnostics: cluster.diagnostics, failed: [], label };
}
