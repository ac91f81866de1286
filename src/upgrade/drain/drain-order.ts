import {
  fromStructured,
  matchesSelector,
  selectorOf,
  type Selector,
} from '../../kubernetes/selection/label-selector.js';
import { once } from '../../lib/memo.js';
import { DRAINING } from '../model/node-states.js';
import type { Snapshot } from '../model/snapshot.js';
import type { SnapshotBudget, SnapshotPod } from '../model/types.js';
import type { DriverView, NodeView } from '../view/driver-view.js';
import { nodeHasPodsToMove } from './pods-to-move.js';

/**
 * The order of the nodes that are drained at the same time. Without it, several drains that share a budget, or the free capacity for
 * evicted pods, could each evict a part of their pods and wait for each other for ever.
 */
export interface DrainOrder {
  /**
   * Evicted pods have been unschedulable for a while, and another node is drained first, so this node is to be uncordoned. An upgrade
   * that works with one node at a time therefore always completes: the first node keeps all free capacity.
   */
  readonly mustYield: (view: NodeView) => boolean;
  /** A budget of the pod does not allow the evictions of its node after those of the nodes before it. */
  readonly isHeldBack: (pod: SnapshotPod) => boolean;
  /** The same for pods of a node that is not drained yet. */
  readonly wouldBeHeldBack: (view: NodeView) => boolean;
  /** This decision starts the drain of the node, so its pods take their part of the budgets before later nodes. */
  readonly claim: (view: NodeView) => void;
  /** When nodes have to yield if pods are still unschedulable then; undefined: no pod is unschedulable. */
  readonly wakeMs: number | undefined;
}

/** The time for the scheduler and an autoscaler to find a node for a pod, or a quarter of a shorter drain time-out. */
const ROOM_MS = 60_000;

const PAST_DRAIN: ReadonlySet<string> = new Set(['pod-restart-required', 'validation-required', 'uncordon-required']);

/**
 * The order of the drains of one driver: the node with the fewest pods is first. It remains the first, because only its pods are
 * evicted if a budget does not suffice. The order does not depend on start times, because those of nodes that wait are renewed.
 */
export function drainOrderOf(driver: DriverView, snapshot: Snapshot, nowMs: number): DrainOrder {
  const active = driver.nodes.filter(
    ({ state, isFrozen }) => !isFrozen && (DRAINING.has(state) || PAST_DRAIN.has(state)),
  );
  const draining = active
    .filter((view) => DRAINING.has(view.state) && nodeHasPodsToMove(view, driver))
    .sort((a, b) => a.pods.all.length - b.pods.all.length || (a.node.name < b.node.name ? -1 : 1));
  // A node whose driver is being restarted can take pods again soon, so all others can wait for it.
  const first = active.some(({ state }) => PAST_DRAIN.has(state)) ? undefined : draining[0];
  const sinceMs = unschedulableSinceMs(active, driver, snapshot);
  const yielding = new Set(draining.filter((view) => view !== first));
  const claims = once(() => claimBudgets(draining, driver, snapshot.budgets));
  return {
    mustYield: (view) => sinceMs !== undefined && yielding.has(view) && nowMs >= sinceMs + roomTimeoutMs(view),
    isHeldBack: (pod) =>
      claims()
        .heldBack.get(pod.nodeName)
        ?.some((one) => covers(one, pod)) === true,
    wouldBeHeldBack: (view) => {
      const claimed = claims().all.filter(({ isClaimed }) => isClaimed);
      if (claimed.length === 0) return false;
      return needsOf(view, driver.keys.skipDrain, claimed).some(({ claim, pods }) => pods > Math.max(0, claim.left));
    },
    claim: (view) => needsOf(view, driver.keys.skipDrain, claims().all).forEach(take),
    wakeMs: sinceMs === undefined || yielding.size === 0 ? undefined : sinceMs + roomTimeoutMs(draining[0]),
  };
}

function roomTimeoutMs(view: NodeView | undefined): number {
  const timeoutSeconds = view?.policy?.drain.timeoutSeconds ?? 0;
  return timeoutSeconds === 0 ? ROOM_MS : Math.min(ROOM_MS, timeoutSeconds * 250);
}

/** Start of the first step that evicts pods, in Unix milliseconds, from the annotations of the node. */
function drainStartMs({ node }: NodeView, { keys }: DriverView): number | undefined {
  const starts = [keys.waitStart, keys.podDeletionStart, keys.drainStart]
    .map((key) => Number(node.annotations[key] ?? Number.NaN) * 1000)
    .filter(Number.isFinite);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** The creation time of the oldest unschedulable pod that was created since the drains began. */
function unschedulableSinceMs(active: readonly NodeView[], driver: DriverView, { pods }: Snapshot): number | undefined {
  const starts = active.flatMap((view) => drainStartMs(view, driver) ?? []);
  if (starts.length === 0) return undefined;
  const firstMs = Math.min(...starts);
  let sinceMs: number | undefined;
  for (const { unschedulable, createdMs } of pods.onNode('').all)
    if (unschedulable && createdMs >= firstMs && createdMs < (sinceMs ?? Infinity)) sinceMs = createdMs;
  return sinceMs;
}

// --- Budgets ----------------------------------------------------------------------------------------------------------

interface BudgetClaim {
  readonly namespace: string;
  readonly selector: Selector;
  /** The evictions that it still allows after those of the nodes before. */
  left: number;
  isClaimed: boolean;
}

function covers({ namespace, selector }: BudgetClaim, pod: SnapshotPod): boolean {
  return namespace === pod.namespace && matchesSelector(selector, pod.labels);
}

/** The number of pods of one node that count for a budget. */
interface Need {
  readonly claim: BudgetClaim;
  readonly pods: number;
}

function take({ claim, pods }: Need): void {
  if (pods === 0) return;
  claim.left -= pods;
  claim.isClaimed = true;
}

interface BudgetClaims {
  /** After the evictions of all drained nodes. */
  readonly all: readonly BudgetClaim[];
  /** By node, the budgets that do not allow its evictions after those of the nodes before it. */
  readonly heldBack: ReadonlyMap<string, readonly BudgetClaim[]>;
}

function claimBudgets(
  inOrder: readonly NodeView[],
  { keys }: DriverView,
  budgets: readonly SnapshotBudget[],
): BudgetClaims {
  const claims = budgets.flatMap(({ namespace, selector, disruptionsAllowed }): BudgetClaim[] =>
    selector === undefined
      ? []
      : [{ namespace, selector: fromStructured(selector), left: disruptionsAllowed, isClaimed: false }],
  );
  const held = new Map<string, readonly BudgetClaim[]>();
  for (const view of inOrder) {
    const spent = claims.filter(({ isClaimed, left }) => isClaimed && left <= 0);
    const open = claims.filter((claim) => !spent.includes(claim));
    const needs = open.length === 0 ? [] : needsOf(view, keys.skipDrain, open);
    const short = needs.filter(({ claim, pods }) => claim.isClaimed && pods > claim.left).map(({ claim }) => claim);
    for (const need of needs) if (!short.includes(need.claim)) take(need);
    if (spent.length + short.length > 0) held.set(view.node.name, [...spent, ...short]);
  }
  return { all: claims, heldBack: held };
}

/** The number of evictions of the node that count for each budget. */
function needsOf({ pods, policy }: NodeView, skipLabel: string, claims: readonly BudgetClaim[]): readonly Need[] {
  const selector = selectorOf(policy?.drain.podSelector ?? '');
  const leaving = pods.all.filter(
    (pod) =>
      pod.deletionMs === undefined &&
      pod.phase === 'Running' &&
      pod.controller?.kind !== 'DaemonSet' &&
      pod.labels[skipLabel] !== 'true' &&
      matchesSelector(selector, pod.labels),
  );
  return claims.map((claim) => ({ claim, pods: leaving.filter((pod) => covers(claim, pod)).length }));
}
