import { isAtRest } from '../model/node-states.js';
import type { NodePlan, PlanContext } from '../flow/node-plan.js';
import type { Snapshot } from '../model/snapshot.js';
import type { EvictionRecord, Finding, NodeState, PatchNode, Waiting } from '../model/types.js';
import type { NodeView } from './driver-view.js';

/**
 * Where a plan came to rest that leaves its node as it is, but for marking it as one to be upgraded: what that depends on
 * changes rarely, and there may be thousands.
 */
export interface Still {
  /** When it was found, and until when it holds if nothing about the node changes. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly drain: DrainGround | undefined;
  readonly patch: PatchNode | undefined;
  readonly waiting: Waiting | undefined;
  readonly findings: readonly Finding[];
}

/** What only a drain depends on. */
interface DrainGround extends Pick<Snapshot, 'budgets' | 'foreignDaemonSets'> {
  readonly records: ReadonlyMap<string, EvictionRecord> | undefined;
}

/**
 * States in which many nodes stay for long, and in which nothing but the drain depends on the time: on its deadline, on the
 * age of the cordon, and on evictions that become due. Those that wait for their beginning are looked at again together.
 */
const STATES: ReadonlySet<NodeState> = new Set<NodeState>(['', 'upgrade-required', 'drain-required', 'upgrade-done']);

/** The last plan of a node, if it came to rest and this decision would come to the same. */
export function stillPlan({ node, plan }: NodeView, { snapshot, nowMs, evictions }: PlanContext): NodePlan | undefined {
  const still = plan?.still;
  if (plan === undefined || still === undefined || nowMs < still.fromMs || nowMs >= still.untilMs) return undefined;
  const { drain } = still;
  if (drain === undefined) return plan;
  const isSame =
    drain.budgets === snapshot.budgets &&
    drain.foreignDaemonSets === snapshot.foreignDaemonSets &&
    drain.records === snapshot.evictions.byNode.get(node.name) &&
    // When nobody asks for more evictions, it does not matter whether some are due.
    (evictions.left === 0 || nowMs - snapshot.evictions.shiftMs < (plan.nextEvictionMs ?? Infinity));
  return isSame ? plan : undefined;
}

/** Keeps what a plan came to that does nothing else, for the next decision that finds the same. */
export function keepStill(
  plan: NodePlan,
  patch: PatchNode | undefined,
  waiting: Waiting | undefined,
  findings: readonly Finding[],
): void {
  const { view, waitReason, state } = plan;
  const { snapshot, nowMs } = plan.context;
  const isMark = state === 'upgrade-required' && isAtRest(view.state);
  if (patch === undefined ? !STATES.has(state) : !isMark) return;
  const untilMs = Math.min(waitReason?.wakeMs ?? Infinity, waitReason?.untilMs ?? Infinity);
  // On a silent node, pods end their grace period and stay.
  if (view.node.ready === 'Unknown' || untilMs <= nowMs) return;
  const drain = state === 'drain-required' ? drainGround(view.node.name, snapshot) : undefined;
  plan.still = { fromMs: nowMs, untilMs, drain, patch, waiting, findings };
  plan.drain = undefined;
  view.plan = plan;
}

function drainGround(node: string, { budgets, foreignDaemonSets, evictions }: Snapshot): DrainGround {
  return { budgets, foreignDaemonSets, records: evictions.byNode.get(node) };
}
