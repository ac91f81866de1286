import type { Desired } from './desired.js';
import { planSteps } from './plan.js';
import type { ClusterSnapshot } from './snapshot/objects.js';
import { windowSpans, type Span } from './spans.js';
import { DEFAULT_RUNS, type PlannedStart, type PlanOptions, type UpgradePlan } from './types.js';

/** How far ahead a start is looked for, in days. */
export const START_DAYS = 14;

/** How many starts are compared: each is a plan of its own. */
export const STARTS_MAX = 5;

/**
 * The plan of the start that costs least, within two weeks from `options.at`: each start is planned with the cluster as it is now. It yields
 * after each decision.
 */
export function* bestStartSteps(
  desired: Desired,
  snapshot: ClusterSnapshot,
  options: PlanOptions,
): Generator<undefined, UpgradePlan> {
  const { at, runs = DEFAULT_RUNS, onRun = () => undefined } = options;
  const starts = startsOf(desired, at);
  const plans: UpgradePlan[] = [];
  for (const [index, start] of starts.entries())
    plans.push(
      yield* planSteps(desired, snapshot, {
        ...options,
        at: start,
        onRun: (done) => onRun(index * runs + done, starts.length * runs),
      }),
    );
  const best = plans.reduce((one, other) => (isCheaper(other, one) ? other : one));
  return { ...best, starts: plans.map(startOf) };
}

/**
 * When nodes can begin: at once, while a window is open or where there are no windows, and when windows open. The first of each length of window
 * come before others: what differs between two openings is how much fits in.
 */
export function startsOf({ policy }: Pick<Desired, 'policy'>, at: Date): readonly Date[] {
  const fromMs = at.getTime();
  const spans = windowSpans(policy, { fromMs, toMs: fromMs + START_DAYS * 86_400_000 });
  const firsts = new Map([...spans].reverse().map((span) => [lengthOf(span), span]));
  const others = spans.filter((span) => firsts.get(lengthOf(span)) !== span);
  const compared = [...firsts.values()].sort((a, b) => a.fromMs - b.fromMs);
  // Nodes of an upgrade pool may have windows where the others have none.
  const now = policy.rollout.maintenanceWindows.length === 0 || spans.length === 0 ? [fromMs] : [];
  const starts = new Set([...now, ...[...compared, ...others].map((span) => span.fromMs)]);
  return [...starts]
    .slice(0, STARTS_MAX)
    .sort((a, b) => a - b)
    .map((ms) => new Date(ms));
}

const lengthOf = ({ fromMs, toMs }: Span): number => toMs - fromMs;

/** Whether a plan costs less than one that starts before it. */
function isCheaper(plan: UpgradePlan, earlier: UpgradePlan): boolean {
  const measures = [plan, earlier].map(({ upgraded, cost }) => [-upgraded, cost.endedPods.length, cost.nodeHours]);
  const [own = [], others = []] = measures;
  const index = own.findIndex((measure, at) => measure !== others[at]);
  return index >= 0 && (own[index] ?? 0) < (others[index] ?? 0);
}

function startOf({ startsAt, endsAt, nodes, upgraded, cost }: UpgradePlan): PlannedStart {
  const { nodeHours, gpuHours, endedPods } = cost;
  return { startsAt, endsAt, nodes, upgraded, endedPods: endedPods.length, nodeHours, gpuHours };
}
