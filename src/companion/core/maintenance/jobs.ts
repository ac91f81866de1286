import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { counted } from '../../../shared/lib/listed.js';
import { phaseOf } from '../../../shared/contract/node-states.js';
import { nameOf } from '../../model/pod.js';
import type { SnapshotPod, WaitReason } from '../../model/types.js';
import { isOver, timeIn, type Span } from './clock.js';
import { cordonUnobserved } from './node-drain.js';
import { firstReason, membersOf, type NodePlan, type PlannedPart } from './plan.js';

/** Whether a member waits for jobs. */
export function waitsForJobs({ part: { policy }, answers }: PlannedPart): boolean {
  return policy !== undefined && policy.waitForCompletion.podSelector !== '' && !answers.leavesPods;
}

function jobsOf({ pods }: NodePlan, { part: { policy } }: PlannedPart): readonly SnapshotPod[] {
  const selector = selectorOf(policy?.waitForCompletion.podSelector ?? '');
  return pods.filter(
    (pod) => (pod.phase === 'Running' || pod.phase === 'Pending') && matchesSelector(selector, pod.labels),
  );
}

/** What the members still wait for until their jobs are over, or took longer than they may. */
export function jobsWait(plan: NodePlan): WaitReason | undefined {
  const members = membersOf(plan).filter(waitsForJobs);
  return firstReason(members, (member) => {
    const time = jobsTime(plan, member);
    const jobs = jobsOf(plan, member);
    if (jobs.length === 0 || (isOver(time, plan.shared.nowMs) && plan.node.unschedulable))
      return cordonUnobserved(plan, 'wait-for-jobs-required');
    return {
      kind: 'jobs',
      message: `waits for ${counted(jobs.length, 'pod')} of jobs: ${jobs.slice(0, 3).map(nameOf).join(', ')}`,
      ...time,
      blockers: jobs
        .slice(0, 10)
        .map((pod) => ({ kind: 'job', pod: nameOf(pod), budgets: [], reason: `is ${pod.phase}` })),
    };
  });
}

function jobsTime(plan: NodePlan, { part }: PlannedPart): Span {
  return timeIn(plan, 'wait-for-jobs-required', part.policy?.waitForCompletion.timeoutSeconds ?? 0);
}

/** A new participant waits for jobs, and the node is past that. */
export function haveLateJobs(plan: NodePlan): boolean {
  if (plan.seen === 'rest' || plan.seen === 'due') return false;
  const isNew = ({ part }: PlannedPart): boolean => ['rest', 'due'].includes(phaseOf(part.state) ?? '');
  return membersOf(plan).some((one) => isNew(one) && waitsForJobs(one) && jobsOf(plan, one).length > 0);
}
