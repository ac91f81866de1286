import type { NodeState } from '../model/types.js';

/** Questions about a node that rows ask; `guards.ts` answers them. */
export type GuardName =
  | 'driverPodOutdated'
  | 'driverPodRetired'
  | 'driverPodInSync'
  | 'driverPodReady'
  | 'driverPodFailing'
  | 'oldDriverPod'
  | 'noOldDriverPod'
  | 'noDriverPod'
  | 'uncovered'
  | 'waitsForSafeLoad'
  | 'loadsAtOnce'
  | 'requested'
  | 'notRequested'
  | 'becameOutdated'
  | 'daemonSetApplied'
  | 'daemonSetGone'
  | 'notSkipped'
  | 'reachable'
  | 'noOtherDriver'
  | 'notPaused'
  | 'windowOpen'
  | 'failureBudgetLeft'
  | 'canariesSoaked'
  | 'topologyFree'
  | 'slotFree'
  | 'roomLeft'
  | 'cordonRecorded'
  | 'cordonNotRecorded'
  | 'cordonLifted'
  | 'cordonSeen'
  | 'jobsDone'
  | 'jobsTimedOut'
  | 'jobsClockMissing'
  | 'podDeletionOn'
  | 'podDeletionOff'
  | 'resourcePodsGone'
  | 'resourcePodsKept'
  | 'podDeletionTimedOut'
  | 'podDeletionClockMissing'
  | 'drainOn'
  | 'drainOff'
  | 'drained'
  | 'drainRefused'
  | 'drainTimedOut'
  | 'drainClockMissing'
  | 'validationOn'
  | 'validationOff'
  | 'validated'
  | 'validationTimedOut'
  | 'validationClockMissing'
  | 'wasSchedulable'
  | 'wasUnschedulable';

/** What a row does beside changing the state; `effects.ts` carries it out on the node's patch, or adds actions. */
export type EffectName =
  | 'recordInitialCordon'
  | 'recordOutdated'
  | 'request'
  | 'clearStart'
  | 'clearRequest'
  | 'takeSlot'
  | 'cordon'
  | 'startWaiting'
  | 'startPodDeletion'
  | 'startDrain'
  | 'startValidation'
  | 'evictResourcePods'
  | 'evictPods'
  | 'deleteOldDriverPods'
  | 'unblockLoading'
  | 'uncordon'
  | 'finish'
  | 'failResourcePods'
  | 'failPodDeletion'
  | 'failDrainRefused'
  | 'failDrainTimedOut'
  | 'failDriverPod'
  | 'failValidation';

/** One row: in one of these states, when all of this holds, go there and do that. The first row that holds is taken. */
export interface TransitionRow {
  readonly id: string;
  readonly from: readonly NodeState[];
  readonly when: readonly GuardName[];
  /** `stay`: the state stays, and no other row is looked at. */
  readonly to: NodeState | 'stay';
  readonly then: readonly EffectName[];
  /** For the node's event and the diagram. */
  readonly message: string;
}
