import { cordonMark } from '../../kit/records.js';
import { durationMs } from '../../../src/shared/contract/duration.js';
import { ANY_STATE_LABEL, driverKeys, REVISION_LABEL, type DriverKeys } from '../../../src/shared/contract/labels.js';
import type { Rollout } from '../../../src/shared/contract/upgrade-settings.js';
import { nodeUpgradePolicies, type DriverPolicy } from '../../../src/shared/contract/upgrade-policy.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type {
  Decision,
  PatchNode,
  SnapshotNode,
  SnapshotPod,
  SnapshotRevision,
} from '../../../src/companion/model/types.js';
import { rolloutName } from '../../../src/companion/participants/driver/driver-view.js';
import { hasDriver, hasLost } from './invariants-limits.js';
import { fieldsOf, hasAll, IN_PROGRESS, isInMaintenanceFor, setsOf, Violation } from './rules.js';

/** The DaemonSet that puts the driver on a node, unless the node has a taint: its nodes have canaries of their own. */
export function daemonSetOf({ daemonSets }: Snapshot, driver: DriverPolicy, node: SnapshotNode): string {
  if (driver.kind === 'sriov') return '';
  const own = nodeUpgradePolicies(driver).flatMap((policy) => setsOf(daemonSets, driver, policy));
  return own.find(({ nodeSelector }) => hasAll(node, nodeSelector))?.name ?? '';
}

/**
 * No node other than the canaries begins before they are done and have soaked. A node with the companion's cordon or in its maintenance, which an
 * administrator labelled for a retry, is already unavailable and may begin.
 *
 * @param snapshot with the nodes of a DaemonSet that the canaries are for
 * @param all those of other DaemonSets, too
 */
export function checkCanaries(
  snapshot: Snapshot,
  all: readonly SnapshotNode[],
  { canary }: Pick<Rollout, 'canary'>,
  driver: DriverPolicy,
  decision: Decision,
  nowMs: number,
): void {
  if (canary === undefined || fieldsOf(driver).uninstall) return;
  const keys = driverKeys(driver.labelPrefix);
  const isSelected = driver.kind !== 'ofed';
  const sets = nodeUpgradePolicies(driver).flatMap((policy) =>
    isSelected ? setsOf(snapshot.daemonSets, driver, policy) : policy.daemonSets,
  );
  const desiredSets: readonly (readonly [string, string])[] =
    driver.kind === 'sriov' ? [['', driver.change]] : sets.map(({ name, digest }) => [name, digest]);
  const isSriov = driver.kind === 'sriov';
  const rollout = rolloutName(new Map(desiredSets));
  const isOut = (node: SnapshotNode): boolean =>
    (node.unschedulable && cordonMark(node.annotations, driver.labelPrefix) !== undefined) ||
    isInMaintenanceFor(snapshot, driver, node);
  const fresh = snapshot.nodes.filter((node) => !isOut(node));
  const patchFor = ({ name }: SnapshotNode): PatchNode | undefined =>
    decision.actions.find((one) => one.kind === 'patchNode' && one.node === name) as PatchNode | undefined;
  const stateAfter = (node: SnapshotNode): string =>
    patchFor(node)?.labels[keys.state] ?? node.labels[keys.state] ?? '';
  const beginning = fresh
    .filter(({ labels }) => !IN_PROGRESS.has(labels[keys.state] ?? ''))
    .filter((node) => BEGUN.has(stateAfter(node)) && !isRepaired(patchFor(node)) && !(isSriov && isBusy(node)));
  const { nodeSelector, nodes: desired = 1, soak } = canary;
  /** When the soak of a canary begins. A record ahead of the clock was written before the clock was set back. */
  const proofMs = (node: SnapshotNode): number | undefined => {
    const recorded = doneMs(node, keys, rollout);
    if (recorded !== undefined && recorded <= nowMs + LONGEST_AHEAD_MS) return recorded;
    // No change asks for a drain of it, and it has its virtual functions.
    if (isSriov && snapshot.sriovNodeStates?.get(node.name)?.syncStatus === 'Succeeded') return 0;
    if (recorded === undefined) return undefined;
    // A config daemon has no pod that says since when it is done.
    return isSriov ? nowMs : readyMs(snapshot, driver, node);
  };
  const upgraded = nodeUpgradePolicies(driver).filter(({ autoUpgrade }) => autoUpgrade);
  const daemonSets = upgraded.flatMap((policy) => setsOf(snapshot.daemonSets, driver, policy));
  const isOf = (node: SnapshotNode): boolean =>
    isSriov ? snapshot.sriovNodeStates?.get(node.name)?.isExternal === true : isCovered(node, daemonSets);
  if (nodeSelector === undefined) {
    // As the snapshot has them: one that is due again counts until its label says so.
    const others = snapshot.nodes.filter(({ labels }) => labels[keys.skip] !== 'true');
    const done = others.filter((node) => node.labels[keys.state] === 'upgrade-done' && proofMs(node) !== undefined);
    const busy = others.filter((node) => IN_PROGRESS.has(node.labels[keys.state] ?? '') && isOf(node));
    const soaked = done.filter((node) => nowMs >= (proofMs(node) ?? Infinity) + durationMs(soak)).length;
    // A canary that is done or in progress remains one. After all have soaked, every node may begin.
    const canaries = new Set([...done, ...busy, ...beginning]);
    if (soaked >= desired || canaries.size <= desired || beginning.length === 0) return;
    throw new Violation(
      'canaries go first',
      `${names(beginning)} of ${desired}, ${done.length} done, ${busy.length} busy`,
    );
  }
  const early = beginning.filter((node) => !hasAll(node, nodeSelector));
  const selected = snapshot.nodes.filter((node) => hasAll(node, nodeSelector));
  if (early.length === 0 || areGone(snapshot, driver, selected)) return;
  // A node whose cordon the API server has refused five times is no canary that the others wait for.
  const isRefused = ({ name }: SnapshotNode): boolean => (snapshot.refusedPatches?.get(name)?.failures ?? 0) >= 5;
  // One that is done stays a canary, whatever keeps the next driver pod from it.
  const isAble = (node: SnapshotNode): boolean => isOf(node) || doneMs(node, keys, rollout) !== undefined;
  const isChosen = (node: SnapshotNode): boolean =>
    hasAll(node, nodeSelector) && node.labels[keys.skip] !== 'true' && isAble(node) && !isRefused(node);
  const chosen = snapshot.nodes.some(isChosen) ? snapshot.nodes.filter(isChosen) : all.filter(isChosen);
  const late = chosen.filter((node) => node.labels[keys.state] !== 'upgrade-done');
  const young = chosen.filter((node) => nowMs < (proofMs(node) ?? 0) + durationMs(soak));
  if (late.length + young.length > 0)
    throw new Violation('canaries go first', `${names(early)}, before ${names([...late, ...young])}`);
}

/** It goes back to the maintenance that failed. */
function isRepaired(patch: PatchNode | undefined): boolean {
  return patch?.steps.some(({ row }) => row === 'repaired') === true;
}

/** It is in maintenance, whoever cordoned it: virtual functions take part at once. */
function isBusy({ labels }: SnapshotNode): boolean {
  return Object.entries(labels).some(([key, state]) => ANY_STATE_LABEL.test(key) && IN_PROGRESS.has(state));
}

/** The driver that is uninstalled is gone from all canaries: they have nothing left to prove. */
function areGone(snapshot: Snapshot, driver: DriverPolicy, canaries: readonly SnapshotNode[]): boolean {
  return canaries.length > 0 && canaries.every((node) => hasLost(driver, node) && !hasDriver(snapshot, driver, node));
}

/** A DaemonSet puts another driver pod on the node. If none does, its driver stays as it is, and it is no canary. */
function isCovered(node: SnapshotNode, daemonSets: Snapshot['daemonSets']): boolean {
  const repels = node.taints.some(({ key, effect }) => !key.startsWith(NODE_TAINTS) && effect !== 'PreferNoSchedule');
  return daemonSets.some(
    // Those of the simulation tolerate all taints or none.
    ({ nodeSelector, tolerations }) => hasAll(node, nodeSelector) && (!repels || tolerations.length > 0),
  );
}

/** Kubernetes gives DaemonSets tolerations of these. */
const NODE_TAINTS = 'node.kubernetes.io/';

/** From rest to one of these: only what is left of a cordon or a maintenance ends. */
const RETURNING: ReadonlySet<string> = new Set(['uncordon-required', 'post-maintenance-required']);
const BEGUN: ReadonlySet<string> = new Set([...IN_PROGRESS].filter((state) => !RETURNING.has(state)));

const names = (nodes: readonly SnapshotNode[]): string => nodes.map(({ name }) => name).join(', ');

/** Synchronized clocks differ by less. */
const LONGEST_AHEAD_MS = 5 * 60_000;

/** Since when the driver of the node, which is the one that its DaemonSet installs, is ready. */
function readyMs(snapshot: Snapshot, driver: DriverPolicy, { name }: SnapshotNode): number | undefined {
  const { podSelector } = fieldsOf(driver);
  const isInSync = ({ controller, labels }: SnapshotPod): boolean => {
    const set = snapshot.daemonSets.find(({ uid }) => uid === controller?.uid);
    const isOwn = ({ ownerUid, hash }: SnapshotRevision): boolean =>
      ownerUid === set?.uid && hash === labels[REVISION_LABEL];
    return snapshot.revisions.some((revision) => isOwn(revision) && revision.digest === set?.digest);
  };
  const pods = snapshot.pods.onNode(name).filter((pod) => podSelector in pod.labels && pod.deletionMs === undefined);
  return pods.find((pod) => pod.ready && isInSync(pod))?.readyChangedMs;
}

/** When an upgrade of the node ended that belongs to this rollout. */
function doneMs({ labels, annotations }: SnapshotNode, keys: DriverKeys, rollout: string): number | undefined {
  const [of, seconds] = (annotations[keys.done] ?? '').split(' ');
  return labels[keys.state] === 'upgrade-done' && of === rollout ? Number(seconds) * 1000 : undefined;
}
