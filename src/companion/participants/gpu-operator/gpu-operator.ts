import { driverKeys, operatorDriver } from '../../../shared/contract/labels.js';
import { phaseOf, type MaintenancePhase } from '../../../shared/contract/node-states.js';
import type { DriverPolicyOf, UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { driverSeconds } from '../../core/maintenance/clock.js';
import { isInMaintenance } from '../../core/maintenance/node-facts.js';
import type { Due, PartAnswers, Participant, Progress, NodePlan } from '../../core/maintenance/plan.js';
import { isAtRest } from '../../model/node-states.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { WaitReason } from '../../model/types.js';
import { commonAnswers } from '../driver/answers.js';
import type { DriverNode } from '../driver/driver-node.js';
import { driverView, type DriverFacts } from '../driver/driver-view.js';
import { driverParticipant } from '../driver/participant.js';
import { anyMissingDaemonSet, podsKept, successorWait, uninstalled } from '../driver/successor.js';
import { suspendedFindings } from '../suspended.js';
import { gpuOperatorFindings } from './settings.js';

/** The GPU driver beside its operator, which restarts it on a node that the companion has taken out, and says by its label how far it is. */
export function gpuOperator(
  policy: DriverPolicyOf<'gpu-operator'>,
  snapshot: Snapshot,
  nowMs: number,
  of: UpgradePolicy,
): Participant {
  const driver = driverView(policy, snapshot, nowMs, of);
  return driverParticipant(driver, {
    order: 1,
    answersOf: (view) => operatorAnswers(driver.facts, view),
    findings: () => gpuOperatorFindings(driver, snapshot.gpuOperatorPolicies),
  });
}

const FAILED_ELSEWHERE =
  'the operator that restarts its driver failed with it, in a flow that the companion had no part in';

/** Phases of the operator's flow until it has restarted the driver. */
const UNTIL_RESTARTED: ReadonlySet<MaintenancePhase | undefined> = new Set([
  'due',
  'cordon',
  'jobs',
  'drain',
  'restart',
]);

function operatorAnswers(driver: DriverFacts, view: DriverNode): PartAnswers {
  const { operatorState = '' } = view;
  const isFailedElsewhere = isAtRest(view.state) && operatorState === 'upgrade-failed';
  return {
    ...commonAnswers(driver, view),
    due: () => dueOf(driver, view),
    beginWait: (plan) => successorWait(driver, view, plan),
    leavesPods: view.isRestartOnly,
    isHarmless: () => false,
    hold: (plan) => podsKept(driver, view, plan),
    isOver: operatorState === 'upgrade-done' || operatorState === '',
    isPending: () => operatorState === 'upgrade-required',
    isUnloaded: UNTIL_RESTARTED.has(phaseOf(operatorState)),
    isLoading: () => false,
    isTouched:
      isInMaintenance(phaseOf(operatorState)) || view.driverPods.some(({ pod }) => pod.deletionMs !== undefined),
    progress: (plan) => progressOf(driver, view, plan),
    restart: () => ({ actions: [] }),
    restartAnnotations: () => ({}),
    restartSeconds: (plan) => driverSeconds(plan, view.policy?.startupSeconds ?? 0),
    aboutCordon: (change) => aboutCordon(driver, view, change),
    restWait: () => (isFailedElsewhere ? { kind: 'failed', message: FAILED_ELSEWHERE } : undefined),
    wasChanged: operatorState !== '',
    findings: () => [
      ...suspendedFindings(view.state, view.suspended),
      ...(isFailedElsewhere ? ([['node-failed', FAILED_ELSEWHERE]] as const) : []),
    ],
  };
}

/** The operator leaves its label on a node that has lost the driver. */
function dueOf(driver: DriverFacts, { operatorState, isDriven, state }: DriverNode): Due {
  if (operatorState === 'upgrade-required' && isDriven) {
    return { kind: 'due', isOutdated: false, row: 'due', message: 'its driver is not the one that the policy wants' };
  }
  if (!isDriven && driver.notApplied.size === 0)
    return { kind: 'never', row: 'not-due', message: 'it has no driver, and no DaemonSet is to install one' };
  if (operatorState === 'upgrade-done' && state !== 'upgrade-required') return { kind: 'in-sync' };
  const message = 'the operator of its driver began with it, failed, or has no upgrade for it any more';
  return { kind: 'never', row: 'not-due', message };
}

function progressOf(driver: DriverFacts, view: DriverNode, plan: NodePlan): Progress {
  const { operatorState = '' } = view;
  if (operatorState === 'upgrade-done') return { kind: 'done' };
  if (operatorState === 'upgrade-failed') return { kind: 'failed', reason: 'the GPU operator failed to upgrade it' };
  // It does not ask for the node any more, and was not told yet that the node is drained.
  if (operatorState === '' && plan.record.restarts?.[driver.policy.labelPrefix] === undefined) return { kind: 'done' };
  if (anyMissingDaemonSet(driver) === undefined && uninstalled(driver, view, plan) === true) return { kind: 'done' };
  return { kind: 'at-work', wait: operatorWait(driver, operatorState) };
}

function operatorWait({ notApplied }: DriverFacts, state: string): WaitReason {
  const said =
    state === ''
      ? 'the GPU operator has no state for it: its `autoUpgrade` may be off'
      : `the GPU operator has it in \`${state}\``;
  const [missing] = notApplied.values();
  return { kind: 'operator', message: missing === undefined ? said : `${missing}, and ${said}` };
}

/**
 * The operator lifts any cordon when its flow is done, except one that its annotation says it found. It may have labelled the node after the companion
 * cordoned it. One that begins after the companion's cordon is lifted finds none.
 */
function aboutCordon(
  { policy }: DriverFacts,
  { node, operatorState = '' }: DriverNode,
  change: 'begins' | 'lasts',
): Readonly<Record<string, string | null>> {
  const { initialState } = driverKeys(operatorDriver(policy.labelPrefix) ?? policy.labelPrefix);
  const phase = phaseOf(operatorState);
  if (change === 'begins') return phase === 'due' ? { [initialState]: 'true' } : {};
  const isUnderWay = phase === 'due' || isInMaintenance(phase);
  return isUnderWay && node.annotations[initialState] === undefined ? { [initialState]: 'true' } : {};
}
