import type { NodeState } from '../../shared/contract/node-states.js';

/** What a node does at a time, as the legend names it. `isActive`: its upgrade has begun and not ended. */
export const PHASES = {
  pending: { label: 'waits to begin', isActive: false },
  jobs: { label: 'cordoned, waits for jobs', isActive: true },
  drain: { label: 'drained', isActive: true },
  restart: { label: 'driver restarts', isActive: true },
  validation: { label: 'validated', isActive: true },
  uncordon: { label: 'uncordoned', isActive: true },
  maintenance: { label: 'with the Maintenance Operator', isActive: true },
  failed: { label: 'failed', isActive: false },
} as const;

/** The phase of each state; a node at rest has none. */
export const PHASE_OF: Readonly<Record<NodeState, keyof typeof PHASES | undefined>> = {
  '': undefined,
  'upgrade-required': 'pending',
  'cordon-required': 'drain',
  'wait-for-jobs-required': 'jobs',
  'pod-deletion-required': 'drain',
  'drain-required': 'drain',
  'pod-restart-required': 'restart',
  'validation-required': 'validation',
  'uncordon-required': 'uncordon',
  'upgrade-done': undefined,
  'upgrade-failed': 'failed',
  'node-maintenance-required': 'maintenance',
  'post-maintenance-required': 'maintenance',
};
