import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/kit/fast-check.js';
import { deletionOf, evictionOf, patchOf, retirement, setUp } from '../../../../test/kit/actuator.js';
import { flushPromises } from '../../../../test/kit/flush-promises.js';
import { DRIVER_LABEL, putDaemonSet, putDriverPod, putNode, putPod } from '../../../../test/kit/idle-cluster.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Action, EvictionOutcome } from '../../model/types.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { Actuator } from './actuator.js';

const OUTCOMES: readonly EvictionOutcome[] = [
  { kind: 'accepted' },
  { kind: 'gone' },
  { kind: 'refused', message: 'no' },
];
const NOTHING_SEEN = { pods: podIndexOf([]), nodes: [] };

/** All actions except evictions after the first ones. */
function cut(actions: readonly Action[], actuator: Actuator): readonly Action[] {
  let left = actuator.mostEvictions();
  return actions.filter(({ kind }) => kind !== 'evictPod' || left-- > 0);
}

it('sends the same of a decision that names no more evictions than it can use', async () => {
  const step = fc.record({
    gone: fc.nat(12),
    deletions: fc.array(fc.integer({ min: 0, max: 45 }), { maxLength: 3 }),
    answers: fc.nat(6),
    outcome: fc.constantFrom(...OUTCOMES),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const free = setUp();
      const limited = setUp();
      for (const { gone, deletions, answers, outcome } of steps) {
        const actions: Action[] = Array.from({ length: 40 - gone }, (_, index) => evictionOf(gone + index));
        for (const place of deletions) actions.splice(place, 0, deletionOf(1000 + place));
        free.actuator.start(actions, NOTHING_SEEN);
        limited.actuator.start(cut(actions, limited.actuator), NOTHING_SEEN);
        await flushPromises();
        free.answer(answers, outcome);
        limited.answer(answers, outcome);
        await flushPromises();
        expect(limited.asked).toEqual(free.asked);
      }
    }),
  );
});

describe('permission to write', () => {
  const actions = [evictionOf(1), deletionOf(2), retirement];

  it.each(['suspended', 'revoked'] as const)('nothing is sent while it is %s', async (state) => {
    const { actuator, asked, permission, ports, state: seen, cluster } = setUp();
    permission.state = state;
    actuator.start([...actions, patchOf(putNode(cluster, 'n1'))], NOTHING_SEEN);
    await flushPromises();
    expect([asked, ports.requests, seen.changes]).toEqual([[], [], 0]);
    expect(actuator.idle()).toBe(true);
  });

  it.each(['suspended', 'revoked'] as const)('what is queued is not sent when it is %s meanwhile', async (state) => {
    const { actuator, asked, permission, answer } = setUp();
    actuator.start([evictionOf(11), evictionOf(12), ...actions], NOTHING_SEEN);
    await flushPromises();
    expect(asked).toEqual(['uid-11', 'uid-12']);
    permission.state = state;
    answer(2, { kind: 'accepted' });
    await actuator.whenIdle();
    expect(asked).toEqual(['uid-11', 'uid-12']);
  });

  it('a driver pod is not deleted when it ends while the pods of the node are listed', async () => {
    const { actuator, asked, permission, ports } = setUp();
    ports.cluster.listPodsOnNode = () => {
      permission.state = 'suspended';
      return Promise.resolve({ kind: 'ok', value: [] });
    };
    actuator.start([deletionOf(1, 'driver-restart')], NOTHING_SEEN);
    await actuator.whenIdle();
    expect(asked).toEqual([]);
  });

  it('a patch that may still take effect when it is revoked is uncertain', async () => {
    const { actuator, permission, ports, cluster } = setUp();
    ports.cluster.patchNode = () => Promise.resolve({ kind: 'retry', message: 'timed out' });
    actuator.start([patchOf(putNode(cluster, 'n1'))], NOTHING_SEEN);
    await flushPromises();
    expect(actuator.uncertain()).toBe(false);
    permission.state = 'revoked';
    await ports.runUntil(actuator.whenIdle());
    expect(actuator.uncertain()).toBe(true);
  });
});

describe('what was sent', () => {
  it.each([
    { name: 'a pod that was deleted', action: deletionOf(1) },
    { name: 'a DaemonSet that was deleted', action: retirement },
  ])('$name is not deleted again before the cache can show it', async ({ action }) => {
    const { actuator, asked, pass, state } = setUp();
    for (let decision = 0; decision < 10; decision += 1) {
      actuator.start([action], NOTHING_SEEN);
      await actuator.whenIdle();
      await pass(400);
    }
    expect([asked, state.done]).toEqual([[action.uid], [action]]);
    await pass(5_000);
    actuator.start([action], NOTHING_SEEN);
    expect(asked).toHaveLength(2);
  });

  it.each(['gone', 'conflict'] as const)('a deletion answered with %s is not repeated either', async (kind) => {
    const { actuator, ports, pass, state } = setUp();
    let calls = 0;
    ports.cluster.deletePod = () => {
      calls += 1;
      return Promise.resolve({ kind, message: 'no' });
    };
    for (let decision = 0; decision < 5; decision += 1) {
      actuator.start([deletionOf(1)], NOTHING_SEEN);
      await actuator.whenIdle();
      await pass(100);
    }
    expect([calls, state.done, actuator.problems()]).toEqual([1, [], []]);
  });

  it('a pod is not evicted again while its eviction is under way or its pod is gone', async () => {
    const { actuator, asked, answer, state } = setUp();
    actuator.start([evictionOf(1)], NOTHING_SEEN);
    actuator.start([evictionOf(1)], NOTHING_SEEN);
    await flushPromises();
    answer(1, { kind: 'gone' });
    await actuator.whenIdle();
    actuator.start([evictionOf(1)], NOTHING_SEEN);
    expect(asked).toEqual(['uid-1']);
    expect(state.wasIdle).toEqual([true]);
  });

  it('a deletion and a patch go before evictions that wait, and evictions leave room for them', async () => {
    const { actuator, answer, asked, ports, cluster } = setUp(1);
    const send = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = (patch) => {
      asked.push(patch.node);
      return send(patch);
    };
    const evictions = [1, 2, 3, 4, 5].map((index) => evictionOf(index));
    actuator.start([...evictions, deletionOf(6), patchOf(putNode(cluster, 'n1'))], NOTHING_SEEN);
    await flushPromises();
    expect(asked).toEqual(['uid-1']);
    for (let index = 0; index < 4; index++) {
      answer(1, { kind: 'accepted' });
      await flushPromises();
    }
    expect(asked).toEqual(['uid-1', 'uid-6', 'n1', 'uid-2', 'uid-3', 'uid-4']);
  });

  it('an eviction that was accepted is told, one that was refused, too', async () => {
    const { actuator, answer, results, state, cluster } = setUp();
    const pods = [1, 2].map((index) => putPod(cluster, { namespace: 'apps', name: `p${index}`, nodeName: 'a' }));
    const evictions = pods.map(({ uid, name }) => ({ ...evictionOf(0), uid, name }));
    actuator.start(evictions, NOTHING_SEEN);
    await flushPromises();
    answer(1, { kind: 'accepted' });
    answer(1, { kind: 'refused', message: 'no' });
    await actuator.whenIdle();
    expect([state.done, state.refused]).toEqual([[evictions[0]], [evictions[1]]]);
    const records = [...(results.evictions(podIndexOf(pods)).byNode.get('a')?.values() ?? [])];
    expect(records.map(({ outcome }) => outcome)).toEqual(['accepted', 'refused']);
  });

  it.each<{ readonly answer: Answer<never>; readonly againMs: number }>([
    { answer: { kind: 'error', message: 'a webhook says no' }, againMs: 1_000 },
    { answer: { kind: 'retry', message: 'busy' }, againMs: 1_000 },
    { answer: { kind: 'retry', message: 'busy', retryAfterSeconds: 7 }, againMs: 7_000 },
  ])('a deletion that fails ($answer) is a problem, and sent again later', async ({ answer, againMs }) => {
    const { actuator, ports, pass } = setUp();
    let calls = 0;
    ports.cluster.deletePod = () => {
      calls += 1;
      return Promise.resolve(answer);
    };
    actuator.start([deletionOf(1)], NOTHING_SEEN);
    await actuator.whenIdle();
    expect(actuator.problems()).toEqual([`apps/p1: ${'message' in answer ? answer.message : ''}`]);
    await pass(againMs - 600);
    actuator.start([deletionOf(1)], NOTHING_SEEN);
    expect(calls).toBe(1);
    await pass(1_000);
    actuator.start([deletionOf(1)], NOTHING_SEEN);
    expect(calls).toBe(2);
  });

  it('a missing right is remembered with its message', async () => {
    const forbidden = { kind: 'forbidden', message: 'may not' } as const;
    for (const method of ['patchNode', 'evictPod', 'deletePod', 'deleteDaemonSet', 'listPodsOnNode'] as const) {
      const { actuator, ports, cluster } = setUp();
      ports.cluster[method] = () => Promise.resolve(forbidden);
      const patch = patchOf(putNode(cluster, 'n1'));
      actuator.start([patch, evictionOf(1), deletionOf(2, 'driver-restart'), retirement], NOTHING_SEEN);
      await flushPromises();
      expect([method, actuator.forbidden()]).toEqual([method, 'may not']);
    }
  });
});

describe('before a driver pod is deleted', () => {
  function setUpPods() {
    const one = setUp();
    putNode(one.cluster, 'n1');
    putDaemonSet(one.cluster, 'mofed', 'v2');
    putDriverPod(one.cluster, 'n1', 'mofed', 'v1', true);
    const [driver] = one.cluster.store.pods.values();
    const deletion = { ...deletionOf(1, 'driver-restart'), node: 'n1', uid: driver?.uid ?? '' };
    return { ...one, deletion, cached: () => ({ pods: podIndexOf(one.cluster.store.pods.values()), nodes: [] }) };
  }

  it('the pods of its node are listed, once', async () => {
    const { actuator, asked, deletion, ports, cached } = setUpPods();
    actuator.start([deletion], cached());
    await actuator.whenIdle();
    expect([asked, ports.requests]).toEqual([[deletion.uid], ['list pods of a node']]);
  });

  it.each(['driver-restart', 'driver-leftover'] as const)(
    'a pod that the watch has not shown yet holds up a %s until it is shown',
    async (reason) => {
      const { actuator, asked, deletion, cluster, cached, pass } = setUpPods();
      const before = cached();
      putPod(cluster, { namespace: 'apps', name: 'late', nodeName: 'n1' });
      actuator.start([{ ...deletion, reason }], before);
      await actuator.whenIdle();
      expect(asked).toEqual([]);
      expect(actuator.problems()).toEqual([expect.stringContaining('pod apps/late on node n1')]);
      await pass(2_000);
      actuator.start([{ ...deletion, reason }], cached());
      await actuator.whenIdle();
      expect(asked).toEqual([deletion.uid]);
    },
  );

  it.each([
    { name: 'a finished pod', pod: { nodeName: 'n1', phase: 'Succeeded' } },
    { name: 'a pod of another node', pod: { nodeName: 'n2' } },
  ] as const)('$name is nothing to wait for', async ({ pod }) => {
    const { actuator, asked, deletion, cluster, cached } = setUpPods();
    const before = cached();
    putPod(cluster, { namespace: 'apps', name: 'late', ...pod });
    actuator.start([deletion], before);
    await actuator.whenIdle();
    expect(asked).toEqual([deletion.uid]);
  });

  it('a list that fails holds it up, too', async () => {
    const { actuator, asked, deletion, ports, cached } = setUpPods();
    ports.cluster.listPodsOnNode = () => Promise.resolve({ kind: 'retry', message: 'timed out' });
    actuator.start([deletion], cached());
    await actuator.whenIdle();
    expect(asked).toEqual([]);
    expect(DRIVER_LABEL in (cached().pods.onNode('n1')[0]?.labels ?? {})).toBe(true);
  });

  it('nothing is listed for a stale gated pod', async () => {
    const { actuator, deletion, ports, cached } = setUpPods();
    actuator.start([{ ...deletion, reason: 'gated-pod-stale' }], cached());
    await actuator.whenIdle();
    expect(ports.requests).toEqual([]);
  });
});
