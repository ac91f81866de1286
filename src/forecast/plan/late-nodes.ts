import { windowState } from '../../shared/contract/maintenance-window.js';
import { limitSource, limitSources, ofUpgradePool, type LimitSource } from '../../shared/contract/pool-limits.js';
import type { NodeRecord, RunRecord } from './run/record.js';
import type { Obstacle } from './types.js';

/** Nodes that do not begin before the first window closes that they may begin in. */
export function lateNodes(run: RunRecord, unreached: ReadonlySet<NodeRecord>): readonly Obstacle[] {
  const { rollout } = run.cluster.policy;
  const labelsOf = (name: string) => run.cluster.store.nodes.get(name)?.labels ?? {};
  return limitSources(rollout, 'maintenanceWindows').flatMap((source) => {
    const own = run.nodes.filter(({ node }) => limitSource(rollout, labelsOf(node), 'maintenanceWindows') === source);
    return lateOf(source, own, unreached);
  });
}

function lateOf(
  source: LimitSource<'maintenanceWindows'>,
  nodes: readonly NodeRecord[],
  unreached: ReadonlySet<NodeRecord>,
): readonly Obstacle[] {
  const { maintenanceWindows } = source;
  const endMs = windowEnd(maintenanceWindows, nodes);
  if (endMs === undefined) return [];
  const late = nodes.filter((one) =>
    one.beginMs === undefined ? one.last?.kind === 'window' || unreached.has(one) : one.beginMs >= endMs,
  );
  if (late.length === 0) return [];
  const windows = maintenanceWindows.map(({ schedule, duration }) => `\`${schedule}\` (${duration})`);
  const nodesOf = (records: readonly NodeRecord[]) => [...new Set(records.map(({ node }) => node))];
  const closes = `${new Date(endMs).toISOString().slice(0, 16)}Z`;
  const message =
    `${nodesOf(late).length} of ${nodesOf(nodes).length} nodes${ofUpgradePool(source)} do not begin before the window ` +
    `${[...new Set(windows)].join(', ')} closes at ${closes}`;
  const help = 'lengthen the window, or raise maxParallelUpgrades or maxUnavailable; the nodes begin in later windows';
  return [{ kind: 'window', isStuck: false, nodes: nodesOf(late), message, help }];
}

/** When the window of the first begin closes. Nodes that are in progress before need none. */
function windowEnd(
  windows: LimitSource<'maintenanceWindows'>['maintenanceWindows'],
  nodes: readonly NodeRecord[],
): number | undefined {
  const begins = nodes.flatMap(({ beginMs, isBegunBefore }) => (isBegunBefore ? [] : (beginMs ?? [])));
  if (begins.length === 0 || windows.length === 0) return undefined;
  const states = windows.map((window) => windowState(window, Math.min(...begins)));
  const closes = states.flatMap(({ open, nextChangeMs }) => (open && nextChangeMs !== undefined ? [nextChangeMs] : []));
  return closes.length === 0 ? undefined : Math.max(...closes);
}
