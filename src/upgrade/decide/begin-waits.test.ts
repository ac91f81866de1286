import { describe, expect, it } from '@jest/globals';
import { begun, fleet } from '../../../test/kit/decide-fleets.js';
import { digestOf } from '../../../test/kit/digests.js';
import { ago, keys, NOW, pod, policyOf } from '../../../test/kit/snapshots.js';
import { PRE_PULL_DIGEST_LABEL, PRE_PULL_LABEL } from '../../contract/labels.js';
import { decide } from './decide.js';
import type { SnapshotPod } from '../model/types.js';

it('tells the first of several windows', () => {
  const maintenanceWindows = ['0 23 * * *', '0 14 * * *', '0 22 * * *'].map((schedule) => ({
    schedule,
    duration: '1h',
  }));
  const policy = policyOf({}, { rollout: { maintenanceWindows } });
  const { waiting, wakeMs } = decide(fleet({ a: {} }), policy, NOW);
  const opensMs = Date.parse('2026-11-20T14:00:00Z');
  expect(waiting.map(({ kind, untilMs }) => ({ kind, untilMs }))).toEqual([{ kind: 'window', untilMs: opensMs }]);
  expect(wakeMs).toBe(opensMs);
});

describe('the image of the new driver', () => {
  const pulling = policyOf({}, { rollout: { prePull: true } });
  const puller = (input: Partial<SnapshotPod>) =>
    pod('a', 'puller', {
      namespace: 'nno',
      labels: { [PRE_PULL_LABEL]: 'ofed', [PRE_PULL_DIGEST_LABEL]: digestOf('new') },
      ...input,
    });

  it.each([
    { name: 'is there when the pod that pulls it is ready', input: { ready: true }, expected: ['a'] },
    { name: 'is not there while that pod runs and is not ready', input: { ready: false }, expected: [] },
    {
      name: 'is not there while that pod is pending',
      input: { ready: false, phase: 'Pending' as const },
      expected: [],
    },
  ])('$name', ({ input, expected }) => {
    const waiting = { annotations: { [keys.prePullStart]: ago(10) } };
    expect(begun(decide(fleet({ a: waiting }, { pods: [puller(input)] }), pulling, NOW))).toEqual(expected);
  });
});
