import { driverKeys } from '../../../src/shared/contract/labels.js';
import { covers, hasLabels } from '../../../src/forecast/simulation/api.js';
import type { StoredNode, StoredPod } from '../../../src/forecast/simulation/store.js';
import type { Simulation } from '../simulation.js';
import { CLOSED } from '../scenario/troubles.js';
import { IN_PROGRESS } from './rules.js';
import { labelPrefixOf, type GitDriver } from '../scenario/git.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';

/** Whether something lasts that keeps this node from its upgrade, or may; then nothing is expected of the node until the repair. */
export function isTroubled(
  simulation: Pick<Simulation, 'cluster' | 'git' | 'meddledNodes'>,
  driver: GitDriver,
  node: StoredNode,
): boolean {
  const { cluster, git, meddledNodes } = simulation;
  const isAskedFor = (one: GitDriver): boolean => driverKeys(labelPrefixOf(one)).requestorMode in node.annotations;
  return (
    policyOf(driver, node) === undefined ||
    isOff(driver, node) ||
    // The companion leaves a node as it is while the policy of one that takes part is off.
    git.drivers.some((one) => isOff(one, node) && takesPart(one, node)) ||
    // Another program has the node, for whichever driver.
    (cluster.maintenanceOperator === undefined && git.drivers.some(isAskedFor)) ||
    isCordonLeft(cluster, node) ||
    isKeptByRequestor(cluster, node) ||
    isUncordonedByOperator(cluster, node) ||
    node.taints.length > 0 ||
    meddledNodes.has(node.name) ||
    (driver.management === 'operator' && isLeftByOperator(cluster, driver, node)) ||
    [...cluster.webhooks].some((webhook) => webhook.node === node.name) ||
    // All that is due on a node waits for the pods of each.
    [...cluster.store.pods.values()].some(
      (pod) => pod.nodeName === node.name && git.drivers.some((one) => isHeld(simulation, one, pod)),
    )
  );
}

function policyOf({ sets }: GitDriver, { labels }: StoredNode): string | undefined {
  return sets.find(({ group }) => group === labels['group'])?.policy;
}

function isOff(driver: GitDriver, node: StoredNode): boolean {
  return driver.offPolicies.includes(policyOf(driver, node) ?? '');
}

function takesPart(driver: GitDriver, { labels }: StoredNode): boolean {
  const state = labels[driverKeys(labelPrefixOf(driver)).state] ?? '';
  return IN_PROGRESS.has(state) || state === 'upgrade-failed';
}

/** Whether a cordon is left on a node whose NodeMaintenance is gone: an administrator's, or that of an object deleted with its finalizer. */
function isCordonLeft({ maintenanceOperator, store }: SimulatedCluster, { name, unschedulable }: StoredNode): boolean {
  if (maintenanceOperator === undefined || !unschedulable) return false;
  return [...store.nodeMaintenances.values()].every(({ node }) => node !== name);
}

/** Whether another requestor keeps the node, or a place of the Maintenance Operator. */
function isKeptByRequestor({ store, policy }: SimulatedCluster, { name }: StoredNode): boolean {
  const us = policy.nodeMaintenance?.requestorID;
  const kept = [...store.nodeMaintenances.values()].filter(
    ({ requestor, additionalRequestors }) => requestor !== us || additionalRequestors.some((id) => id !== us),
  );
  return kept.some(({ node, phase }) => node === name || phase !== 'Pending');
}

/**
 * Whether the Maintenance Operator lifted the cordon of a node that it has ready: it does when another object of the node, with another name
 * prefix, is deleted. The companion says what to do.
 */
function isUncordonedByOperator({ store }: SimulatedCluster, { name, unschedulable }: StoredNode): boolean {
  return !unschedulable && [...store.nodeMaintenances.values()].some(({ node, isReady }) => node === name && isReady);
}

/** Whether the GPU operator does not do its part on the node. */
function isLeftByOperator({ gpuOperator, store }: SimulatedCluster, driver: GitDriver, { name }: StoredNode): boolean {
  if (gpuOperator === undefined) return false;
  // It stops while a DaemonSet has a pod on a node that does not want it any more.
  const isStopped = !driver.tolerates && [...store.nodes.values()].some(({ taints }) => taints.length > 0);
  return !gpuOperator.autoUpgrade || gpuOperator.failing.has(name) || isStopped;
}

/** Whether the pod keeps the node that it is on from being drained, or the driver of the node from being ready. */
export function isHeld(
  { cluster }: Pick<Simulation, 'cluster'>,
  driver: Pick<GitDriver, 'jobsSelector'>,
  pod: StoredPod,
): boolean {
  const { jobsSelector } = driver;
  if (pod.deletionMs !== undefined) return pod.finalizers.includes('example.com/endless');
  if (pod.lifecycle.kind === 'driver') return !pod.ready && pod.lifecycle.readyMs > cluster.events.now();
  if (pod.lifecycle.kind === 'job' && jobsSelector !== '' && hasLabels(pod.labels, jobsSelector)) return true;
  return [...cluster.store.budgets.values()].some((budget) => budget.name.endsWith(CLOSED) && covers(budget, pod));
}
