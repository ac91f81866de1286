import { describe, expect, it } from '@jest/globals';
import { daemonSet, driverPod, node, NOW, policyOf, snapshot } from '../../../test/kit/snapshots.js';
import { driverKeys } from '../../shared/contract/labels.js';
import type { UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { Snapshot } from '../../companion/model/snapshot.js';
import type { SnapshotPod } from '../../companion/model/types.js';
import { decide } from '../../companion/decide.js';
import type { WaitKind } from '../../companion/model/wait-kinds.js';
import { statusRows } from './rows.js';
import type { Survey } from './survey.js';

const listed = (name: string) => daemonSet({ name, digest: name, renderedDigest: name });
const versions = { ofPod: new Map<string, string>(), ofDaemonSet: new Map([['nno/b', '26.01']]) };

/** The survey of a snapshot, without what the companion wrote. */
function surveyOf(policy: UpgradePolicy, state: Snapshot): Survey {
  const decision = decide(state, policy, NOW);
  return {
    ...{ policy, policyHash: '', snapshot: state, decision, nowMs: NOW },
    ...{ waiting: decision.waiting, companion: { kind: 'none' } },
  };
}

describe('a row of a node on which two DaemonSets would put a driver', () => {
  it('has the one whose pod is there, as the companion has', () => {
    const upgradePolicy = { autoUpgrade: true };
    const daemonSets = ['a', 'b'].map((name) => ({ name, digest: name }));
    const policy = policyOf({}, { policies: [{ name: 'NicClusterPolicy', upgradePolicy, daemonSets }] });
    const state = snapshot({
      nodes: [node('n', { state: 'upgrade-done' })],
      pods: [driverPod('n', { owner: 'b' })],
      daemonSets: [listed('a'), listed('b')],
    });
    expect(statusRows(surveyOf(policy, state), versions)).toMatchObject([{ node: 'n', to: '26.01' }]);
  });
});

describe('a row of a node that is done', () => {
  const annotations = { [driverKeys('ofed').done]: `x ${(NOW - 60_000) / 1000}` };
  const rowOf = (pod: SnapshotPod) => {
    const state = snapshot({ nodes: [node('n', { state: 'upgrade-done', annotations })], pods: [pod] });
    return statusRows(surveyOf(policyOf({}), state), versions)[0];
  };
  const unready = { ready: false, readyChangedMs: NOW - 5_000 };
  const crashed = { name: 'mofed-container', ready: false, restarts: 3, waitingReason: 'CrashLoopBackOff' };

  it.each([
    ['waits for nothing while its driver pod is ready', {}, '', NOW - 60_000],
    ['says that its driver pod is not ready', unready, 'driver pod nno/mofed-n is not ready: Running', NOW - 5_000],
    [
      'says why its driver pod is not ready',
      { ...unready, containers: [crashed] },
      'driver pod nno/mofed-n is not ready: container mofed-container waits (CrashLoopBackOff)',
      NOW - 5_000,
    ],
  ])('%s', (_name, input, waitsFor, sinceMs) => {
    expect(rowOf(driverPod('n', input))).toMatchObject({ state: 'upgrade-done', waitsFor, sinceMs });
  });
});

describe('a row of a node that waits for pods', () => {
  const blockers = ['apps/a', 'apps/b'].map((pod) => ({ kind: 'job', pod, budgets: [], reason: 'is there' }) as const);
  const rowOf = (kind: WaitKind, message: string) => {
    const state = snapshot({ nodes: [node('n', { state: 'drain-required' })], pods: [driverPod('n')] });
    const survey = surveyOf(policyOf({ autoUpgrade: true }), state);
    const waiting = [{ driver: 'ofed', node: 'n', state: 'drain-required', kind, message, blockers } as const];
    return statusRows({ ...survey, waiting }, versions)[0]?.waitsFor;
  };

  it('names them once, whatever its message says', () => {
    expect(rowOf('maintenance', 'is in Draining: not apps/a')).toBe(
      'is in Draining: not apps/a; apps/a: is there; apps/b: is there',
    );
    expect(rowOf('evictions', 'pod apps/a is there; and 1 more')).toBe('pod apps/a is there; and 1 more');
  });
});
