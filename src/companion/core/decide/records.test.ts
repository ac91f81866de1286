import { describe, expect, it } from '@jest/globals';
import { ago, driverPod, keys, node, NOW, patchesOf, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { digestOf } from '../../../../test/kit/digests.js';
import type { DriverKeys } from '../../../shared/contract/labels.js';
import { decide } from './decide.js';

const FIRST = '2026-11-20T09:00:00Z';
const outdated = driverPod('a', { digest: 'old' });
const paused = policyOf({ drain: {} }, {}, { paused: true });

/** The patch of a cordoned node with these pods, while no node may begin. */
function patchOf(state: string, annotations: Record<string, string>, pods = [outdated], cordonTime = FIRST) {
  const nodes = [node('a', { state, unschedulable: true, annotations, cordonTime })];
  return patchesOf(decide(snapshot({ nodes, pods }), paused, NOW))[0];
}

const wantedNow = digestOf('new');

describe('records that an upgrade left on a node', () => {
  const AT_REST = ['', 'upgrade-done'];
  const cases: readonly { record: keyof DriverKeys; value: string; goesIn: readonly string[] }[] = [
    ...(['outdated'] as const).map((record) => {
      return { record, value: 'true', goesIn: [...AT_REST, 'drain-required', 'upgrade-failed'] };
    }),
    { record: 'prePullStart', value: ago(60), goesIn: [...AT_REST, 'drain-required', 'upgrade-failed'] },
    ...(['podDeletionStart', 'drainStart'] as const).map((record) => {
      return { record, value: ago(60), goesIn: [...AT_REST, 'upgrade-required', 'upgrade-failed'] };
    }),
    ...(['waitStart', 'restartStart', 'validationStart'] as const).map((record) => {
      return { record, value: ago(60), goesIn: [...AT_REST, 'upgrade-required', 'drain-required', 'upgrade-failed'] };
    }),
    { record: 'wanted', value: wantedNow, goesIn: [...AT_REST, 'upgrade-required'] },
    ...(['restartsBefore', 'cordonLifted'] as const).map((record) => {
      return { record, value: '1', goesIn: [...AT_REST, 'upgrade-required', 'upgrade-failed'] };
    }),
    { record: 'failure', value: 'it broke', goesIn: [...AT_REST, 'drain-required'] },
    { record: 'before', value: '{}', goesIn: AT_REST },
    { record: 'done', value: 'a 1', goesIn: [] },
  ];
  const states = ['', 'upgrade-done', 'upgrade-required', 'drain-required', 'upgrade-failed'];

  it.each(cases.flatMap((one) => states.map((state) => ({ ...one, state, isGone: one.goesIn.includes(state) }))))(
    '$record in "$state": taken away $isGone',
    ({ record, value, state, isGone }) => {
      // The drain begins now, so no row is taken.
      const begun: Record<string, string> = state === 'drain-required' ? { [keys.drainStart]: ago(0) } : {};
      const patch = patchOf(state, { ...begun, [keys[record]]: value }, []);
      expect(patch?.annotations[keys[record]]).toBe(isGone ? null : undefined);
    },
  );
});
