import { COMPANION_COMPONENT, COMPONENT_LABEL, KEEP_CORDON_ANNOTATION } from '../../../shared/contract/labels.js';
import { isFinished } from '../../model/pod.js';
import { finding, type Finding } from '../../model/findings.js';
import { isAtRest } from '../../model/node-states.js';
import type {
  Decision,
  DriverCounts,
  NodeCounts,
  PoolCounts,
  RefusedPatch,
  WaitReason,
  Waiting,
} from '../../model/types.js';
import { hasPodsToMove } from '../maintenance/pods-to-move.js';
import { keepsCordon } from '../maintenance/cordon.js';
import { isLeftOut } from '../maintenance/conditions.js';
import {
  suspendedWait,
  isBackingOff,
  isInMaintenance,
  isRefused,
  refusalOf,
  withKubelet,
} from '../maintenance/node-facts.js';
import {
  type NodePart,
  type Participant,
  isSkipped,
  isUnschedulable,
  membersOf,
  type NodePlan,
  type PlannedPart,
} from '../maintenance/plan.js';
import { phaseOf, type NodeState } from '../../../shared/contract/node-states.js';
import { count } from '../../../shared/lib/count.js';
import type { Budget, Fleet } from '../maintenance/limits.js';

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

/** Kind and message. */
type About = readonly [Finding['kind'], string];

/** Findings about the limits of a participant. */
export function limitFindings({ name, policies }: Participant, fleet: Fleet, isPaused: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (...[kind, message]: About) => findings.push(finding(name, kind, message));
  if (isPaused) add('paused', 'the companion is paused: no node begins');
  for (const policy of policies)
    if (!policy.autoUpgrade) add('auto-upgrade-off', `policy ${policy.name} has no autoUpgrade: it upgrades nothing`);
  if (policies.length === 0) add('no-policy', 'no policy is set for the upgrade of nodes');
  for (const { reach, message } of fleet.halts) add('failure-budget-spent', `no node${reach} begins: ${message}`);
  for (const { missing, desired, of } of fleet.allCanariesOf(name)) {
    if (missing === 0) continue;
    const message = `the policy asks for ${missing + desired} canaries${of}, but only ${desired} nodes can be canaries: the other nodes follow these`;
    add('canaries-missing', message);
  }
  return findings;
}

const KEPT_ON_REQUEST = `it stays cordoned, because the annotation ${KEEP_CORDON_ANNOTATION} asks for it`;

/** Findings about a node. */
export function nodeFindings(plan: NodePlan): readonly Finding[] {
  const { parts, phase, node } = plan;
  const [first] = parts;
  const found: Finding[] = [];
  for (const one of parts) {
    for (const [kind, message] of one.answers.findings(plan)) found.push(finding(one.name, kind, message, node.name));
    if (one.state === 'upgrade-failed') found.push(finding(one.name, 'node-failed', failureOf(plan, one), node.name));
  }
  const about: About[] = [];
  if (plan.phase === 'rest' && keepsCordon(plan) && isUnschedulable(plan)) about.push(['cordon-kept', KEPT_ON_REQUEST]);
  else if (plan.isCordonKept) about.push(['cordon-kept', 'it was cordoned before its upgrade, so it stays cordoned']);
  if (phase === 'cordon' || phase === 'jobs' || phase === 'drain') about.push(...drainFindings(plan));
  for (const warning of new Set(plan.warnings)) about.push(['drain-warning', warning]);
  const driver = parts.find(({ isMember }) => isMember)?.name ?? first?.name ?? '';
  return [...found, ...about.map(([kind, message]) => finding(driver, kind, message, node.name))];
}

/** Warnings about a drain before its first eviction. */
function drainFindings(plan: NodePlan): readonly About[] {
  const { node, pods, shared } = plan;
  const isAlone = !shared.fleet.takesPodsOf(node);
  const own = pods.find(({ labels }) => labels[COMPONENT_LABEL] === COMPANION_COMPONENT);
  const found: About[] = [];
  if (isAlone && hasPodsToMove(plan))
    found.push(['unschedulable-pods', 'no other node takes pods: evicted pods wait until one does']);
  if (own !== undefined && !isFinished(own) && !shared.modeOf(plan).evictsCompanion) {
    const message = `the companion runs on this node: it is not evicted, and continues here`;
    found.push(['companion-here', isAlone ? `${message}; no other node could take it` : message]);
  }
  return found;
}

/** Why the node failed, and whether it is known that nothing repairs it. */
function failureOf(plan: NodePlan, { answers }: PlannedPart): string {
  const reason = plan.record.failure ?? 'its upgrade failed, and no reason is recorded';
  const lost = plan.shared.modeOf(plan).lostText(plan);
  const failure = lost === undefined ? reason : `${reason}; ${lost}`;
  return answers.leftText === undefined ? failure : `${answers.leftText}; it failed: ${failure}`;
}

/** What a node waits for, for each of its participants that waits. */
export function nodeWaiting(plan: NodePlan): readonly Waiting[] {
  return plan.parts.flatMap((one): Waiting | readonly Waiting[] => {
    const reason = waitReasonOf(plan, one);
    if (reason === undefined) return [];
    const { kind, sinceMs, untilMs, blockers = [] } = reason;
    const isOut = one.isMember && isInMaintenance(plan.phase);
    const message = isOut ? withKubelet(plan, reason.message) : reason.message;
    const refusals = one.state === 'upgrade-failed' ? plan.record.refusals : reason.refusals;
    const waiting = { driver: one.name, node: plan.node.name, state: one.state, kind, message, blockers };
    return {
      ...waiting,
      ...(refusals !== undefined && { refusals }),
      ...(sinceMs !== undefined && { sinceMs }),
      ...(untilMs !== undefined && { untilMs }),
    };
  });
}

function waitReasonOf(plan: NodePlan, one: PlannedPart): WaitReason | undefined {
  const { part, state, answers } = one;
  const { suspended } = part;
  const isResting = isAtRest(state);
  if (suspended?.kind === 'foreign-flow') return suspended;
  if (state === 'upgrade-failed') {
    const message = failureOf(plan, one);
    if (answers.leftText !== undefined) return { kind: 'failed-uncovered', message };
    return (suspended === undefined ? answers.failedWait(plan, message) : undefined) ?? { kind: 'failed', message };
  }
  if (suspended !== undefined) return (isResting && !isLeftOut(plan)) || !part.isManaged ? undefined : suspended;
  if (!part.isManaged) return undefined;
  if (isBackingOff(plan)) {
    const refusal = refusalOf(plan);
    return refusal === undefined ? undefined : refusedWait(refusal, isRefused(plan));
  }
  if (isResting) return one.wait ?? restWait(plan, one);
  if (one.isMember)
    return (
      suspendedByOther(plan) ?? one.wait ?? plan.wait ?? { kind: 'cache-sync', message: 'its patch is sent first' }
    );
  if (plan.phase === 'failed') return { kind: 'failed', message: FAILED_BEFORE };
  return (
    one.wait ?? (isInMaintenance(plan.phase) ? { kind: 'cache-sync', message: 'its patch is sent first' } : plan.wait)
  );
}

/** The whole node stays as it is for one of its members. */
function suspendedByOther(plan: NodePlan): WaitReason | undefined {
  const wait = suspendedWait(plan);
  const member = membersOf(plan).find(({ part }) => part.suspended !== undefined);
  return wait && { ...wait, message: `${member?.name ?? ''} keeps the node: ${wait.message}` };
}

const FAILED_BEFORE = 'the node failed, and nothing begins there before it is repaired or tried again';

function restWait(plan: NodePlan, { answers }: PlannedPart): WaitReason | undefined {
  const isOfNode = isLeftOut(plan) || (plan.phase === 'rest' && plan.parts.length === 1);
  return answers.restWait(plan) ?? (isOfNode ? plan.wait : undefined);
}

function refusedWait({ message, failures, untilMs }: RefusedPatch, isOften: boolean): WaitReason {
  const kind = isOften ? 'patch-refused' : 'cache-sync';
  return { kind, message: `its patch was refused ${failures} times: ${message}`, wakeMs: untilMs };
}

/** The label of each node after this decision. */
type StateOf = (one: NodePart) => string;

/** The numbers of a participant's nodes after this decision. */
export function countsOf(participant: Participant, fleet: Fleet, stateOf: StateOf): DriverCounts {
  const { name, policies, uncovered, withoutSuccessor } = participant;
  const parts = participant.parts().filter(({ part }) => part.isManaged && part.policy !== undefined);
  const budgets = fleet.policyBudgets(name);
  const pools = policies.map((policy): PoolCounts => {
    const budget = budgets.get(policy.name);
    const members = parts.filter(({ part }) => part.policy?.name === policy.name);
    return {
      pool: policy.name,
      ...nodeCounts(policy.autoUpgrade, members, budget === undefined ? [] : [budget], stateOf),
    };
  });
  const isOn = policies.some(({ autoUpgrade }) => autoUpgrade);
  return {
    driver: name,
    ...nodeCounts(isOn, parts, [...budgets.values()], stateOf),
    uncovered,
    withoutSuccessor,
    pools,
  };
}

function nodeCounts(
  autoUpgrade: boolean,
  parts: readonly NodePart[],
  budgets: readonly Budget[],
  stateOf: StateOf,
): NodeCounts {
  const inState = (state: NodeState) => count(parts, (one) => stateOf(one) === state);
  const pending = parts.filter((one) => stateOf(one) === 'upgrade-required');
  const slots = budgets.map(({ parallelLimit, inProgress, unavailableLimit, unavailable }) =>
    Math.max(0, Math.min(parallelLimit - inProgress, unavailableLimit - unavailable)),
  );
  return {
    autoUpgrade,
    total: parts.length,
    inProgress: count(
      parts,
      (one) => isInMaintenance(phaseOf(stateOf(one))) || isInMaintenance(phaseOf(one.part.state)),
    ),
    done: inState('upgrade-done'),
    failed: inState('upgrade-failed'),
    available: Math.min(
      parts.length,
      slots.reduce((sum, free) => sum + free, 0),
    ),
    pending: pending.length,
    skipped: count(pending, (one) => isSkipped(one, one.part)),
  };
}
