import { driverKeys, DS_OWNER_LABEL } from '../../src/contract/labels.js';
import { nodeUpgradePolicies, type DriverPolicy, type UpgradePolicy } from '../../src/contract/upgrade-policy.js';
import type { Snapshot } from '../../src/upgrade/model/snapshot.js';
import type { Action, Decision, SnapshotNode } from '../../src/upgrade/model/types.js';
import { checkCanaries } from './invariants-canary.js';
import { DRAINING, hasAll, IN_PROGRESS, Violation } from './rules.js';
import { CONTROLLER_LABELS } from './scenario.js';

/** Rules for one decision and its snapshot. */
export function checkDecision(snapshot: Snapshot, policy: UpgradePolicy, decision: Decision, nowMs: number): void {
  const patched = new Set<string>();
  for (const action of decision.actions) {
    const driver = policy.drivers.find(({ labelPrefix }) => labelPrefix === action.driver);
    if (driver === undefined) throw new Violation('an action names its driver', JSON.stringify(action));
    checkController(snapshot, driver, action);
    if (action.kind === 'patchNode') {
      const key = `${action.driver}/${action.node}`;
      if (patched.has(key)) throw new Violation('one patch per node and driver', key);
      patched.add(key);
      const rows = action.steps.map(({ row }) => row);
      if (new Set(rows).size < rows.length) throw new Violation('no row is taken twice in one patch', rows.join(' '));
    }
    if (action.kind === 'evictPod') checkEvictionView(snapshot, driver, action.node, action.name);
    if (action.kind === 'deletePod') checkDeletionView(snapshot, driver, action);
  }
  for (const driver of policy.drivers) {
    checkParallelStarts(snapshot, driver, decision);
    checkUnavailable(snapshot, driver, decision);
    checkCanaries(snapshot, driver, decision, nowMs);
  }
  checkWaiting(snapshot, policy, decision);
}

function checkController(snapshot: Snapshot, driver: DriverPolicy, action: Action): void {
  if (driver.controllerPodSelector === '') return;
  const runs = [...snapshot.pods].some(
    ({ labels, phase }) =>
      phase === 'Running' && Object.entries(CONTROLLER_LABELS).every(([key, value]) => labels[key] === value),
  );
  if (runs) throw new Violation('nothing while the controller runs', JSON.stringify(action));
}

function checkEvictionView(snapshot: Snapshot, driver: DriverPolicy, nodeName: string, pod: string): void {
  const node = snapshot.nodes.find(({ name }) => name === nodeName);
  const state = node?.labels[driverKeys(driver.labelPrefix).state] ?? '';
  if (node?.unschedulable !== true || !DRAINING.has(state)) {
    throw new Violation('evictions follow a cordon that is seen', `${pod} on ${nodeName}, ${state}`);
  }
}

function checkDeletionView(
  snapshot: Snapshot,
  driver: DriverPolicy,
  action: Extract<Action, { kind: 'deletePod' }>,
): void {
  const pod = [...snapshot.pods].find(({ uid }) => uid === action.uid);
  const node = snapshot.nodes.find(({ name }) => name === action.node);
  const fact = `${action.name} on ${action.node}: ${action.reason}`;
  if (pod === undefined || pod.nodeName !== action.node) throw new Violation('deletes what it sees', fact);
  if (action.reason === 'driver-leftover') {
    const isLeft = pod.nodeName === '' && pod.controller === undefined && driver.podSelector in pod.labels;
    if (!isLeft) throw new Violation('only pods that no node has are left over', fact);
    return;
  }
  if (action.reason !== 'driver-restart') {
    if ('gated' in pod.labels) return;
    throw new Violation('only gated pods are kept fresh', fact);
  }
  if (!(driver.podSelector in pod.labels)) throw new Violation('restarts driver pods only', fact);
  const state = node?.labels[driverKeys(driver.labelPrefix).state];
  if (node?.unschedulable !== true || state !== 'pod-restart-required') {
    throw new Violation('a driver restarts on an empty, cordoned node only', `${fact}, ${state}`);
  }
}

const percentOf = (amount: number | string, total: number): number =>
  typeof amount === 'number' ? amount : Math.ceil((Number.parseInt(amount, 10) * total) / 100);

/** Starts of one decision and nodes that are already unavailable stay within maxUnavailable of policy and pool. */
function checkUnavailable(snapshot: Snapshot, driver: DriverPolicy, decision: Decision): void {
  const cordons = decision.actions.flatMap((action) =>
    action.kind === 'patchNode' && action.driver === driver.labelPrefix && action.unschedulable === true
      ? [action.node]
      : [],
  );
  const unavailable = (node: SnapshotNode): boolean => node.unschedulable || node.ready !== 'True';
  const already = (name: string): boolean => snapshot.nodes.some((node) => node.name === name && unavailable(node));
  const inFlow = (name: string): boolean => {
    const state = snapshot.nodes.find((node) => node.name === name)?.labels[driverKeys(driver.labelPrefix).state] ?? '';
    return IN_PROGRESS.has(state);
  };
  const fresh = cordons.filter((name) => !already(name) && !inFlow(name));
  if (fresh.length === 0) return;
  const check = (members: readonly SnapshotNode[], amount: number | string, what: string): void => {
    const started = fresh.filter((name) => members.some((node) => node.name === name));
    if (started.length === 0) return;
    const limit = percentOf(amount, members.length);
    const down = members.filter(unavailable).length + started.length;
    if (down > limit)
      throw new Violation(`never above maxUnavailable of ${what}`, `${started.join(', ')}: ${down} > ${limit}`);
  };
  for (const policy of nodeUpgradePolicies(driver)) {
    if (policy.maxUnavailable === undefined) continue;
    check(membersOf(snapshot, driver, policy), policy.maxUnavailable, policy.name);
  }
  for (const { name, nodeSelector, maxUnavailable } of driver.rollout.pools) {
    if (maxUnavailable === undefined) continue;
    const covered = snapshot.nodes.filter(
      (node) =>
        hasLost(driver, node) ||
        snapshot.daemonSets.some(
          (set) =>
            set.namespace === driver.namespace &&
            driver.daemonSetSelector in set.labels &&
            hasAll(node, set.nodeSelector),
        ),
    );
    check(
      covered.filter((node) => hasAll(node, nodeSelector)),
      maxUnavailable,
      name,
    );
  }
}

/**
 * Nodes that need a slot begin only while one is free. All nodes in progress count, also those that an administrator cordoned and
 * that began without a slot. The operator counts them as well (`GetUpgradesAvailable` in k8s-operator-libs), and starts nodes that are
 * already cordoned when no slot is free.
 */
function checkParallelStarts(snapshot: Snapshot, driver: DriverPolicy, decision: Decision): void {
  const { state } = driverKeys(driver.labelPrefix);
  const starting = new Set(
    decision.actions.flatMap((action) =>
      action.kind === 'patchNode' &&
      action.driver === driver.labelPrefix &&
      action.steps.some(({ row }) => row === 'begin')
        ? [action.node]
        : [],
    ),
  );
  const check = (members: readonly SnapshotNode[], limit: number, what: string): void => {
    const fresh = members.filter(({ name, unschedulable }) => starting.has(name) && !unschedulable);
    if (limit === 0 || fresh.length === 0) return;
    const busy = members.filter(({ labels }) => IN_PROGRESS.has(labels[state] ?? ''));
    if (busy.length + fresh.length > limit) {
      const names = [...busy, ...fresh].map(({ name }) => name).join(', ');
      throw new Violation(`begins only in a free slot of ${what}`, `${names}: ${limit}`);
    }
  };
  for (const policy of nodeUpgradePolicies(driver)) {
    check(membersOf(snapshot, driver, policy), policy.maxParallelUpgrades, policy.name);
  }
  for (const { name, nodeSelector, maxParallelUpgrades = 0 } of driver.rollout.pools) {
    check(
      snapshot.nodes.filter((node) => hasAll(node, nodeSelector)),
      maxParallelUpgrades,
      name,
    );
  }
}

/** Nodes of a policy. A node whose DaemonSet was renamed belongs to the policy before the new one is applied. */
function membersOf(
  snapshot: Snapshot,
  driver: DriverPolicy,
  { name, daemonSets }: ReturnType<typeof nodeUpgradePolicies>[number],
): readonly SnapshotNode[] {
  const covers = (listed: typeof daemonSets, node: SnapshotNode): boolean =>
    snapshot.daemonSets.some(
      (set) =>
        listed.some((one) => one.name === set.name) &&
        hasAll(node, set.nodeSelector) &&
        (set.tolerations.length > 0 || node.taints.length === 0),
    );
  const retired = nodesWithDriverOf(snapshot, driver, name);
  // The policy of such a node is not recorded.
  const policies = nodeUpgradePolicies(driver);
  const isFirst = name === (policies.find(({ autoUpgrade }) => autoUpgrade) ?? policies[0])?.name;
  const isOfOther = (node: SnapshotNode): boolean =>
    policies.some((other) => other.name !== name && covers(other.daemonSets, node));
  return snapshot.nodes.filter(
    (node) =>
      (retired.has(node.name) && !isOfOther(node)) ||
      (isFirst && hasLost(driver, node) && !hasDriver(snapshot, driver, node)) ||
      covers(daemonSets, node),
  );
}

/** Whether the node had the uninstalled driver. */
function hasLost({ uninstall, labelPrefix }: DriverPolicy, { labels }: SnapshotNode): boolean {
  return uninstall && (labels[driverKeys(labelPrefix).state] ?? '') !== '';
}

function hasDriver(snapshot: Snapshot, { podSelector }: DriverPolicy, { name }: SnapshotNode): boolean {
  return snapshot.pods.onNode(name).all.some(({ labels }) => podSelector in labels);
}

/** Nodes with a driver pod of a DaemonSet of the policy. */
function nodesWithDriverOf(snapshot: Snapshot, driver: DriverPolicy, policyName: string): ReadonlySet<string> {
  const pods = [...snapshot.pods].filter(
    ({ labels, phase }) =>
      driver.podSelector in labels &&
      labels[DS_OWNER_LABEL] === policyName &&
      phase !== 'Succeeded' &&
      phase !== 'Failed',
  );
  return new Set(pods.map(({ nodeName }) => nodeName));
}

function checkWaiting(snapshot: Snapshot, policy: UpgradePolicy, decision: Decision): void {
  const acted = new Set(
    decision.actions.flatMap((action) => ('node' in action ? [`${action.driver}/${action.node}`] : [])),
  );
  const waits = new Set(decision.waiting.map(({ driver, node }) => `${driver}/${node}`));
  for (const { message, node } of decision.waiting) {
    if (message === '') throw new Violation('a wait is explained', node);
  }
  for (const { labelPrefix } of policy.drivers) {
    for (const node of snapshot.nodes) {
      const state = node.labels[driverKeys(labelPrefix).state] ?? '';
      const key = `${labelPrefix}/${node.name}`;
      const idle = state === '' || state === 'upgrade-done';
      if (
        !idle &&
        !acted.has(key) &&
        !waits.has(key) &&
        !decision.findings.some(({ kind }) => kind === 'controller-runs')
      ) {
        throw new Violation('a node that is not done acts or says what it waits for', `${key}: ${state}`);
      }
    }
  }
}
