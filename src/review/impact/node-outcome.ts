import type { driverPlacement, NoDriver } from '../../shared/contract/driver-placement.js';
import { nodePolicy } from '../../shared/contract/node-policy.js';
import type { UninstallOf } from '../../shared/contract/uninstall.js';
import {
  nodeUpgradePolicies,
  type DriverPolicyOf,
  type NodeUpgradePolicy,
} from '../../shared/contract/upgrade-policy.js';
import type { PlacementNode } from '../../shared/kubernetes/selection/node-placement.js';
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
 * drain. `other-namespace`: the companion knows only the drivers of the new namespace. `held`: other nodes of the same retired
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
  | 'held'
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
}

/** The new side as the cluster and its companion see it. */
export interface NewSide {
  /** By `<namespace>/<name>`. */
  readonly sets: ReadonlyMap<string, DriverSet>;
  readonly placement: ReturnType<typeof driverPlacement<DriverSet>>;
  /** What an uninstall of the companion's policy asks for. */
  readonly uninstalls: UninstallOf;
  /** The policy of the companion for the driver; absent if the output has no companion or its policy has no driver. */
  readonly policy?: DriverPolicyOf<'ofed'>;
  readonly isPaused: boolean;
  readonly hasCompanion: boolean;
  /** DaemonSets whose policy has `autoUpgrade`, which counts where the output has no companion. */
  readonly isAutomatic: (daemonSet: DriverSet) => boolean;
  readonly isClusterGone: boolean;
  /** The init container of every driver asks for a safe load: `safeLoad` of the policy whose ConfigMap all of them read. */
  readonly isLoadedSafely: boolean;
}

/**
 * What happens to a node that has the driver pod of `before`; `undefined` if it keeps the driver that the new output installs, or has
 * none and gets none.
 */
export function nodeOutcome(
  node: PlacementNode,
  before: DriverSet | undefined,
  next: NewSide,
): NodeOutcome | undefined {
  const { daemonSet: target, reason } = next.placement(node, before ? [before.name] : []);
  if (before === undefined) return target && loaded({ after: target, step: 'installed', end: 'new' }, target, next);
  const same = next.sets.get(before.id);
  const runsOn = same === undefined ? before.isKept || next.isClusterGone : same.keepsPodOn(node);
  const misfit = reason && { misfit: reason };
  if (!runsOn) {
    return target
      ? loaded({ before, after: target, step: 'at-once', end: 'new' }, target, next)
      : { before, step: 'at-once', end: 'none', reason: 'no-driver', ...misfit };
  }
  if (same !== undefined && same.digest === before.digest) return undefined;
  if (same !== undefined && !same.isOnDelete) return { before, after: same, step: 'at-once', end: 'new' };
  const uninstall = target === undefined && !next.isClusterGone ? next.uninstalls(node) : undefined;
  const outcome = upgraded(before, target, uninstall, next);
  return outcome.reason === 'no-driver' ? { ...outcome, ...misfit } : outcome;
}

/** The outcome for a node on which a driver pod starts by itself, which waits for the companion if it is to be loaded safely. */
function loaded(outcome: NodeOutcome, target: DriverSet, { policy, isPaused, isLoadedSafely }: NewSide): NodeOutcome {
  const settings = policy && settingsFor(policy, outcome.before, target, undefined);
  if (!isLoadedSafely || settings?.autoUpgrade !== true) return outcome;
  if (isPaused) {
    const { before, step } = outcome;
    return before === undefined ? outcome : { before, step, end: 'none', reason: 'paused' };
  }
  return settings.drain.enable ? { ...outcome, isDrainedToLoad: true, ...evictedBy(settings) } : outcome;
}

function evictedBy({ drain: { podSelector } }: NodeUpgradePolicy): Pick<NodeOutcome, 'podSelector'> {
  return podSelector === '' ? {} : { podSelector };
}

/** A node whose driver pod is not the one that the new output installs. */
function upgraded(
  before: DriverSet,
  target: DriverSet | undefined,
  uninstall: ReturnType<UninstallOf>,
  next: NewSide,
): NodeOutcome {
  const kept = (reason: OutcomeReason): NodeOutcome => ({ before, after: before, step: 'kept', end: 'old', reason });
  const { policy } = next;
  if (next.isClusterGone) return kept('cluster-gone');
  if (target === undefined && uninstall === undefined) return kept('no-driver');
  if (!next.hasCompanion || policy === undefined) {
    return kept(target === undefined || next.isAutomatic(target) ? 'no-companion' : 'auto-upgrade-off');
  }
  if (policy.namespace !== before.namespace) return kept('other-namespace');
  const settings = settingsFor(policy, before, target, uninstall?.policy);
  if (settings === undefined || (!settings.autoUpgrade && uninstall === undefined)) return kept('auto-upgrade-off');
  if (next.isPaused) return kept('paused');
  const step = settings.drain.enable ? 'drained' : 'undrained';
  const evicted = step === 'drained' ? evictedBy(settings) : {};
  if (target === undefined) return { before, step, end: 'none', reason: 'uninstall', ...evicted };
  return { before, after: target, step, end: 'new', ...(step === 'undrained' && { reason: 'drain-off' }), ...evicted };
}

/** The policy by which the companion upgrades a node. */
function settingsFor(
  driver: DriverPolicyOf<'ofed'>,
  before: DriverSet | undefined,
  target: DriverSet | undefined,
  uninstalling: string | undefined,
): NodeUpgradePolicy | undefined {
  return nodePolicy(nodeUpgradePolicies(driver), {
    uninstalling,
    covering: target?.name,
    running: before?.name,
    isOwner: (name) => name === before?.owner,
  });
}
