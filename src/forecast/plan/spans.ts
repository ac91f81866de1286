import { windowState } from '../../shared/contract/maintenance-window.js';
import { allWindows } from '../../shared/contract/pool-limits.js';
import { nodeUpgradePolicies, type UpgradePolicy } from '../../shared/contract/upgrade-policy.js';

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** No plan shows more. */
const SPANS_MAX = 500;

/** The maintenance windows that are open at some time of a span, in order; windows that overlap are one. */
export function windowSpans({ rollout }: UpgradePolicy, { fromMs, toMs }: Span): readonly Span[] {
  const spans = allWindows(rollout).flatMap((window) => {
    const own: Span[] = [];
    for (let atMs = fromMs; atMs < toMs && own.length < SPANS_MAX;) {
      const { open, nextChangeMs = Infinity } = windowState(window, atMs);
      if (open) own.push({ fromMs: atMs, toMs: nextChangeMs });
      atMs = nextChangeMs;
    }
    return own;
  });
  return joined(spans);
}

/** The same time as spans in order that do not meet. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1);
    if (last === undefined || span.fromMs > last.toMs) result.push(span);
    else result[result.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
  }
  return result;
}

/** The time of some spans in which no other span is. All are in order and do not meet. */
export function without(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return spans.flatMap((span) => {
    const left: Span[] = [];
    let { fromMs } = span;
    for (const other of others) {
      if (other.toMs <= fromMs || other.fromMs >= span.toMs) continue;
      if (other.fromMs > fromMs) left.push({ fromMs, toMs: other.fromMs });
      fromMs = other.toMs;
    }
    return fromMs < span.toMs ? [...left, { fromMs, toMs: span.toMs }] : left;
  });
}

/** How many nodes may be in progress at once, over all policies; undefined: one has no limit. */
export function nodesAtOnce({ drivers }: UpgradePolicy): number | undefined {
  const limits = drivers
    .flatMap(nodeUpgradePolicies)
    .filter(({ autoUpgrade, daemonSets }) => autoUpgrade && daemonSets.length > 0)
    .map(({ maxParallelUpgrades }) => maxParallelUpgrades);
  return limits.length === 0 || limits.includes(0) ? undefined : limits.reduce((sum, limit) => sum + limit, 0);
}
