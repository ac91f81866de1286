import type { TransitionRow } from './transition-row.js';

/**
 * The rows of nodes that the Maintenance Operator cordons and drains. Upstream gives a node back in the step that ends its upgrade, and does
 * not wait for the operator.
 */
export const MAINTENANCE_ROWS: readonly TransitionRow[] = [
  {
    id: 'maintenance-lost',
    upstream: false,
    from: ['wait-for-jobs-required', 'pod-deletion-required', 'drain-required', 'pod-restart-required'],
    when: ['inRequestorMode'],
    unless: ['maintenanceHeld', 'driverRestarted'],
    to: 'node-maintenance-required',
    then: [],
    message: 'its maintenance ended before its driver was restarted, so it is asked for again',
  },
  {
    id: 'drained-in-part',
    upstream: false,
    from: ['node-maintenance-required'],
    when: ['maintenanceReady', 'drainIncomplete'],
    to: 'wait-for-jobs-required',
    then: [],
    message: 'the Maintenance Operator drained it, and pods are left that its policy moves',
  },
  {
    id: 'maintenance-ready',
    from: ['node-maintenance-required'],
    when: ['maintenanceReady'],
    to: 'pod-restart-required',
    then: [],
    message: 'the Maintenance Operator drained it',
  },
  {
    id: 'give-back',
    upstream: false,
    from: ['uncordon-required'],
    when: ['inRequestorMode', 'cordonUnneeded'],
    to: 'post-maintenance-required',
    then: [],
    message: 'it is given back to the Maintenance Operator',
  },
  {
    id: 'given-back',
    upstream: false,
    from: ['post-maintenance-required'],
    when: ['nodeReturned'],
    to: 'upgrade-done',
    then: ['leaveOperator', 'finish'],
    message: 'the Maintenance Operator gave it back',
  },
];
