import { allWindows } from '../../shared/contract/pool-limits.js';
import type { NodeRecord, RunRecord } from './run/record.js';
import { joined, without, type Span } from './spans.js';
import type { TimeSpent } from './types.js';

/**
 * How the time until the last node is through is spent.
 *
 * @param windows the maintenance windows that are open in that time
 */
export function timeSpent(
  { startMs, endMs, nodes, soaks, cluster }: Pick<RunRecord, 'startMs' | 'endMs' | 'nodes' | 'soaks' | 'cluster'>,
  windows: readonly Span[],
): TimeSpent {
  const whole = [{ fromMs: startMs, toMs: endMs }];
  const idle = without(whole, joined(nodes.flatMap(progressOf)));
  const hasWindows = allWindows(cluster.policy.rollout).length > 0;
  const open = hasWindows ? without(idle, without(idle, windows)) : idle;
  const soaked = soaks.map(({ fromMs, untilMs }) => ({ fromMs, toMs: untilMs }));
  const unsoaked = without(open, joined(soaked));
  return {
    work: secondsOf(whole) - secondsOf(idle),
    window: secondsOf(idle) - secondsOf(open),
    soak: secondsOf(open) - secondsOf(unsoaked),
    other: secondsOf(unsoaked),
  };
}

/** When a node is in progress. One that does not come through is until the last thing that happens to it. */
function progressOf({ beginMs, endMs, history }: NodeRecord): readonly Span[] {
  if (beginMs === undefined) return [];
  return [{ fromMs: beginMs, toMs: endMs ?? Math.max(beginMs, history.at(-1)?.atMs ?? 0) }];
}

function secondsOf(spans: readonly Span[]): number {
  return Math.round(spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1000);
}
