import { fromStructured, matchesSelector, selectorOf, type Selector } from '../../kubernetes/label-selector.js';
import { DRAINING } from '../model/node-states.js';
import type { Snapshot } from '../model/snapshot.js';
import type { SnapshotBudget, SnapshotPod } from '../model/types.js';
import type { DriverView, NodeView } from '../view/driver-view.js';
import { nodeHasPodsToMove } from './pods-to-move.js';

/**
 * Which of the nodes that are drained at the same time goes first. Several drains that share a budget, or the room for evicted
 * pods, could otherwise each empty a part of their node and wait for each other for ever.
 */
export interface DrainOrder {
  /**
   * Evicted pods have found no room for a while, and another node goes first: the node is to be given back. What one node at a
   * time can do is then always done: the first node keeps all room that there is.
   */
  readonly mustYield: (view: NodeView) => boolean;
  /** A budget of the pod does not allow for all pods of its node beside those of the nodes before it. */
  readonly isHeldBack: (pod: SnapshotPod) => boolean;
  /** The same budget would hold back pods of this node, which is not drained yet. */
  readonly wouldBeHeldBack: (view: NodeView) => boolean;
  /** This decision begins to drain the node, so its pods need their budgets before those of nodes that come after it. */
  readonly claim: (view: NodeView) => void;
  /** When nodes have to yield unless pods find room until then; undefined: all pods have room. */
  readonly wakeMs: number | undefined;
}

/** The scheduler and an autoscaler get this long to find room for a pod, or a quarter of a shorter drain time-out. */
const ROOM_MS = 60_000;

const PAST_DRAIN: ReadonlySet<string> = new Set(['pod-restart-required', 'validation-required', 'uncordon-required']);

/**
 * The order of the drains of one driver: the nodes with the fewest pods go first. A node that goes first stays so, because only its
 * pods are evicted where a budget is short. Start times give no order: those of nodes that are held back are renewed.
 */
export function drainOrderOf(driver: DriverView, snapshot: Snapshot, nowMs: number): DrainOrder {
  const active = driver.nodes.filter(
    ({ state, isFrozen }) => !isFrozen && (DRAINING.has(state) || PAST_DRAIN.has(state)),
  );
  const draining = active
    .filter((view) => DRAINING.has(view.state) && nodeHasPodsToMove(view, driver))
    .sort((a, b) => a.pods.all.length - b.pods.all.length || (a.node.name < b.node.name ? -1 : 1));
  // A node whose driver is being restarted gives its room back soon, so all others can wait for it.
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

/** Unix milliseconds at which the first step that empties the node began, as its annotations have it. */
function drainStartMs({ node }: NodeView, { keys }: DriverView): number | undefined {
  const starts = [keys.waitStart, keys.podDeletionStart, keys.drainStart]
    .map((key) => Number(node.annotations[key] ?? Number.NaN) * 1000)
    .filter(Number.isFinite);
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** Since when the oldest of the pods waits that were made since these nodes are drained and for which there is no room. */
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
  /** What it still allows when the nodes before have what they need. */
  left: number;
  isClaimed: boolean;
}

function covers({ namespace, selector }: BudgetClaim, pod: SnapshotPod): boolean {
  return namespace === pod.namespace && matchesSelector(selector, pod.labels);
}

/** How many pods of one node count for a budget. */
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
  /** With what they still allow when all drained nodes have what they need. */
  readonly all: readonly BudgetClaim[];
  /** By node, the budgets that do not allow for all its pods beside those of the nodes before it. */
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

/** How many pods of the node count for each budget when they are evicted. */
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

function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}
