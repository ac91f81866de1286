import type { NodeUpgradePolicy } from './upgrade-policy.js';

/** What decides which policy a node belongs to. */
interface NodeDrivers {
  /** The policy that uninstalls the driver of the node. */
  readonly uninstalling: string | undefined;
  /** The DaemonSet that covers the node. */
  readonly daemonSet: string | undefined;
  /** The DaemonSet of the driver pod that the node has. */
  readonly running: string | undefined;
  /** The DaemonSet that would cover the node if it tolerated its taints. */
  readonly repelled?: string | undefined;
  /** Whether a driver pod of the node belongs to a policy, by its label `ds-owner`. */
  readonly isOwner: (policy: string) => boolean;
}

/**
 * The policy by which the companion upgrades a node: that of its uninstall; else the one that lists the DaemonSet that covers it, or that
 * only taints keep away, or that of its pod; else the one that its pod names; else the first that upgrades anything. A taint does not move a
 * node to another policy: its upgrade may be in progress.
 */
export function nodePolicy(
  policies: readonly NodeUpgradePolicy[],
  { uninstalling, daemonSet, running, repelled, isOwner }: NodeDrivers,
): NodeUpgradePolicy | undefined {
  return (
    (uninstalling === undefined ? undefined : policies.find(({ name }) => name === uninstalling)) ??
    listing(policies, daemonSet) ??
    listing(policies, repelled) ??
    listing(policies, running) ??
    policies.find(({ name }) => isOwner(name)) ??
    policies.find(({ autoUpgrade }) => autoUpgrade) ??
    policies[0]
  );
}

/** The policy that lists a DaemonSet. */
function listing(policies: readonly NodeUpgradePolicy[], daemonSet: string | undefined): NodeUpgradePolicy | undefined {
  if (daemonSet === undefined) return undefined;
  return policies.find((one) => one.daemonSets.some(({ name }) => name === daemonSet));
}
