import { groupBy } from '../../../src/shared/lib/group-by.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import {
  isRestartedByOperator,
  type DriverPolicy,
  type UpgradePolicy,
} from '../../../src/shared/contract/upgrade-policy.js';
import { fromStructured, matchesSelector } from '../../../src/shared/kubernetes/selection/label-selector.js';
import { windowState } from '../../../src/shared/contract/maintenance-window.js';
import type { Rollout } from '../../../src/shared/contract/upgrade-settings.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type { Action, Decision, SnapshotNode } from '../../../src/companion/model/types.js';
import { checkCanaries, daemonSetOf } from './invariants-canary.js';
import { checkFailureBudgets, checkLimits } from './invariants-limits.js';
import { checkSriovPools } from './invariants-sriov.js';
import { DRAINING, fieldsOf, hasAll, IN_PROGRESS, Violation } from './rules.js';
import { CONTROLLER_LABELS } from '../scenario/scenario.js';

/** Changes of a NodeMaintenance by which the companion asks for the node. */
const ASKS: ReadonlySet<string> = new Set(['create', 'join']);

/** Rules for one decision and its snapshot. */
export function checkDecision(snapshot: Snapshot, policy: UpgradePolicy, decision: Decision, nowMs: number): void {
  const patched = new Set<string>();
  for (const action of decision.actions) {
    const driver = policy.drivers.find(({ labelPrefix }) => labelPrefix === action.driver);
    // The labels of a section that was removed.
    if (driver === undefined && action.kind === 'patchNode' && action.steps.length === 0) continue;
    // The NodeMaintenance that was asked for it.
    if (driver === undefined && action.kind === 'changeNodeMaintenance' && !ASKS.has(action.change.kind)) continue;
    if (driver === undefined) throw new Violation('an action names its driver', JSON.stringify(action));
    checkController(snapshot, driver, action);
    if (action.kind === 'patchNode') {
      const key = `${action.driver}/${action.node}`;
      if (patched.has(key)) throw new Violation('one patch per node and driver', key);
      patched.add(key);
      const rows = action.steps.map(({ driver: of, row }) => `${of}:${row}`);
      if (new Set(rows).size < rows.length) throw new Violation('no row is taken twice in one patch', rows.join(' '));
    }
    if (action.kind === 'evictPod') {
      checkEvictionView(snapshot, driver, action.node, action.name);
      if (action.isDeletion === true) checkDeletedView(snapshot, policy, action.uid);
    }
    if (action.kind === 'deletePod') checkDeletionView(snapshot, driver, action);
  }
  checkLimits(snapshot, policy, decision);
  checkFailureBudgets(snapshot, policy, decision);
  checkSriovPools(snapshot, policy, decision);
  for (const driver of policy.drivers) {
    for (const source of [policy.rollout, ...policy.rollout.pools]) {
      const all = snapshot.nodes.filter((node) => setsLimit(policy.rollout, node, 'canary') === source);
      for (const nodes of groupBy(all, (node) => daemonSetOf(snapshot, driver, node)).values())
        checkCanaries({ ...snapshot, nodes }, all, source, driver, decision, nowMs);
    }
  }
  checkWindows(snapshot, policy, decision, nowMs);
  checkWaiting(snapshot, policy, decision);
}

/** Where a limit of a node is set: in its upgrade pool, else for the cluster. */
function setsLimit(rollout: Rollout, node: SnapshotNode, limit: 'canary' | 'maintenanceWindows') {
  return rollout.pools.find((pool) => pool[limit] !== undefined && hasAll(node, pool.nodeSelector)) ?? rollout;
}

const OUT: ReadonlySet<string> = new Set([...IN_PROGRESS, 'upgrade-failed']);

/**
 * A node begins in a window of its own, unless windows are ignored by hand until later, the node is out already, or its driver waits for its first load
 * and takes nothing away.
 */
function checkWindows(
  { nodes, ignoreWindowsUntil = '' }: Snapshot,
  { rollout, drivers }: UpgradePolicy,
  { actions }: Decision,
  nowMs: number,
): void {
  if (new Date(ignoreWindowsUntil).getTime() > nowMs) return;
  for (const node of nodes) {
    const { maintenanceWindows: windows = [] } = setsLimit(rollout, node, 'maintenanceWindows');
    const isLoaded = drivers.every(({ labelPrefix }) => !(driverKeys(labelPrefix).safeLoad in node.annotations));
    const begins = actions.some(
      (one) => one.kind === 'patchNode' && one.node === node.name && one.steps.some(({ row }) => row === 'begin'),
    );
    const isOut = drivers.some(({ labelPrefix }) => OUT.has(node.labels[driverKeys(labelPrefix).state] ?? ''));
    if (!begins || isOut || !isLoaded || windows.length === 0 || windows.some((one) => windowState(one, nowMs).open))
      continue;
    throw new Violation('a node begins in its window', node.name);
  }
}

function checkController(snapshot: Snapshot, driver: DriverPolicy, action: Action): void {
  if (fieldsOf(driver).controllerPodSelector === '') return;
  const runs = [...snapshot.pods].some(
    ({ labels, namespace, phase }) =>
      namespace === driver.namespace &&
      phase === 'Running' &&
      Object.entries(CONTROLLER_LABELS).every(([key, value]) => labels[key] === value),
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

/** Pods of a drain are deleted where the policy says so, and never past a budget unless it says that, too. */
function checkDeletedView(snapshot: Snapshot, { rollout }: UpgradePolicy, uid: string): void {
  if (rollout.afterDrainTimeout === 'deletePodsIgnoringBudgets') return;
  const pod = [...snapshot.pods].find((one) => one.uid === uid);
  const covers = snapshot.budgets.some(
    ({ namespace, selector }) =>
      selector !== undefined && namespace === pod?.namespace && matchesSelector(fromStructured(selector), pod.labels),
  );
  if (rollout.afterDrainTimeout !== 'deletePods' || covers)
    throw new Violation('a drain deletes no pod past its budget', pod?.name ?? uid);
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
    const isLeft = pod.nodeName === '' && pod.controller === undefined && fieldsOf(driver).podSelector in pod.labels;
    if (!isLeft) throw new Violation('only pods that no node has are left over', fact);
    return;
  }
  if (isRestartedByOperator(driver)) throw new Violation('never restarts the driver of an operator', fact);
  if (action.reason !== 'driver-restart') {
    if ('gated' in pod.labels) return;
    throw new Violation('only gated pods are kept fresh', fact);
  }
  if (!(fieldsOf(driver).podSelector in pod.labels)) throw new Violation('restarts driver pods only', fact);
  const state = node?.labels[driverKeys(driver.labelPrefix).state];
  if (node?.unschedulable !== true || state !== 'pod-restart-required') {
    throw new Violation('a driver restarts on an empty, cordoned node only', `${fact}, ${state}`);
  }
}

function checkWaiting(snapshot: Snapshot, policy: UpgradePolicy, decision: Decision): void {
  const acted = new Set(decision.actions.flatMap((action) => ('node' in action ? [action.node] : [])));
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
        !acted.has(node.name) &&
        !waits.has(key) &&
        !decision.findings.some(({ kind }) => kind === 'controller-runs')
      ) {
        throw new Violation('a node that is not done acts or says what it waits for', `${key}: ${state}`);
      }
    }
  }
}
