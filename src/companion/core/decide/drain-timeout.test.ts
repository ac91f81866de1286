import { describe, expect, it } from '@jest/globals';
import { cordoned } from '../../../../test/kit/decide-fleets.js';
import { oldDriverPod } from '../../../../test/kit/drains.js';
import { recorded } from '../../../../test/kit/records.js';
import { node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { decide } from '../../decide.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotBudget } from '../../model/types.js';

const web = pod('a', 'web');
const db = pod('a', 'db-0', { labels: { app: 'db' } });
const budget: SnapshotBudget = {
  ...{ namespace: 'apps', name: 'db', selector: { matchLabels: { app: 'db' } }, disruptionsAllowed: 0 },
};

/** What is done with the pods of a node whose drain has lasted so long, of the 300 seconds that it may: `evict` or `delete`, and the pod. */
function doneAfter(
  seconds: number,
  afterDrainTimeout: Rollout['afterDrainTimeout'],
  change: Pick<Partial<Snapshot>, 'budgets' | 'areBudgetsMissing'> = {},
): readonly string[] {
  const since = { 'drain-required': NOW / 1000 - seconds };
  const nodes = [node('a', { state: 'drain-required', ...cordoned, annotations: recorded({ cordon: '', since }) })];
  const seen = snapshot({ nodes, pods: [oldDriverPod('a'), web, db], budgets: [budget], ...change });
  const policy = policyOf({ drain: { timeoutSeconds: 300 } }, {}, { rollout: { afterDrainTimeout } });
  const decision = decide(seen, policy, NOW);
  const rows = patchesOf(decision).flatMap(({ steps }) => steps.map(({ row }) => row));
  const removals = decision.actions.flatMap((action) =>
    action.kind === 'evictPod' ? [`${action.isDeletion === true ? 'delete' : 'evict'} ${action.name}`] : [],
  );
  return [...rows, ...removals.sort()];
}

const EVICTED = ['evict db-0', 'evict web'];

describe('when the time of a drain is over', () => {
  it.each([
    { setting: undefined, before: EVICTED, after: ['failed'] },
    { setting: 'fail', before: EVICTED, after: ['failed'] },
    { setting: 'deletePods', before: EVICTED, after: ['delete web', 'evict db-0'] },
    { setting: 'deletePodsIgnoringBudgets', before: EVICTED, after: ['delete db-0', 'delete web'] },
  ] as const)('what `afterDrainTimeout: $setting` says is done', ({ setting, before, after }) => {
    expect(doneAfter(299, setting)).toEqual(before);
    expect(doneAfter(301, setting)).toEqual(after);
    expect(doneAfter(601, setting)).toEqual(['failed']);
  });

  it('no pod is deleted that may have a budget, because these could not be listed', () => {
    const missing = { budgets: [], areBudgetsMissing: true };
    expect(doneAfter(301, 'deletePods', missing)).toEqual(EVICTED);
  });
});
