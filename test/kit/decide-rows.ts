import { describe, expect, it } from '@jest/globals';
import {
  ago,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  patchesOf,
  policyOf,
  snapshot,
  stateAfter,
  swappedPairs,
  type SnapshotInput,
} from './snapshots.js';
import { decide } from '../../src/upgrade/decide/decide.js';
import { IN_PROGRESS } from '../../src/upgrade/model/node-states.js';
import { TRANSITIONS } from '../../src/upgrade/flow/transitions.js';
import type { SnapshotDaemonSet, SnapshotPod } from '../../src/upgrade/model/types.js';
import type { UpgradePolicy } from '../../src/contract/upgrade-policy.js';

export interface RowCase {
  readonly name: string;
  readonly node: Parameters<typeof node>[1];
  readonly pods?: readonly SnapshotPod[];
  readonly snapshot?: SnapshotInput;
  readonly policy?: UpgradePolicy;
  readonly to: string;
  /** Rows of one patch. */
  readonly rows?: readonly string[];
  /** All annotations that the patch changes, except the wanted driver, which every step in progress records. */
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly unschedulable?: boolean;
  readonly waits?: string;
}

export const drainOff = policyOf({});
export const drainOn = policyOf({ drain: {} });
export const jobs = policyOf({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 60 }, drain: {} });
export const validated = policyOf({}, { rollout: { validation: { resources: ['rdma/a'], podSelector: 'app=check' } } });
export const uninstall = policyOf(
  {},
  { uninstall: true, policies: [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets: [] }] },
);
export const paused = policyOf({}, {}, { paused: true });
export const oldPod = driverPod('a', { digest: 'old' });
export const newPod = driverPod('a');
export const endingPod = driverPod('a', { digest: 'old', name: 'ending', uid: 'uid-ending', deletionMs: NOW });
export const gone = daemonSet({ name: 'gone', digest: 'x', renderedDigest: 'x' });
export const goingPod = driverPod('a', { owner: 'gone', name: 'going', uid: 'uid-going' });
export const failingPod = driverPod('a', {
  ready: false,
  containers: [{ name: 'mofed-container', ready: false, restarts: 11 }],
});
/** A DaemonSet of the operator: it has no annotation with its digest. */
export const unrendered = Object.fromEntries(
  Object.entries(daemonSet()).filter(([key]) => key !== 'renderedDigest'),
) as unknown as SnapshotDaemonSet;
export const cordoned = { unschedulable: true } as const;
/** The companion's cordon of an upgrade that a change of the state label interrupted. */
export const ours = { [keys.cordoned]: 'true' };
/** The restart of the driver began a minute ago, or begins in this decision. */
export const restarting = { [keys.restartStart]: ago(60) };
export const restartsNow = { [keys.restartStart]: (NOW / 1000).toFixed(3) };
export const otherDriverBusy = { 'nvidia.com/gpu-driver-upgrade-state': 'drain-required' };
export const rolloutOf = (policy: UpgradePolicy) => {
  const done = decide(snapshot({ nodes: [node('a', { state: 'uncordon-required' })], pods: [newPod] }), policy, NOW);
  return patchesOf(done)[0]?.annotations[keys.done];
};

/** Runs the cases on the table as it is, and on the table with pairs of rows swapped whose order does not matter. */
export function itDecides(cases: readonly RowCase[]): void {
  describe.each([
    { order: 'as it is', table: TRANSITIONS },
    { order: 'with pairs swapped', table: swappedPairs },
  ])('decide: one node, the table $order', ({ table }) => {
    it.each(cases)('$name', (row) => {
      const one = node('a', row.node);
      const before = snapshot({ nodes: [one], pods: row.pods ?? [], ...row.snapshot });
      const decision = decide(before, row.policy ?? drainOff, NOW, table);
      const [patch] = patchesOf(decision);
      expect(patchesOf(decision).length).toBeLessThanOrEqual(1);
      expect(stateAfter(decision, one)).toBe(row.to);
      if (row.rows !== undefined) expect((patch?.steps ?? []).map((step) => step.row)).toEqual(row.rows);
      const records = patch !== undefined && patch.steps.length > 0 && IN_PROGRESS.has(row.to);
      const wanted = (row.policy ?? drainOff).drivers[0]?.policies[0]?.daemonSets[0]?.digest ?? 'none';
      if (row.annotations !== undefined)
        expect(patch?.annotations ?? {}).toEqual({ ...(records && { [keys.wanted]: wanted }), ...row.annotations });
      expect(patch?.unschedulable).toBe(row.unschedulable);
      expect(decision.waiting.map((waiting) => waiting.kind)).toEqual(row.waits === undefined ? [] : [row.waits]);
    });
  });
}
