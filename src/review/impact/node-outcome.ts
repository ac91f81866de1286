import type { driverPlacement, NoDriver } from '../../shared/contract/driver-placement.js';
import type { DriverPolicyOf, NodeUpgradePolicy, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { PlacementNode } from '../../shared/kubernetes/selection/node-placement.js';
import { companionSays, type Answer } from './companion-says.js';
import type { DriverSet } from './driver-sets.js';

/**
 * What becomes of the driver pod of a node.
 * `at-once`: it is deleted when the change is applied, without a drain. `drained`: the companion drains the node first.
 * `undrained`: the companion deletes it without a drain. `installed`: the node has none, and gets one. `kept`: it stays.
 */
export type NodeStep = 'at-once' | 'undrained' | 'drained' | 'installed' | 'kept';

/**
 * The driver of a node at the end. `new`: the one that the new output installs there. `old`: one that nothing upgrades.
 * `none`: the node has no driver.
 */
export type NodeEnd = 'new' | 'old' | 'none';

/**
 * Why a node keeps an old driver, has none, or is not drained.
 * `no-driver`: no DaemonSet of the new output is for the node. `auto-upgrade-off`, `paused`: its policy upgrades nothing, or the
 * companion is paused. `no-companion`: the output has none. `uninstall`: the driver is uninstalled. `drain-off`: its policy does not
 * drain. `other-namespace`: the companion knows only the drivers of the new namespace. `daemon-set-kept`: other nodes of the same retired
 * DaemonSet have a policy that upgrades nothing. `cluster-gone`: the whole cluster leaves the output.
 */
export type OutcomeReason =
  | 'no-driver'
  | 'auto-upgrade-off'
  | 'paused'
  | 'no-companion'
  | 'uninstall'
  | 'drain-off'
  | 'other-namespace'
  | 'daemon-set-kept'
  | 'cluster-gone';

export interface NodeOutcome {
  readonly before?: DriverSet;
  /** The DaemonSet whose pod the node has at the end. */
  readonly after?: DriverSet;
  readonly step: NodeStep;
  readonly end: NodeEnd;
  readonly reason?: OutcomeReason;
  /** For `no-driver`: what the node has that no DaemonSet is for. */
  readonly misfit?: NoDriver;
  /** The companion drains the node before a driver that has just been installed there is loaded: `safeLoad`. */
  readonly isDrainedToLoad?: true;
  /** Where the node is drained: only pods that this label selector matches are evicted. Absent: all. */
  readonly podSelector?: string;
  /** Its DaemonSet stays if there are nodes of the pool that get no new driver, and then the companion does not begin. */
  readonly mayKeepDaemonSet?: true;
}

/** The new side as the cluster and its companion see it. */
export interface NewSide {
  /** By `<namespace>/<name>`. */
  readonly sets: ReadonlyMap<string, DriverSet>;
  readonly placement: ReturnType<typeof driverPlacement<DriverSet>>;
  /** What the companion is told of the driver; absent if the output has no companion or its policy has no driver. */
  readonly companion?: { readonly document: UpgradePolicy; readonly policy: DriverPolicyOf<'ofed'> };
  /** DaemonSets whose policy has `autoUpgrade`, which counts where the output has no companion. */
  readonly isAutomatic: (daemonSet: DriverSet) => boolean;
  readonly isClusterGone: boolean;
  /** The init container of every driver asks for a safe load: `safeLoad` of the policy whose ConfigMap all of them read. */
  readonly isLoadedSafely: boolean;
}

/** A node, and the DaemonSet whose driver pod it has before the change. */
interface NodeBefore {
  readonly node: PlacementNode;
  readonly before: DriverSet | undefined;
  /** Whether there may be no such node. */
  readonly isSupposed: boolean;
}

/** What happens to a node when the new output is applied, without the companion. `pod`: the DaemonSet whose pod it has then. */
interface Applied {
  readonly node: PlacementNode;
  readonly before?: DriverSet;
  readonly target?: DriverSet;
  readonly pod?: DriverSet;
  readonly isNewPod: boolean;
  readonly isSupposed: boolean;
  readonly misfit?: NoDriver;
}

/**
 * What happens to each of these nodes, in their order; `undefined` for one that keeps the driver that the new output installs, or has none and gets
 * none. Nodes that are only supposed to be there change nothing for the others but `mayKeepDaemonSet`.
 */
export function nodeOutcomes(nodes: readonly NodeBefore[], next: NewSide): readonly (NodeOutcome | undefined)[] {
  const all = nodes.map((one) => appliedTo(one, next));
  const changed = all.flatMap((one) => one ?? []);
  const certain = changed.filter(({ isSupposed }) => !isSupposed);
  const saidOfAll = answersFor(changed, next);
  const saidOfCertain = certain.length < changed.length ? answersFor(certain, next) : saidOfAll;
  return all.map((one) => {
    if (one === undefined) return undefined;
    const [said, ofAll] = [saidOfCertain.get(one) ?? saidOfAll.get(one), saidOfAll.get(one)];
    const outcome = outcomeOf(one, said, next);
    const isMoved = outcome.step === 'drained' || outcome.step === 'undrained';
    return isMoved && ofAll?.isDaemonSetKept && !said?.isDaemonSetKept
      ? { ...outcome, mayKeepDaemonSet: true }
      : outcome;
  });
}

/** Undefined: nothing changes on the node, now or later. */
function appliedTo({ node, before, isSupposed }: NodeBefore, next: NewSide): Applied | undefined {
  const { daemonSet: target, reason: misfit } = next.placement(node, before ? [before.name] : []);
  const known = { node, isSupposed, ...(before && { before }), ...(target && { target }), ...(misfit && { misfit }) };
  const fresh = { ...known, ...(target && { pod: target }), isNewPod: true };
  if (before === undefined) return target && fresh;
  const same = next.sets.get(before.id);
  const runsOn = same === undefined ? before.isKept || next.isClusterGone : same.keepsPodOn(node);
  if (!runsOn) return fresh;
  if (same !== undefined && same.digest === before.digest) return undefined;
  if (same !== undefined && !same.isOnDelete) return { ...known, target: same, pod: same, isNewPod: true };
  return { ...known, pod: before, isNewPod: false };
}

/** What the companion of the new output says of these nodes, where it has one and they have a driver pod. */
function answersFor(
  applied: readonly Applied[],
  { companion, sets, isLoadedSafely }: NewSide,
): ReadonlyMap<Applied, Answer | undefined> {
  const asked = applied.flatMap((one) => {
    const { node, pod, isNewPod } = one;
    return pod === undefined ? [] : [{ one, node, pod, waitsForLoad: isNewPod && isLoadedSafely }];
  });
  if (companion === undefined) return new Map();
  const answers = companionSays({ ...companion, sets }, asked);
  return new Map(asked.map(({ one }, at) => [one, answers[at]]));
}

function outcomeOf(applied: Applied, said: Answer | undefined, next: NewSide): NodeOutcome {
  const { before, target, pod, isNewPod, misfit } = applied;
  const had = before && { before };
  if (isNewPod) {
    const step = before === undefined ? 'installed' : 'at-once';
    if (pod === undefined) return { ...had, step, end: 'none', reason: 'no-driver', ...(misfit && { misfit }) };
    return loaded({ ...had, after: pod, step, end: 'new' }, said, next);
  }
  const kept = (reason: OutcomeReason): NodeOutcome => {
    const misfits = reason === 'no-driver' && misfit ? { misfit } : {};
    return { ...had, ...(before && { after: before }), step: 'kept', end: 'old', reason, ...misfits };
  };
  if (next.isClusterGone) return kept('cluster-gone');
  const { companion } = next;
  const isUninstalled = target === undefined && said?.isUninstalled === true;
  if (target === undefined && !isUninstalled) return kept('no-driver');
  if (companion === undefined)
    return kept(target === undefined || next.isAutomatic(target) ? 'no-companion' : 'auto-upgrade-off');
  if (said === undefined) return kept('other-namespace');
  if (said.isOff) return kept('auto-upgrade-off');
  if (companion.document.paused) return kept('paused');
  if (said.isDaemonSetKept) return kept('daemon-set-kept');
  const step = said.policy?.drain.enable === true ? 'drained' : 'undrained';
  const evicted = step === 'drained' ? evictedBy(said.policy) : {};
  if (target === undefined) return { ...had, step, end: 'none', reason: 'uninstall', ...evicted };
  return { ...had, after: target, step, end: 'new', ...(step === 'undrained' && { reason: 'drain-off' }), ...evicted };
}

/** The outcome for a node on which a driver pod starts by itself, which waits for the companion if it is to be loaded safely. */
function loaded(outcome: NodeOutcome, said: Answer | undefined, { companion, isLoadedSafely }: NewSide): NodeOutcome {
  if (!isLoadedSafely || said === undefined || said.isOff) return outcome;
  if (companion?.document.paused === true) {
    const { before, step } = outcome;
    return before === undefined ? outcome : { before, step, end: 'none', reason: 'paused' };
  }
  return said.policy?.drain.enable === true
    ? { ...outcome, isDrainedToLoad: true, ...evictedBy(said.policy) }
    : outcome;
}

function evictedBy(policy: NodeUpgradePolicy | undefined): Pick<NodeOutcome, 'podSelector'> {
  const podSelector = policy?.drain.podSelector ?? '';
  return podSelector === '' ? {} : { podSelector };
}
