import { IN_PROGRESS_STATES } from '../../contract/labels.js';
import type { NodeState, PatchNode, WaitKind } from './types.js';

/** Every value of the state label that k8s-operator-libs knows. */
export const NODE_STATES: ReadonlySet<string> = new Set<NodeState>([
  '',
  'upgrade-required',
  'cordon-required',
  'wait-for-jobs-required',
  'pod-deletion-required',
  'drain-required',
  'pod-restart-required',
  'validation-required',
  'uncordon-required',
  'upgrade-done',
  'upgrade-failed',
  'node-maintenance-required',
  'post-maintenance-required',
]);

/** States of a node at rest: no state, or done. */
export const AT_REST: readonly NodeState[] = ['', 'upgrade-done'];

/** Whether a value of the state label is one of those. */
export function isAtRest(state: string): boolean {
  return (AT_REST as readonly string[]).includes(state);
}

/** States of a node whose upgrade has begun and not ended: from cordon to uncordon. */
export const IN_PROGRESS: ReadonlySet<string> = new Set<NodeState>([
  ...IN_PROGRESS_STATES,
  'node-maintenance-required',
  'post-maintenance-required',
]);

/** States of a driver that needs the node cordoned. One that is to be uncordoned does not, so two drivers never wait for each other. */
export const NEEDS_CORDON: ReadonlySet<string> = new Set([...IN_PROGRESS].filter((one) => one !== 'uncordon-required'));

/** States of a node that is cordoned and being drained. */
export const DRAINING: ReadonlySet<string> = new Set<NodeState>([
  'cordon-required',
  'wait-for-jobs-required',
  'pod-deletion-required',
  'drain-required',
]);

/**
 * Whether a run continues for nodes with this wait. If all remaining nodes wait for a time (a window, a soak) or for a user, the run
 * ends, and the next run of the CronJob continues.
 */
export const KEEPS_RUNNING: Readonly<Record<WaitKind, boolean>> = {
  jobs: true,
  evictions: true,
  termination: true,
  'driver-pod': true,
  validation: true,
  'cache-sync': true,
  'daemon-set': true,
  policy: false,
  image: true,
  slot: true,
  canary: true,
  'canary-missing': false,
  successor: true,
  'no-successor': false,
  topology: true,
  room: true,
  'other-driver': true,
  'patch-refused': false,
  unreachable: false,
  unavailable: false,
  window: false,
  soak: false,
  pause: false,
  skip: false,
  halt: false,
  failed: false,
  'failed-uncovered': false,
  'foreign-flow': false,
  orphan: false,
  off: false,
};

/** Whether a patch begins the upgrade of its node. */
export function beginsUpgrade({ steps }: PatchNode): boolean {
  return steps.some(({ from }) => from === 'upgrade-required') && IN_PROGRESS.has(steps.at(-1)?.to ?? '');
}
