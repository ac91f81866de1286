import { driverKeys, DS_OWNER_LABEL } from '../../../src/shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../src/shared/contract/maintenance-record.js';
import {
  nodeUpgradePolicies,
  type DriverPolicy,
  type NodeUpgradePolicy,
  type UpgradePolicy,
} from '../../../src/shared/contract/upgrade-policy.js';
import { limitSource } from '../../../src/shared/contract/pool-limits.js';
import type { Rollout } from '../../../src/shared/contract/upgrade-settings.js';
import { isFinished } from '../../../src/companion/model/pod.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type { Decision, PatchNode, SnapshotDaemonSet, SnapshotNode } from '../../../src/companion/model/types.js';
import { CONTROLLER_LABELS } from '../scenario/scenario.js';
import { fieldsOf, hasAll, IN_PROGRESS, isInMaintenanceFor, setsOf, uninstallsOf, Violation } from './rules.js';

type IsNode = (node: SnapshotNode) => boolean;

/** One driver in a decision, with what happens to the nodes for all drivers: a node that is out for one is out for all. */
interface Limited {
  readonly snapshot: Snapshot;
  readonly rollout: Rollout;
  readonly driver: DriverPolicy;
  /** Whether a node is in progress for any driver. */
  readonly isBusy: IsNode;
  /** The same, without nodes that the companion leaves as they are. */
  readonly isActive: IsNode;
  /** Whether any driver failed on a node. */
  readonly isFailed: IsNode;
  /** Whether a node begins for any driver; with a policy that is off, or none, for this driver. */
  readonly begins: (policy?: NodeUpgradePolicy) => IsNode;
  /** The same for nodes that are cordoned. */
  readonly isCordoned: (policy?: NodeUpgradePolicy) => IsNode;
}

/** The limits of each driver hold for the nodes that are out for any driver. */
export function checkLimits(snapshot: Snapshot, policy: UpgradePolicy, { actions }: Decision): void {
  const { drivers, rollout, nodeMaintenance } = policy;
  const ours = drivers.filter((one) => !isLeft(snapshot, one));
  const isBusy: IsNode = (node) => ours.some((driver) => isInProgress(driver, node));
  const isActive: IsNode = (node) =>
    ours.some(
      (driver) =>
        isInProgress(driver, node) &&
        !(nodeMaintenance === undefined && isOfMaintenanceOperator(driver, node)) &&
        !mayBeOff(snapshot, driver, node),
    );
  const isFailed: IsNode = ({ labels }) =>
    ours.some(({ labelPrefix }) => labels[driverKeys(labelPrefix).state] === 'upgrade-failed');
  const patches = actions.filter((action): action is PatchNode => action.kind === 'patchNode');
  for (const driver of ours) {
    const nodesOf =
      (of: (patch: PatchNode) => boolean) =>
      (policy?: NodeUpgradePolicy): IsNode => {
        const isOwn = (patch: PatchNode): boolean => patch.driver === driver.labelPrefix;
        const some = patches.filter((patch) => of(patch) && (policy?.autoUpgrade === true || isOwn(patch)));
        const names = new Set(some.map(({ node }) => node));
        return ({ name }) => names.has(name);
      };
    const asks = ({ steps }: PatchNode): boolean => steps.some(({ row }) => row === 'begin-maintenance');
    const begins = nodesOf((patch) => asks(patch) || patch.steps.some(({ row }) => row === 'begin'));
    const isCordoned = nodesOf((patch) => asks(patch) || patch.unschedulable === true);
    const limited = { snapshot, rollout, driver, isBusy, isActive, isFailed, begins, isCordoned };
    checkParallelStarts(limited);
    checkTopology(limited);
    checkUnavailable(limited);
  }
}

/**
 * No node begins while as many failed as the failure budget allows, of its upgrade pool or of all others; of those, where it is a percentage, also of
 * the nodes of its DaemonSet.
 */
export function checkFailureBudgets(
  snapshot: Snapshot,
  { drivers, rollout, nodeMaintenance }: UpgradePolicy,
  { actions }: Decision,
): void {
  const patches = new Map(actions.flatMap((one) => (one.kind === 'patchNode' ? [[one.node, one] as const] : [])));
  const hasFailed: IsNode = (node) =>
    // One that is repaired or tried again now does not count.
    (patches.get(node.name)?.steps.length ?? 0) === 0 &&
    !isTriedAgain(drivers, node) &&
    drivers.some(
      (driver) =>
        stateOf(driver, node) === 'upgrade-failed' &&
        node.labels[driverKeys(driver.labelPrefix).skip] !== 'true' &&
        // It was asked for under a policy with the operator, and this one leaves it alone.
        !(nodeMaintenance === undefined && isOfMaintenanceOperator(driver, node)) &&
        !isLeft(snapshot, driver) &&
        !mayBeOff(snapshot, driver, node) &&
        putsSomeDriverOn(snapshot, driver, node),
    );
  // A driver that waits for its first load takes nothing away.
  const begins: IsNode = (node) =>
    patches.get(node.name)?.steps.some(({ row }) => row === 'begin') === true &&
    drivers.every(
      (driver) =>
        !isInProgress(driver, node) &&
        stateOf(driver, node) !== 'upgrade-failed' &&
        !(driverKeys(driver.labelPrefix).safeLoad in node.annotations),
    );
  for (const source of [rollout, ...rollout.pools]) {
    const { failureBudget } = source;
    const nodes = snapshot.nodes.filter((node) => limitSource(rollout, node.labels, 'failureBudget') === source);
    if (failureBudget === undefined) continue;
    const check = (members: readonly SnapshotNode[]): void => {
      const failed = members.filter(hasFailed);
      if (failed.length < Math.max(1, percentOf(failureBudget, members.length))) return;
      const [begun] = members.filter(begins);
      if (begun !== undefined)
        throw new Violation('no node begins when the failure budget is spent', `${begun.name}, after ${names(failed)}`);
    };
    check(nodes);
    if (typeof failureBudget === 'number') continue;
    const sets = drivers.flatMap((driver) =>
      nodeUpgradePolicies(driver).flatMap((policy) => setsOf(snapshot.daemonSets, driver, policy)),
    );
    for (const set of new Set(sets)) check(nodes.filter((node) => hasAll(node, set.nodeSelector)));
  }
}

/** A user has moved the label of one driver that failed: the others of its node wait with it. */
function isTriedAgain(drivers: readonly DriverPolicy[], node: SnapshotNode): boolean {
  const { wants = {} } = readMaintenanceRecord(node.annotations[MAINTENANCE_ANNOTATION]) ?? {};
  return drivers.some((driver) => stateOf(driver, node) === 'upgrade-required' && driver.labelPrefix in wants);
}

function stateOf({ labelPrefix }: DriverPolicy, { labels }: SnapshotNode): string {
  return labels[driverKeys(labelPrefix).state] ?? '';
}

function putsSomeDriverOn({ daemonSets }: Snapshot, driver: DriverPolicy, node: SnapshotNode): boolean {
  const policies = nodeUpgradePolicies(driver);
  return policies.some((policy) => setsOf(daemonSets, driver, policy).some((set) => putsDriverOn(set, node)));
}

function isInProgress({ labelPrefix }: DriverPolicy, { labels }: SnapshotNode): boolean {
  return IN_PROGRESS.has(labels[driverKeys(labelPrefix).state] ?? '');
}

/** Whether the driver is left to its controller, of which there is a pod. */
export function isLeft(snapshot: Snapshot, driver: DriverPolicy): boolean {
  const { namespace, controllerPodSelector } = fieldsOf(driver);
  if (controllerPodSelector === '') return false;
  const isController = Object.entries(CONTROLLER_LABELS);
  return [...snapshot.pods].some(
    (pod) =>
      pod.namespace === namespace &&
      !isFinished(pod) &&
      isController.every(([key, value]) => pod.labels[key] === value),
  );
}

const percentOf = (amount: number | string, total: number): number =>
  typeof amount === 'number' ? amount : Math.ceil((Number.parseInt(amount, 10) * total) / 100);

/** Nodes that are cordoned and nodes that are already unavailable stay within maxUnavailable of policy and pool. */
function checkUnavailable({ snapshot, rollout, driver, isBusy, isCordoned }: Limited): void {
  const unavailable: IsNode = (node) => node.unschedulable || node.ready !== 'True';
  const check = (members: readonly SnapshotNode[], cordoned: IsNode, amount: number | string, what: string): void => {
    const started = members.filter((node) => cordoned(node) && !unavailable(node) && !isBusy(node));
    if (started.length === 0) return;
    const limit = percentOf(amount, members.length);
    const down = members.filter(unavailable).length + started.length;
    if (down > limit)
      throw new Violation(`never above maxUnavailable of ${what}`, `${names(started)}: ${down} > ${limit}`);
  };
  const policies = nodeUpgradePolicies(driver);
  for (const policy of policies) {
    if (policy.maxUnavailable === undefined) continue;
    check(membersOf(snapshot, driver, policy), isCordoned(policy), policy.maxUnavailable, policy.name);
  }
  for (const { name, nodeSelector, maxUnavailable } of rollout.pools) {
    if (maxUnavailable === undefined) continue;
    const members = snapshot.nodes.filter((node) => isOf(snapshot, driver, node) && hasAll(node, nodeSelector));
    check(members, inPool(snapshot, driver, isCordoned), maxUnavailable, name);
  }
}

/**
 * Nodes that need a slot begin only while one is free. All nodes in progress count, also those that an administrator cordoned and
 * that began without a slot. The operator counts them as well (`GetUpgradesAvailable` in k8s-operator-libs), and starts nodes that are
 * already cordoned when no slot is free.
 */
function checkParallelStarts({ snapshot, rollout, driver, isBusy, begins }: Limited): void {
  const check = (members: readonly SnapshotNode[], begun: IsNode, limit: number, what: string): void => {
    // A participant that joins a node in maintenance needs no slot.
    const fresh = members.filter((node) => begun(node) && !node.unschedulable && !isBusy(node));
    if (limit === 0 || fresh.length === 0) return;
    const busy = members.filter(isBusy);
    if (busy.length + fresh.length > limit)
      throw new Violation(`begins only in a free slot of ${what}`, `${names([...busy, ...fresh])}: ${limit}`);
  };
  for (const policy of nodeUpgradePolicies(driver))
    check(membersOf(snapshot, driver, policy), begins(policy), policy.maxParallelUpgrades, policy.name);
  for (const { name, nodeSelector, maxParallelUpgrades = 0 } of rollout.pools) {
    const isIn: IsNode = (node) => isOf(snapshot, driver, node) || isInProgress(driver, node);
    const members = snapshot.nodes.filter((node) => isIn(node) && hasAll(node, nodeSelector));
    check(members, inPool(snapshot, driver, begins), maxParallelUpgrades, name);
  }
}

/** Of the nodes that begin or are cordoned, those that count in a pool: those of the driver, and nodes of a policy that is on. */
function inPool(snapshot: Snapshot, driver: DriverPolicy, nodesOf: Limited['begins']): IsNode {
  const policies = nodeUpgradePolicies(driver).map((policy) => {
    const members = new Set(membersOf(snapshot, driver, policy));
    return { members, isOne: nodesOf(policy) };
  });
  return (node) => nodesOf()(node) || policies.some(({ members, isOne }) => members.has(node) && isOne(node));
}

/**
 * A node begins only while all nodes in progress are in its domain, but for those that the companion leaves as they are. One that is out for another
 * driver may begin, also where that one failed and is repaired now.
 */
function checkTopology({ snapshot, rollout, driver, isBusy, isActive, isFailed, begins }: Limited): void {
  const { topologyKey } = rollout;
  const isOut: IsNode = (node) => isBusy(node) || (isFailed(node) && node.unschedulable);
  const starting = snapshot.nodes.filter(
    (node) => begins()(node) && !isOut(node) && !isInMaintenanceFor(snapshot, driver, node),
  );
  if (topologyKey === undefined || starting.length === 0) return;
  const out = snapshot.nodes.filter((node) => starting.includes(node) || isActive(node));
  const domains = new Set(out.map(({ labels }) => labels[topologyKey] ?? ''));
  if (domains.size > 1)
    throw new Violation('one topology value at a time', `${names(starting)} in ${[...domains].join(', ')}`);
}

/** Whether the Maintenance Operator was asked for the node. */
function isOfMaintenanceOperator({ labelPrefix }: DriverPolicy, { annotations }: SnapshotNode): boolean {
  return driverKeys(labelPrefix).requestorMode in annotations;
}

/** Whether the node is, by its driver pod or its labels, of a policy that is off. */
function mayBeOff(snapshot: Snapshot, driver: DriverPolicy, node: SnapshotNode): boolean {
  const off = nodeUpgradePolicies(driver).filter(({ autoUpgrade }) => !autoUpgrade);
  return off.some(
    (policy) =>
      nodesWithDriverOf(snapshot, driver, policy.name).has(node.name) ||
      setsOf(snapshot.daemonSets, driver, policy).some((set) => hasAll(node, set.nodeSelector)),
  );
}

/** Whether the node has the driver, will get it, or has lost it to an uninstall. */
function isOf(snapshot: Snapshot, driver: DriverPolicy, node: SnapshotNode): boolean {
  const isOwn = ({ namespace, labels }: SnapshotDaemonSet): boolean =>
    namespace === driver.namespace && fieldsOf(driver).daemonSetSelector in labels;
  return (
    hasLost(driver, node) ||
    hasDriver(snapshot, driver, node) ||
    snapshot.daemonSets.some((set) => isOwn(set) && putsDriverOn(set, node))
  );
}

const names = (nodes: readonly SnapshotNode[]): string => nodes.map(({ name }) => name).join(', ');

/** Nodes of a policy. A node whose DaemonSet was renamed belongs to the policy before the new one is applied. */
function membersOf(snapshot: Snapshot, driver: DriverPolicy, policy: NodeUpgradePolicy): readonly SnapshotNode[] {
  const { name } = policy;
  const covers = (of: NodeUpgradePolicy, node: SnapshotNode): boolean =>
    setsOf(snapshot.daemonSets, driver, of).some((set) => putsDriverOn(set, node));
  const retired = nodesWithDriverOf(snapshot, driver, name);
  // The policy of such a node is not recorded.
  const policies = nodeUpgradePolicies(driver);
  const isFirst = name === (policies.find(({ autoUpgrade }) => autoUpgrade) ?? policies[0])?.name;
  const isCovered = (node: SnapshotNode): boolean => policies.some((one) => covers(one, node));
  // A node from which a policy uninstalls the driver belongs to that policy, whatever driver it has.
  const isNamed = (policy: string, node: SnapshotNode): boolean =>
    !fieldsOf(driver).uninstall && hasLost(driver, node, policy) && !isCovered(node);
  const isOfOther = (node: SnapshotNode): boolean =>
    policies.some((other) => other.name !== name && (covers(other, node) || isNamed(other.name, node)));
  return snapshot.nodes.filter(
    (node) =>
      (retired.has(node.name) && !isOfOther(node)) ||
      ((isFirst || !fieldsOf(driver).uninstall) && hasLost(driver, node, name) && !hasDriver(snapshot, driver, node)) ||
      isNamed(name, node) ||
      covers(policy, node),
  );
}

const putsDriverOn = ({ nodeSelector, tolerations }: SnapshotDaemonSet, node: SnapshotNode): boolean =>
  hasAll(node, nodeSelector) && (tolerations.length > 0 || node.taints.length === 0);

/** Whether the node had the driver that is uninstalled everywhere, or from nodes that a policy names: from those of one policy, if given. */
export function hasLost(driver: DriverPolicy, node: SnapshotNode, policy?: string): boolean {
  const ofPolicies = uninstallsOf(driver).filter(({ name }) => policy === undefined || name === policy);
  const isNamed = ofPolicies.some(({ uninstall }) => uninstall.some((one) => hasAll(node, one.nodeSelector)));
  return (fieldsOf(driver).uninstall || isNamed) && (node.labels[driverKeys(driver.labelPrefix).state] ?? '') !== '';
}

/** Whether a driver pod is on the node. */
export function hasDriver(snapshot: Snapshot, driver: DriverPolicy, { name }: SnapshotNode): boolean {
  const { podSelector } = fieldsOf(driver);
  // A kubelet writes the last phase of a deleted pod before the pod goes.
  return snapshot.pods.onNode(name).some((pod) => podSelector in pod.labels && !isFinished(pod));
}

/** Nodes with a driver pod of a DaemonSet of the policy. */
function nodesWithDriverOf(snapshot: Snapshot, driver: DriverPolicy, policyName: string): ReadonlySet<string> {
  const pods = [...snapshot.pods].filter(
    (pod) =>
      fieldsOf(driver).podSelector in pod.labels &&
      (driver.kind !== 'ofed' || pod.labels[DS_OWNER_LABEL] === policyName) &&
      !isFinished(pod),
  );
  return new Set(pods.map(({ nodeName }) => nodeName));
}
