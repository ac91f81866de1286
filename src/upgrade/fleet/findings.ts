import { isFinished } from '../drain/filters.js';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../contract/labels.js';
import { MOST_REFUSALS, count, hasPodsToMove, isInProgress, isSkipped, policyBudgetName } from './fleet.js';
import { DRAINING, IN_PROGRESS, isAtRest, NODE_STATES } from '../model/node-states.js';
import type { Budget, Fleet, WaitReason, NodePlan } from '../flow/node-plan.js';
import type {
  Blocker,
  Decision,
  DriverCounts,
  Finding,
  FindingKind,
  NodeCounts,
  NodeState,
  PoolCounts,
  RefusedPatch,
  Waiting,
} from '../model/types.js';
import { isForeignFlow, type DriverView } from '../view/driver-view.js';
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
export function driverFindings(driver: DriverView, fleet: Fleet): readonly Finding[] {
  const about = (kind: FindingKind, severity: Finding['severity'], message: string): Finding => ({
    kind,
    severity,
    driver: driver.policy.labelPrefix,
    message,
  });
  const findings: Finding[] = [];
  if (fleet.paused) findings.push(about('paused', 'info', 'the companion is paused: no node begins'));
  for (const { name, autoUpgrade } of driver.policies) {
    if (!autoUpgrade)
      findings.push(about('auto-upgrade-off', 'info', `policy ${name} has no autoUpgrade: it upgrades nothing`));
  }
  if (driver.policies.length === 0)
    findings.push(about('no-policy', 'warning', 'no policy is set for the upgrade of nodes'));
  for (const missing of driver.notApplied.values()) findings.push(about('daemon-set-not-applied', 'info', missing));
  if (fleet.failures !== true)
    findings.push(about('failure-budget-spent', 'warning', `no node begins: ${fleet.failures.message}`));
  const { missing, wanted } = fleet.canaries;
  if (missing > 0) {
    const message = `the policy asks for ${missing + wanted} canaries, but only ${wanted} nodes can be canaries: the other nodes follow these`;
    findings.push(about('canaries-missing', 'warning', message));
  }
  const bare = driver.nodes.filter(
    ({ covering, driverPods, state }) => covering !== undefined && driverPods.length === 0 && !IN_PROGRESS.has(state),
  );
  if (bare.length > 0) {
    const names = bare.slice(0, 5).map(({ node }) => node.name);
    findings.push(about('no-driver-pod', 'info', `${bare.length} nodes have no driver pod: ${names.join(', ')}`));
  }
  const { uncovered } = driver;
  if (uncovered.length > 0) {
    const nodes = uncovered.length === 1 ? '1 node' : `${uncovered.length} nodes`;
    const message = `${nodes} with NICs that no driver DaemonSet covers: ${byReason(uncovered)}`;
    findings.push(about('node-uncovered', 'warning', message));
  }
  return findings;
}

/** Findings about a node. */
export function nodeFindings(plan: NodePlan): readonly Finding[] {
  const found: [FindingKind, Finding['severity'], string][] = [];
  const { state } = plan.view;
  if (!NODE_STATES.has(state))
    found.push(['unknown-state', 'warning', `the state \`${state}\` is unknown; the node is left alone`]);
  if (isForeignFlow(plan.context.driver.keys, plan.view.node, plan.view.state))
    found.push(['requestor-mode', 'info', 'the maintenance operator upgrades this node']);
  if (plan.state === 'upgrade-failed')
    found.push(['node-failed', 'error', hasLeft(plan) ? leftText(plan) : failureOf(plan)]);
  if (isLeftOrphan(plan)) found.push(['orphaned-pod', 'warning', ORPHAN_MESSAGE]);
  if (plan.cordonKept) {
    found.push(['cordon-kept', 'info', 'it was cordoned before its upgrade, so it stays cordoned']);
  }
  if (DRAINING.has(plan.state)) found.push(...drainFindings(plan));
  if (plan.warnings.length > 0)
    for (const warning of new Set(plan.warnings)) found.push(['drain-warning', 'warning', warning]);
  const about = { driver: plan.context.driver.policy.labelPrefix, node: plan.view.node.name };
  return found.map(([kind, severity, message]) => ({ kind, severity, ...about, message }));
}

/** Warnings about a drain before its first eviction. */
function drainFindings(plan: NodePlan): readonly [FindingKind, Finding['severity'], string][] {
  const { view, context } = plan;
  const isAlone = context.fleet?.takesPodsOf(view.node) === false;
  const own = view.pods.all.find(({ labels }) => labels[COMPONENT_LABEL] === COMPANION_COMPONENT);
  const found: [FindingKind, Finding['severity'], string][] = [];
  if (isAlone && hasPodsToMove(plan))
    found.push(['no-room', 'warning', 'no other node takes pods: evicted pods wait until one does']);
  if (own !== undefined && !isFinished(own)) {
    const message = `the companion runs on this node: it is not evicted, and continues here`;
    found.push(['companion-here', 'info', isAlone ? `${message}; no other node could take it` : message]);
  }
  return found;
}

const ORPHAN_MESSAGE = 'its driver pod has no DaemonSet; request an upgrade to replace it';

function failureOf(plan: NodePlan): string {
  const key = plan.context.driver.keys.failure;
  return plan.annotations[key] ?? plan.view.node.annotations[key] ?? 'its upgrade failed, and no reason is recorded';
}

/** Whether a failed node no longer gets a driver, so that nothing repairs it. */
function hasLeft({ view, context }: NodePlan): boolean {
  return view.covering === undefined && view.driverPods.length === 0 && context.driver.notApplied.size === 0;
}

function leftText(plan: NodePlan): string {
  const { view, context } = plan;
  const why = view.noDriver?.message ?? 'its driver is uninstalled';
  return `it gets no driver: ${why}; to free it, uncordon it and remove its label ${context.driver.keys.state}; it failed: ${failureOf(plan)}`;
}

/** Whether the node is at rest with a driver pod that no DaemonSet owns: upstream keeps it until an upgrade is requested. */
function isLeftOrphan(plan: NodePlan): boolean {
  return (
    isAtRest(plan.state) && plan.view.driverPods.some(({ pod, status }) => status === 'orphaned' && !isFinished(pod))
  );
}

/** What a node waits for; undefined if it waits for nothing. */
export function nodeWaiting(plan: NodePlan): Waiting | undefined {
  const waitReason = waitReasonOf(plan);
  if (waitReason === undefined) return undefined;
  const { kind, message, sinceMs, untilMs, blockers = NO_BLOCKERS } = waitReason;
  const driver = plan.context.driver.policy.labelPrefix;
  const node = plan.view.node.name;
  const { state } = plan;
  const since = sinceMs === undefined ? {} : { sinceMs };
  const end = untilMs === undefined ? {} : { untilMs };
  return { driver, node, state, kind, message, blockers, ...since, ...end };
}

const NO_BLOCKERS: readonly Blocker[] = [];

function waitReasonOf(plan: NodePlan): WaitReason | undefined {
  const { view, state } = plan;
  const { driver } = plan.context;
  if (isForeignFlow(driver.keys, view.node, view.state))
    return { kind: 'foreign-flow', message: 'the maintenance operator upgrades this node' };
  if (!NODE_STATES.has(view.state)) return { kind: 'foreign-flow', message: `the state \`${view.state}\` is unknown` };
  if (state === 'upgrade-failed') {
    return hasLeft(plan)
      ? { kind: 'failed-uncovered', message: leftText(plan) }
      : { kind: 'failed', message: failureOf(plan) };
  }
  if (plan.frozen) {
    return IN_PROGRESS.has(state) || state === 'upgrade-required'
      ? { kind: 'off', message: `policy ${plan.policy.name} has no autoUpgrade` }
      : undefined;
  }
  if (view.isHeld && view.refusal !== undefined) return refusedWait(view.refusal);
  if (plan.waitReason !== undefined) return plan.waitReason;
  if (isLeftOrphan(plan)) return { kind: 'orphan', message: ORPHAN_MESSAGE };
  return IN_PROGRESS.has(state) ? { kind: 'cache-sync', message: 'its patch is sent first' } : undefined;
}

function refusedWait({ message, failures, untilMs }: RefusedPatch): WaitReason {
  const kind = failures < MOST_REFUSALS ? 'cache-sync' : 'patch-refused';
  return { kind, message: `its patch was refused ${failures} times: ${message}`, wakeMs: untilMs };
}

/** The numbers of a driver's nodes after this decision. */
export function countsOf(driver: DriverView, plans: readonly NodePlan[], fleet: Fleet): DriverCounts {
  const autoUpgrade = driver.policies.some((policy) => policy.autoUpgrade);
  const pools = driver.policies.map((policy): PoolCounts => {
    const budgets = fleet.policyBudgets.filter(({ name }) => name === policyBudgetName(policy));
    const members = plans.filter((plan) => plan.policy.name === policy.name);
    return { pool: policy.name, ...nodeCounts(policy.autoUpgrade, members, budgets) };
  });
  return {
    driver: driver.policy.labelPrefix,
    ...nodeCounts(autoUpgrade, plans, fleet.policyBudgets),
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
