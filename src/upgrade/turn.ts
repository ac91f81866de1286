import type { BudgetsOf } from './blockers.js';
import type { Fleet } from './fleet.js';
import { drainVerdict, nameOf, type DrainOptions } from './drain-filters.js';
import type { Action, Blocker, ForeignDaemonSet, NodeState, Snapshot, SnapshotPod, Step, WaitKind } from './types.js';
import type { DriverWorld, NodeWorld, PodsOfNode } from './world.js';
import { selectorOf } from '../lib/label-selector.js';
import type { NodeUpgradePolicy } from '../contract/upgrade-policy.js';

/** Why a node does not go on. */
export interface Hold {
  readonly kind: WaitKind;
  readonly message: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** When to look again, where that is before `untilMs`. */
  readonly wakeMs?: number;
  readonly blockers?: readonly Blocker[];
}

/** What one decision shares between the turns of all nodes of a driver. */
export interface TurnContext {
  readonly world: DriverWorld;
  readonly snapshot: Snapshot;
  readonly nowMs: number;
  readonly daemonSet: DrainOptions['daemonSet'];
  readonly podsOfNode: PodsOfNode;
  readonly budgetsOf: BudgetsOf;
}

/** The working copy of one node while its rows are taken: what the snapshot says, and what the one patch will change. */
export interface Turn extends TurnContext {
  readonly view: NodeWorld;
  readonly policy: NodeUpgradePolicy;
  /** It counts, but no row is looked at: its policy is off, or somebody else's flow has it. */
  readonly frozen: boolean;
  /** All nodes together; absent while they are looked at one by one, and then no node begins. */
  fleet: Fleet | undefined;
  state: NodeState;
  readonly labels: Record<string, string | null>;
  readonly annotations: Record<string, string | null>;
  unschedulable: boolean | undefined;
  readonly steps: Step[];
  readonly actions: Action[];
  readonly questions: ForeignDaemonSet[];
  readonly warnings: string[];
  hold: Hold | undefined;
  pods: readonly SnapshotPod[] | undefined;
  drain: DrainView | undefined;
  holders: DrainView | undefined;
}

export function newTurn(context: TurnContext, view: NodeWorld, policy: NodeUpgradePolicy, frozen: boolean): Turn {
  // Written out, with what is not known yet: a spread costs several times as much, properties that come later make every
  // turn another shape for the compiler, and this runs for every node.
  return {
    world: context.world,
    snapshot: context.snapshot,
    nowMs: context.nowMs,
    daemonSet: context.daemonSet,
    podsOfNode: context.podsOfNode,
    budgetsOf: context.budgetsOf,
    view,
    policy,
    frozen,
    fleet: undefined,
    state: view.state as NodeState,
    labels: {},
    annotations: {},
    unschedulable: undefined,
    steps: [],
    actions: [],
    questions: [],
    warnings: [],
    hold: undefined,
    pods: undefined,
    drain: undefined,
    holders: undefined,
  };
}

/** All pods that are bound to the node. */
export function podsOf(turn: Turn): readonly SnapshotPod[] {
  turn.pods ??= turn.podsOfNode(turn.view.node.name);
  return turn.pods;
}

/** An annotation of the node as the patch leaves it. */
export function annotation(turn: Turn, key: string): string | undefined {
  const patched = turn.annotations[key];
  if (patched !== undefined) return patched ?? undefined;
  return turn.view.node.annotations[key];
}

export function isUnschedulable(turn: Turn): boolean {
  return turn.unschedulable ?? turn.view.node.unschedulable;
}

/** A start time further ahead than clocks differ was written before the clock was set back: it is taken for missing. */
const CLOCK_SKEW_MS = 300_000;

/** A start time in an annotation, Unix seconds as upstream writes them; undefined where it is missing or no time. */
export function startMs(turn: Turn, key: string): number | undefined {
  const text = annotation(turn, key);
  if (text === undefined || !/^\d{1,12}(\.\d{1,3})?$/.test(text)) return undefined;
  const start = Number(text) * 1000;
  return start > turn.nowMs + CLOCK_SKEW_MS ? undefined : start;
}

/** Whether more than the time allowed has passed since the start; never with 0, which allows any. */
export function isOver(turn: Turn, start: number | undefined, timeoutSeconds: number): boolean {
  return timeoutSeconds > 0 && start !== undefined && turn.nowMs > start + timeoutSeconds * 1000;
}

/** The deadline as a part of a Hold; nothing where there is none. */
export function until(start: number | undefined, timeoutSeconds: number): { untilMs?: number } {
  return timeoutSeconds > 0 && start !== undefined ? { untilMs: start + timeoutSeconds * 1000 + 1 } : {};
}

/** The scheduler and the pod watch may be behind the cordon by this much. */
const SETTLE_MS = 1000;

/**
 * When "there is no such pod" may be believed: the snapshot shows the cordon, and it is a moment old, so that a pod that was
 * bound just before it is in the snapshot as well. True, or the time from which on it holds.
 */
export function settled(turn: Turn, start: number | undefined): true | number {
  if (!turn.view.node.unschedulable || start === undefined) return turn.nowMs + SETTLE_MS;
  // Upstream's annotations have whole seconds, so the cordon may be younger than they say by one.
  const settledMs = start + SETTLE_MS + (start % 1000 === 0 ? 1000 : 0);
  return turn.nowMs >= settledMs ? true : settledMs;
}

/** What a drain, or the deletion of resource holders, finds on a node. */
export interface DrainView {
  /** Pods that have to go, those that are ending already included. */
  readonly leaving: readonly SnapshotPod[];
  readonly warningOf: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  /** Why nothing may be touched. */
  readonly refusals: readonly string[];
  readonly questions: readonly ForeignDaemonSet[];
}

/** What the node's drain finds; looked at once per turn. */
export function drainView(turn: Turn): DrainView {
  const { force, deleteEmptyDir, podSelector } = turn.policy.drain;
  turn.drain ??= lookAt(turn, {
    ...commonOptions(turn, startMs(turn, turn.world.keys.drainStart)),
    force,
    deleteEmptyDir,
    selector: selectorOf(podSelector),
  });
  return turn.drain;
}

/** What the deletion of pods that hold the driver's resources finds. DaemonSet pods count: they hold what they hold. */
export function holdersView(turn: Turn): DrainView {
  const { force, deleteEmptyDir } = turn.policy.podDeletion;
  const prefixes = turn.world.policy.resourcePrefixes;
  turn.holders ??= lookAt(turn, {
    ...commonOptions(turn, startMs(turn, turn.world.keys.podDeletionStart)),
    force,
    deleteEmptyDir,
    selector: [],
    holdsResource: (pod) => pod.resourceNames.some((name) => prefixes.some((prefix) => name.startsWith(prefix))),
  });
  return turn.holders;
}

function commonOptions(turn: Turn, start: number | undefined) {
  const ours = new Set([...turn.view.gatedPods, ...turn.view.driverPods.map(({ pod }) => pod)]);
  return {
    skipLabel: turn.world.keys.skipDrain,
    isOurs: (pod: SnapshotPod) => ours.has(pod),
    unreachable: turn.view.node.ready === 'Unknown',
    daemonSet: turn.daemonSet,
    nowMs: turn.nowMs,
    ...(start === undefined ? {} : { startMs: start }),
  };
}

function lookAt(turn: Turn, options: DrainOptions): DrainView {
  const view = {
    leaving: [] as SnapshotPod[],
    warningOf: new Map<string, string>(),
    warnings: [] as string[],
    refusals: [] as string[],
    questions: [] as ForeignDaemonSet[],
  };
  for (const pod of podsOf(turn)) {
    const verdict = drainVerdict(pod, options);
    switch (verdict.kind) {
      case 'evict':
        view.leaving.push(pod);
        if (verdict.warning !== undefined) view.warningOf.set(pod.uid, verdict.warning);
        break;
      case 'leave':
        if (verdict.warning !== undefined) view.warnings.push(verdict.warning);
        // Upstream counts what it may delete and what holds the resource, and goes on only when the numbers are equal
        // (`pkg/upgrade/pod_manager.go`): a holder that stays keeps the driver busy.
        if (options.holdsResource !== undefined && verdict.stays === true) {
          view.refusals.push(`pod ${nameOf(pod)} holds the resource and stays: ${verdict.reason}`);
        }
        break;
      case 'refuse':
        view.refusals.push(verdict.reason);
        break;
      case 'ask':
        view.questions.push({ namespace: verdict.namespace, name: verdict.name });
        break;
    }
  }
  return view;
}
