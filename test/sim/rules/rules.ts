import type { SnapshotNode } from '../../../src/upgrade/model/types.js';

/** A rule that a run broke. */
export class Violation extends Error {
  constructor(
    readonly rule: string,
    readonly fact: string,
  ) {
    super(`${rule}: ${fact}`);
  }
}

/** From cordon to uncordon. */
export const IN_PROGRESS: ReadonlySet<string> = new Set([
  'cordon-required',
  'wait-for-jobs-required',
  'pod-deletion-required',
  'drain-required',
  'pod-restart-required',
  'validation-required',
  'uncordon-required',
]);
/** States in which pods may be ended. */
export const DRAINING: ReadonlySet<string> = new Set(['pod-deletion-required', 'drain-required']);

/** Whether a node has all these labels. */
export const hasAll = (node: SnapshotNode, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).every(([key, value]) => node.labels[key] === value);
