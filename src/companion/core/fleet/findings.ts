import { NODE_STATES, type NodeState } from '../../../shared/contract/node-states.js';
import { counted } from '../../../shared/lib/listed.js';
import { isFinished } from '../../model/pod.js';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../shared/contract/labels.js';
import { count, isInProgress } from './fleet.js';
import { gpuOperatorFindings } from './gpu-operator.js';
import { finding, type Finding } from '../../model/findings.js';
import { DRAINING, IN_PROGRESS, isAtRest } from '../../model/node-states.js';
import { lostText } from '../flow/node-maintenance.js';
import { isInRequestorMode } from '../flow/requestor-mode.js';
import { NODE_STATES_UNREAD } from '../flow/config-daemon.js';
import { policiesWait, syncWait } from '../flow/sriov.js';
import {
  hasPodsToMove,
  isSkipped,
  type Budget,
  type Fleet,
  type NodePlan,
  type PlanContext,
} from '../flow/node-plan.js';
import type {
  Decision,
  DriverCounts,
  NodeCounts,
  PoolCounts,
  RefusedPatch,
  WaitReason,
  Waiting,
} from '../../model/types.js';
import type { DriverView } from '../view/driver-view.js';
import { isRefused } from '../view/node-view.js';
import { byReason } from '../view/successor.js';

/**
 * Whether a controller that ran at the previous decision is gone. The pod cache may have that already, while the node cache still lacks
 * the last write of the controller.
 */
export function controllerLeft(before: Decision | undefined, now: Decision): boolean {
  const running = controllersOf(now);
  return before !== undefined && controllersOf(before).some((driver) => !running.includes(driver));
}

function controllersOf({ findings }: Decision): readonly string[] {
  return findings.filter(({ kind }) => kind === 'controller-runs').map(({ driver }) => driver);
}

/** Findings about a driver. */
export function driverFindings({ driver, snapshot, maintenances }: PlanContext, fleet: Fleet): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (...[kind, message]: About) => findings.push(finding(driver.policy.labelPrefix, kind, message));
  if (maintenances?.missing !== undefined)
    add(
      'maintenance-operator-missing',
      `no node begins, because the Maintenance Operator drains: ${maintenances.missing}`,
    );
  if (fleet.paused) add('paused', 'the companion is paused: no node begins');
  for (const { name, autoUpgrade } of driver.policies)
    if (!autoUpgrade) add('auto-upgrade-off', `policy ${name} has no autoUpgrade: it upgrades nothing`);
  if (driver.policies.length === 0) add('no-policy', 'no policy is set for the upgrade of nodes');
  // Nothing renders selected DaemonSets. Without nodes for the driver there may be none, and then a Job must not wait for one.
  const isSelected = driver.policy.daemonSets === 'selected';
  for (const missing of driver.notApplied.values())
    add(isSelected ? 'daemon-set-not-ready' : 'daemon-set-not-applied', missing);
  if (fleet.failures !== true) add('failure-budget-spent', `no node begins: ${fleet.failures.message}`);
  const { missing, wanted } = fleet.canaries;
  if (missing > 0) {
    const message = `the policy asks for ${missing + wanted} canaries, but only ${wanted} nodes can be canaries: the other nodes follow these`;
    add('canaries-missing', message);
  }
  const bare = driver.nodes.filter(
    ({ covering, driverPods, state }) => covering !== undefined && driverPods.length === 0 && !IN_PROGRESS.has(state),
  );
  if (bare.length > 0) {
    const names = bare.slice(0, 5).map(({ node }) => node.name);
    add('no-driver-pod', `${counted(bare.length, 'node')} without a driver pod: ${names.join(', ')}`);
  }
  const { uncovered } = driver;
  if (uncovered.length > 0) {
    add(
      'node-uncovered',
      `${counted(uncovered.length, 'node')} with NICs that no driver DaemonSet covers: ${byReason(uncovered)}`,
    );
  }
  for (const message of replacedByController(driver)) add('daemon-set-not-on-delete', message);
  if (driver.policy.api === 'sriov' && driver.nodes.every(({ sriov }) => sriov === undefined))
    add('sriov-not-external', NOT_EXTERNAL);
  return driver.policy.restartedBy !== 'gpu-operator'
    ? findings
    : [...findings, ...gpuOperatorFindings(driver, snapshot.gpuOperatorPolicies)];
}

const NOT_EXTERNAL =
  'no SriovNetworkNodeState has the annotation `sriovnetwork.openshift.io/use-external-drainer`: the SR-IOV operator is absent, has no ' +
  'policies, or drains by itself';

/** DaemonSets that others made, and whose controller replaces the driver pods that only the companion must restart. */
function replacedByController({ policy, listed }: DriverView): readonly string[] {
  if (policy.daemonSets !== 'selected' || policy.restartedBy !== undefined) return [];
  return [...listed.values()]
    .filter(({ updateStrategy }) => updateStrategy !== undefined && updateStrategy !== 'OnDelete')
    .map(
      ({ name, updateStrategy }) =>
        `DaemonSet ${name} has the update strategy ${updateStrategy}: its controller restarts drivers without a drain ` +
        'when its template changes; set OnDelete',
    );
}

/** Kind and message. */
type About = readonly [Finding['kind'], string];

/** Findings about a node. */
export function nodeFindings(plan: NodePlan): readonly Finding[] {
  const { view, state, context } = plan;
  const { policy } = context.driver;
  const found: About[] = [];
  if (!NODE_STATES.has(view.state))
    found.push(['unknown-state', `the state \`${view.state}\` is unknown; the node is left alone`]);
  if (view.isForeign) found.push(['requestor-mode', foreignText(plan)]);
  if (state === 'upgrade-failed') found.push(['node-failed', hasLeft(plan) ? leftText(plan) : failureOf(plan)]);
  if (failedElsewhere(plan)) found.push(['node-failed', FAILED_ELSEWHERE]);
  if (plan.cordonKept) found.push(['cordon-kept', 'it was cordoned before its upgrade, so it stays cordoned']);
  if (DRAINING.has(state)) found.push(...drainFindings(plan));
  if (plan.warnings.length > 0) for (const warning of new Set(plan.warnings)) found.push(['drain-warning', warning]);
  return found.map(([kind, message]) => finding(policy.labelPrefix, kind, message, view.node.name));
}

function foreignText({ context: { driver } }: NodePlan): string {
  return (
    `the Maintenance Operator was asked for it, as its state or its annotation ${driver.keys.requestorMode} says, ` +
    'and this policy does not ask that operator'
  );
}

/** Warnings about a drain before its first eviction. */
function drainFindings(plan: NodePlan): readonly About[] {
  const { view, context } = plan;
  const isAlone = context.fleet?.takesPodsOf(view.node) === false;
  const own = view.pods.find(({ labels }) => labels[COMPONENT_LABEL] === COMPANION_COMPONENT);
  const found: About[] = [];
  if (isAlone && hasPodsToMove(plan))
    found.push(['no-room', 'no other node takes pods: evicted pods wait until one does']);
  // The Maintenance Operator evicts it like any other pod.
  if (own !== undefined && !isFinished(own) && !isInRequestorMode(plan)) {
    const message = `the companion runs on this node: it is not evicted, and continues here`;
    found.push(['companion-here', isAlone ? `${message}; no other node could take it` : message]);
  }
  return found;
}

function failureOf(plan: NodePlan): string {
  const key = plan.context.driver.keys.failure;
  const lost = lostText(plan);
  const reason =
    plan.annotations[key] ?? plan.view.node.annotations[key] ?? 'its upgrade failed, and no reason is recorded';
  return lost === undefined ? reason : `${reason}; ${lost}`;
}

/** Whether a failed node no longer gets a driver, so that nothing repairs it. */
function hasLeft({ view, context }: NodePlan): boolean {
  return !view.isDriven && context.driver.notApplied.size === 0;
}

function leftText(plan: NodePlan): string {
  const { view, context } = plan;
  const why = view.noDriver?.message ?? 'its driver is uninstalled';
  return `it gets no driver: ${why}; to free it, uncordon it and remove its label ${context.driver.keys.state}; it failed: ${failureOf(plan)}`;
}

/** What a node waits for; undefined if it waits for nothing. */
export function nodeWaiting(plan: NodePlan): Waiting | undefined {
  const waitReason = waitReasonOf(plan);
  if (waitReason === undefined) return undefined;
  const { state, view, context } = plan;
  const { kind, message, sinceMs, untilMs, blockers = [] } = waitReason;
  const waiting = { driver: context.driver.policy.labelPrefix, node: view.node.name, state, kind, message, blockers };
  return { ...waiting, ...(sinceMs !== undefined && { sinceMs }), ...(untilMs !== undefined && { untilMs }) };
}

function waitReasonOf(plan: NodePlan): WaitReason | undefined {
  const { view, state, context } = plan;
  if (view.isForeign) return { kind: 'foreign-flow', message: foreignText(plan) };
  if (!NODE_STATES.has(view.state)) return { kind: 'foreign-flow', message: `the state \`${view.state}\` is unknown` };
  if (state === 'upgrade-failed') {
    if (hasLeft(plan)) return { kind: 'failed-uncovered', message: leftText(plan) };
    const message = failureOf(plan);
    return (view.isFrozen ? undefined : policiesWait(plan, `${message}; `)) ?? { kind: 'failed', message };
  }
  if (context.driver.isUnread)
    return IN_PROGRESS.has(state) ? { kind: 'config-daemon', message: NODE_STATES_UNREAD } : undefined;
  if (view.isFrozen) {
    return IN_PROGRESS.has(state) || state === 'upgrade-required'
      ? { kind: 'off', message: `policy ${plan.policy.name} has no autoUpgrade` }
      : undefined;
  }
  if (view.isHeld && view.refusal !== undefined) return refusedWait(view.refusal, isRefused(view));
  if (plan.waitReason !== undefined) return plan.waitReason;
  if (IN_PROGRESS.has(state)) return { kind: 'cache-sync', message: 'its patch is sent first' };
  return failedElsewhere(plan) ? { kind: 'failed', message: FAILED_ELSEWHERE } : syncWait(plan);
}

/** The operator that restarts the driver had the node without the companion: before the companion was told of the driver, or by itself. */
function failedElsewhere({ state, view }: NodePlan): boolean {
  return isAtRest(state) && view.operatorState === 'upgrade-failed';
}

const FAILED_ELSEWHERE =
  'the operator that restarts its driver failed with it, in a flow that the companion had no part in';

function refusedWait({ message, failures, untilMs }: RefusedPatch, isOften: boolean): WaitReason {
  const kind = isOften ? 'patch-refused' : 'cache-sync';
  return { kind, message: `its patch was refused ${failures} times: ${message}`, wakeMs: untilMs };
}

/** The numbers of a driver's nodes after this decision. */
export function countsOf(driver: DriverView, plans: readonly NodePlan[], fleet: Fleet): DriverCounts {
  const autoUpgrade = driver.policies.some((policy) => policy.autoUpgrade);
  const pools = driver.policies.map((policy): PoolCounts => {
    const budgets = fleet.policyBudgets.get(policy.name) ?? [];
    const members = plans.filter((plan) => plan.policy.name === policy.name);
    return { pool: policy.name, ...nodeCounts(policy.autoUpgrade, members, budgets) };
  });
  return {
    driver: driver.policy.labelPrefix,
    ...nodeCounts(autoUpgrade, plans, [...fleet.policyBudgets.values()].flat()),
    uncovered: driver.uncovered.length,
    withoutSuccessor: driver.withoutSuccessor.length,
    pools,
  };
}

function nodeCounts(autoUpgrade: boolean, plans: readonly NodePlan[], budgets: readonly Budget[]): NodeCounts {
  const inState = (state: NodeState) => count(plans, (plan) => plan.state === state);
  const pending = plans.filter((plan) => plan.state === 'upgrade-required');
  const slots = budgets.map(({ parallelLimit, inProgress, unavailableLimit, unavailable }) =>
    Math.max(0, Math.min(parallelLimit - inProgress, unavailableLimit - unavailable)),
  );
  return {
    autoUpgrade,
    total: plans.length,
    inProgress: count(plans, isInProgress),
    done: inState('upgrade-done'),
    failed: inState('upgrade-failed'),
    available: Math.min(
      plans.length,
      slots.reduce((sum, free) => sum + free, 0),
    ),
    pending: pending.length,
    skipped: count(pending, isSkipped),
  };
}
