import type { Condition } from './plan.js';
import type { MaintenancePhase } from '../../../shared/contract/node-states.js';
import { mayBegin } from './begin.js';
import { haveLateJobs } from './jobs.js';
import { isUnblocked } from './obstacles.js';
import {
  areJobsOver,
  areRestarted,
  areValidated,
  isLeft,
  hasFailed,
  haveLatePods,
  havePodsLeft,
  isBack,
  isLifted,
  isLost,
  isNothingLeftToDo,
  isOut,
  isRepaired,
  isSomeToDrain,
  isSomeUndone,
  isTriedAgain,
} from './conditions.js';

/** A step from one of the phases `from` to the phase `to`. */
export interface Transition {
  readonly id: string;
  /** k8s-operator-libs has no such step. */
  readonly upstream?: false;
  readonly from: readonly MaintenancePhase[];
  readonly to: MaintenancePhase;
  /** For the Event of the node and the diagram. */
  readonly message: string;
}

/** One row: a node takes the step if the condition holds. */
export interface Row extends Transition {
  readonly when: Condition;
}

const BEFORE_RESTART: readonly MaintenancePhase[] = ['jobs', 'drain', 'restart'];

/**
 * The maintenance of a node: k8s-operator-libs has the same phases (`pkg/upgrade`). Several rows may be taken in one decision: their changes are one patch.
 * The first row whose condition holds is taken. The order matters where a phase can fail: a node fails only if nothing else holds, so `failed` is the
 * last row of its phases.
 */
export const MAINTENANCE: readonly Row[] = [
  {
    id: 'left',
    upstream: false,
    from: ['rest'],
    when: isLeft,
    to: 'restart',
    message: 'its maintenance was interrupted',
  },
  { id: 'begin', from: ['due'], when: mayBegin, to: 'cordon', message: 'its maintenance begins' },
  { id: 'out', from: ['cordon'], when: isOut, to: 'jobs', message: 'it is out of service' },
  {
    id: 'over',
    upstream: false,
    from: ['cordon', 'jobs', 'drain'],
    when: isNothingLeftToDo,
    to: 'validate',
    message: 'nothing is left to be restarted on it',
  },
  {
    id: 'lost',
    upstream: false,
    from: BEFORE_RESTART,
    when: isLost,
    to: 'cordon',
    message: 'its cordon was lifted before its restarts began',
  },
  {
    id: 'lifted',
    upstream: false,
    from: ['restart'],
    when: isLifted,
    to: 'restart',
    message: 'its cordon was lifted while its driver was loaded, and is set again without a drain',
  },
  { id: 'jobs-over', from: ['jobs'], when: areJobsOver, to: 'drain', message: 'it waits for no jobs' },
  {
    id: 'late-jobs',
    upstream: false,
    from: ['drain', 'restart'],
    when: haveLateJobs,
    to: 'jobs',
    message: 'a new participant waits for jobs',
  },
  {
    id: 'drained',
    from: ['drain'],
    when: havePodsLeft,
    to: 'restart',
    message: 'the pods that had to leave it have left',
  },
  {
    id: 'pods-kept',
    from: ['drain'],
    when: isSomeToDrain,
    to: 'drain',
    message: 'pods that use the resource cannot be deleted alone, or took longer than they may',
  },
  {
    id: 'late-pods',
    upstream: false,
    from: ['restart'],
    when: haveLatePods,
    to: 'drain',
    message: 'pods have to leave it before a restart',
  },
  { id: 'restarted', from: ['restart'], when: areRestarted, to: 'validate', message: 'all that was due on it is done' },
  {
    id: 'not-done',
    upstream: false,
    from: ['validate', 'uncordon'],
    when: isSomeUndone,
    to: 'restart',
    message: 'something on it is not done any more',
  },
  { id: 'validated', from: ['validate'], when: areValidated, to: 'uncordon', message: 'its validation passed' },
  { id: 'failed', from: ['jobs', 'drain', 'restart', 'validate'], when: hasFailed, to: 'failed', message: 'it failed' },
  { id: 'back', from: ['uncordon'], when: isBack, to: 'rest', message: 'its maintenance is over' },
  { id: 'repaired', from: ['failed'], when: isRepaired, to: 'validate', message: 'it was repaired' },
  {
    id: 'retried',
    upstream: false,
    from: ['failed'],
    when: isTriedAgain,
    to: 'due',
    message: 'something else is desired than what failed',
  },
  {
    id: 'unblocked',
    upstream: false,
    from: ['failed'],
    when: isUnblocked,
    to: 'due',
    message: 'the pods that blocked its drain can leave',
  },
];

/** Steps of one participant outside of a maintenance, by its answer to what is due (`settleParts`); the node is due while one of them is. */
const LABEL_STEPS: readonly Transition[] = [
  { id: 'due', from: ['rest'], to: 'due', message: 'a maintenance is due for a participant' },
  { id: 'not-due', from: ['due', 'rest'], to: 'rest', message: 'nothing is due for a participant' },
];

/** All steps, for reports. */
export const TRANSITIONS: readonly Transition[] = [...LABEL_STEPS, ...MAINTENANCE];
