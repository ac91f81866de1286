import type { DriverPolicy, NodeUpgradePolicy, UpgradePolicy } from '../../../src/shared/contract/upgrade-policy.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../../../src/companion/model/types.js';

/** A rule that a run broke. */
export class Violation extends Error {
  constructor(
    readonly rule: string,
    readonly fact: string,
  ) {
    super(`${rule}: ${fact}`);
  }
}

/** From cordon to uncordon. */
export const IN_PROGRESS: ReadonlySet<string> = new Set([
  'cordon-required',
  'wait-for-jobs-required',
  'pod-deletion-required',
  'drain-required',
  'pod-restart-required',
  'validation-required',
  'uncordon-required',
  'node-maintenance-required',
  'post-maintenance-required',
]);
/** States in which pods may be ended. */
export const DRAINING: ReadonlySet<string> = new Set(['pod-deletion-required', 'drain-required']);

/** What drivers that pods install have, for drivers of all kinds. */
export function fieldsOf(driver: DriverPolicy) {
  return { podSelector: 'none', daemonSetSelector: 'none', controllerPodSelector: '', uninstall: false, ...driver };
}

/** The nodes from which each policy of a driver uninstalls it. */
export function uninstallsOf(driver: DriverPolicy) {
  return driver.kind === 'ofed' ? driver.policies.map(({ name, uninstall = [] }) => ({ name, uninstall })) : [];
}

/** The DaemonSets that install a driver for one of its policies. */
export function setsOf<Set extends SnapshotDaemonSet>(
  daemonSets: Iterable<Set>,
  driver: DriverPolicy,
  { daemonSets: listed }: Pick<NodeUpgradePolicy, 'daemonSets'>,
): readonly Set[] {
  const { daemonSetSelector } = fieldsOf(driver);
  const isSelected = ({ namespace, labels }: Set): boolean =>
    namespace === driver.namespace && daemonSetSelector in labels;
  const isListed = ({ name }: Set): boolean => listed.some((one) => one.name === name);
  return [...daemonSets].filter(driver.kind !== 'ofed' ? isSelected : isListed);
}

/** Whether a node has all these labels. */
export const hasAll = (node: SnapshotNode, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).every(([key, value]) => node.labels[key] === value);

/** The Maintenance Operator has taken the node out for this driver. An upgrade that is tried again there begins without a slot, a canary's place or a domain. */
export function isInMaintenanceFor({ nodeMaintenances }: Snapshot, { labelPrefix }: DriverPolicy, one: SnapshotNode) {
  const isAsked = driverKeys(labelPrefix).requestorMode in one.annotations && one.unschedulable;
  return isAsked && [...(nodeMaintenances?.values() ?? [])].some(({ node }) => node === one.name);
}

/** No drain evicts the pod, for whatever driver of the policy. */
export function isKeptInDrains(
  { labels }: Pick<SnapshotPod, 'labels'>,
  { drivers }: Pick<UpgradePolicy, 'drivers'>,
): boolean {
  return drivers.some(({ labelPrefix }) => labels[driverKeys(labelPrefix).skipDrain] === 'true');
}
