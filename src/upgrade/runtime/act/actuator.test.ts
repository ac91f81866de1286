import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFakePorts } from '../../../../test/kit/story-ports.js';
import {
  createWorld,
  DRIVER_LABEL,
  NAMESPACE,
  putDaemonSet,
  putDriverPod,
  putNode,
  putPod,
} from '../../../../test/kit/story-world.js';
import { podIndexOf } from '../../model/pod-index.js';
import type {
  Action,
  DeleteDaemonSet,
  DeletePod,
  EvictionOutcome,
  EvictPod,
  PatchNode,
  SnapshotNode,
} from '../../model/types.js';
import { createRequestResults } from '../observe/request-results.js';
import type { Answer } from '../ports.js';
import { createActuator, type Actuator } from './actuator.js';
import type { WritePermission } from './patch.js';

const OUTCOMES: readonly EvictionOutcome[] = [
  { kind: 'accepted' },
  { kind: 'gone' },
  { kind: 'refused', message: 'no' },
];
const NO_PODS = podIndexOf([]);

/** An actuator over an API server that answers evictions when it is told to, and what that was asked for. */
function setUp(concurrency = 2) {
  const world = createWorld();
  const ports = createFakePorts(world, '');
  const asked: string[] = [];
  const waiting: ((outcome: EvictionOutcome) => void)[] = [];
  ports.cluster.evictPod = ({ uid }) => {
    asked.push(uid);
    return new Promise((resolve) => waiting.push(resolve));
  };
  ports.cluster.deletePod = ({ uid }) => {
    asked.push(uid);
    return Promise.resolve({ kind: 'ok', value: undefined });
  };
  ports.cluster.deleteDaemonSet = ({ uid }) => {
    asked.push(uid);
    return Promise.resolve({ kind: 'ok', value: undefined });
  };
  const permission: { state: ReturnType<WritePermission> } = { state: 'granted' };
  const results = createRequestResults(ports.clock, ports.random);
  const state = { changes: 0, done: [] as Action[], refused: [] as Action[], wasIdle: [] as boolean[] };
  const actuator: Actuator = createActuator(ports, {
    permission: () => permission.state,
    results,
    concurrency,
    changed() {
      state.changes += 1;
      state.wasIdle.push(actuator.idle());
    },
    done: (action) => void state.done.push(action),
    refused: (action) => void state.refused.push(action),
    crashed: (error) => {
      throw error;
    },
  });
  const answer = (count: number, outcome: EvictionOutcome) => waiting.splice(0, count).forEach((one) => one(outcome));
  /** Lets this much time pass. */
  const pass = (ms: number) => ports.runUntil(new Promise<void>((resolve) => void ports.clock.after(ms, resolve)));
  return { world, ports, actuator, asked, answer, pass, permission, results, state };
}

const evictionOf = (index: number, node = 'a'): EvictPod => {
  const uid = `uid-${index}`;
  return { kind: 'evictPod', driver: 'ofed', node, namespace: 'apps', name: `p${index}`, uid };
};
const deletionOf = (index: number, reason: DeletePod['reason'] = 'gated-pod-stale'): DeletePod => ({
  ...evictionOf(index),
  kind: 'deletePod',
  reason,
});
const retirement: DeleteDaemonSet = {
  ...{ kind: 'deleteDaemonSet', driver: 'ofed', namespace: NAMESPACE, name: 'old', uid: 'uid-old' },
  resourceVersion: '1',
};
const patchOf = ({ name, uid, resourceVersion }: SnapshotNode, change: Partial<PatchNode> = {}): PatchNode => ({
  ...{ kind: 'patchNode', driver: 'ofed', node: name, uid, resourceVersion },
  ...{ labels: { a: 'b' }, annotations: {}, steps: [], ...change },
});

/** Everything but the evictions that come after the first so many. */
function cut(actions: readonly Action[], actuator: Actuator): readonly Action[] {
  let left = actuator.mostEvictions();
  return actions.filter(({ kind }) => kind !== 'evictPod' || left-- > 0);
}

const everythingThatCanGoOn = () => new Promise((resolve) => setImmediate(resolve));

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
        free.actuator.start(actions, NO_PODS);
        limited.actuator.start(cut(actions, limited.actuator), NO_PODS);
        await everythingThatCanGoOn();
        free.answer(answers, outcome);
        limited.answer(answers, outcome);
        await everythingThatCanGoOn();
        expect(limited.asked).toEqual(free.asked);
      }
    }),
  );
});

describe('permission to write', () => {
  const actions = [evictionOf(1), deletionOf(2), retirement];

  it.each(['suspended', 'revoked'] as const)('nothing is sent while it is %s', async (state) => {
    const { actuator, asked, permission, ports, state: seen, world } = setUp();
    permission.state = state;
    actuator.start([...actions, patchOf(putNode(world, 'n1'))], NO_PODS);
    await everythingThatCanGoOn();
    expect([asked, ports.requests, seen.changes]).toEqual([[], [], 0]);
    expect(actuator.idle()).toBe(true);
  });

  it.each(['suspended', 'revoked'] as const)('what is queued is not sent when it is %s meanwhile', async (state) => {
    const { actuator, asked, permission, answer } = setUp();
    actuator.start([evictionOf(11), evictionOf(12), ...actions], NO_PODS);
    await everythingThatCanGoOn();
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
    actuator.start([deletionOf(1, 'driver-restart')], NO_PODS);
    await actuator.whenIdle();
    expect(asked).toEqual([]);
  });

  it('a patch that may still take effect when it is revoked is uncertain', async () => {
    const { actuator, permission, ports, world } = setUp();
    ports.cluster.patchNode = () => Promise.resolve({ kind: 'retry', message: 'timed out' });
    actuator.start([patchOf(putNode(world, 'n1'))], NO_PODS);
    await everythingThatCanGoOn();
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
      actuator.start([action], NO_PODS);
      await actuator.whenIdle();
      await pass(400);
    }
    expect([asked, state.done]).toEqual([[action.uid], [action]]);
    await pass(5_000);
    actuator.start([action], NO_PODS);
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
      actuator.start([deletionOf(1)], NO_PODS);
      await actuator.whenIdle();
      await pass(100);
    }
    expect([calls, state.done, actuator.problems()]).toEqual([1, [], []]);
  });

  it('a pod is not evicted again while its eviction is under way or its pod is gone', async () => {
    const { actuator, asked, answer, state } = setUp();
    actuator.start([evictionOf(1)], NO_PODS);
    actuator.start([evictionOf(1)], NO_PODS);
    await everythingThatCanGoOn();
    answer(1, { kind: 'gone' });
    await actuator.whenIdle();
    actuator.start([evictionOf(1)], NO_PODS);
    expect(asked).toEqual(['uid-1']);
    expect(state.wasIdle).toEqual([true]);
  });

  it('an eviction that was accepted is told, one that was refused, too', async () => {
    const { actuator, answer, results, state, world } = setUp();
    const pods = [1, 2].map((index) => putPod(world, { namespace: 'apps', name: `p${index}`, nodeName: 'a' }));
    const evictions = pods.map(({ uid, name }) => ({ ...evictionOf(0), uid, name }));
    actuator.start(evictions, NO_PODS);
    await everythingThatCanGoOn();
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
    actuator.start([deletionOf(1)], NO_PODS);
    await actuator.whenIdle();
    expect(actuator.problems()).toEqual([`apps/p1: ${'message' in answer ? answer.message : ''}`]);
    await pass(againMs - 600);
    actuator.start([deletionOf(1)], NO_PODS);
    expect(calls).toBe(1);
    await pass(1_000);
    actuator.start([deletionOf(1)], NO_PODS);
    expect(calls).toBe(2);
  });

  it('a missing right is remembered with its message', async () => {
    const forbidden = { kind: 'forbidden', message: 'may not' } as const;
    for (const method of ['patchNode', 'evictPod', 'deletePod', 'deleteDaemonSet', 'listPodsOnNode'] as const) {
      const { actuator, ports, world } = setUp();
      ports.cluster[method] = () => Promise.resolve(forbidden);
      const patch = patchOf(putNode(world, 'n1'));
      actuator.start([patch, evictionOf(1), deletionOf(2, 'driver-restart'), retirement], NO_PODS);
      await everythingThatCanGoOn();
      expect([method, actuator.forbidden()]).toEqual([method, 'may not']);
    }
  });
});

describe('before a driver pod is deleted', () => {
  function cluster() {
    const one = setUp();
    putNode(one.world, 'n1');
    putDaemonSet(one.world, 'mofed', 'v2');
    putDriverPod(one.world, 'n1', 'mofed', 'v1', true);
    const [driver] = one.world.pods.values();
    const deletion = { ...deletionOf(1, 'driver-restart'), node: 'n1', uid: driver?.uid ?? '' };
    return { ...one, deletion, cached: () => podIndexOf(one.world.pods.values()) };
  }

  it('the pods of its node are listed, once', async () => {
    const { actuator, asked, deletion, ports, cached } = cluster();
    actuator.start([deletion], cached());
    await actuator.whenIdle();
    expect([asked, ports.requests]).toEqual([[deletion.uid], ['list pods of a node']]);
  });

  it.each(['driver-restart', 'driver-leftover'] as const)(
    'a pod that the watch has not shown yet holds up a %s until it is shown',
    async (reason) => {
      const { actuator, asked, deletion, world, cached, pass } = cluster();
      const before = cached();
      putPod(world, { namespace: 'apps', name: 'late', nodeName: 'n1' });
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
    const { actuator, asked, deletion, world, cached } = cluster();
    const before = cached();
    putPod(world, { namespace: 'apps', name: 'late', ...pod });
    actuator.start([deletion], before);
    await actuator.whenIdle();
    expect(asked).toEqual([deletion.uid]);
  });

  it('a list that fails holds it up, too', async () => {
    const { actuator, asked, deletion, ports, cached } = cluster();
    ports.cluster.listPodsOnNode = () => Promise.resolve({ kind: 'retry', message: 'timed out' });
    actuator.start([deletion], cached());
    await actuator.whenIdle();
    expect(asked).toEqual([]);
    expect(DRIVER_LABEL in (cached().onNode('n1').all[0]?.labels ?? {})).toBe(true);
  });

  it.each(['gated-pod-stale', 'gated-pod-stuck'] as const)('nothing is listed for a %s', async (reason) => {
    const { actuator, deletion, ports, cached } = cluster();
    actuator.start([{ ...deletion, reason }], cached());
    await actuator.whenIdle();
    expect(ports.requests).toEqual([]);
  });
});

describe('patches', () => {
  /** Patches of n1 hang until `land`. */
  function cluster() {
    const one = setUp();
    const nodes = ['n1', 'n2'].map((name) => putNode(one.world, name));
    const send = one.ports.cluster.patchNode.bind(one.ports.cluster);
    let land: () => void = () => undefined;
    const sent: string[] = [];
    one.ports.cluster.patchNode = async (patch) => {
      sent.push(patch.node);
      if (patch.node === 'n1') await new Promise<void>((resolve) => (land = resolve));
      return send(patch);
    };
    const [n1, n2] = nodes as [SnapshotNode, SnapshotNode];
    return { ...one, n1, n2, sent, land: () => land() };
  }

  it('of different nodes do not wait for each other', async () => {
    const { actuator, n1, n2, sent, state } = cluster();
    actuator.start([patchOf(n1)], NO_PODS);
    await everythingThatCanGoOn();
    actuator.start([patchOf(n2)], NO_PODS);
    await everythingThatCanGoOn();
    expect(sent).toEqual(['n1', 'n2']);
    expect(state.done.map((action) => 'node' in action && action.node)).toEqual(['n2']);
    expect(actuator.idle()).toBe(false);
  });

  it('hold up everything else on their node, and nothing elsewhere', async () => {
    const { actuator, answer, asked, land, n1, sent } = cluster();
    const most = actuator.mostEvictions();
    actuator.start([patchOf(n1), evictionOf(1, 'n1')], NO_PODS);
    await everythingThatCanGoOn();
    // Actions of one decision are independent of each other.
    expect(asked).toEqual(['uid-1']);
    answer(1, { kind: 'accepted' });
    const later = [evictionOf(2, 'n1'), { ...deletionOf(3), node: 'n1' }, patchOf(n1), evictionOf(4, 'n2')];
    actuator.start(later, NO_PODS);
    await everythingThatCanGoOn();
    expect([asked, sent]).toEqual([['uid-1', 'uid-4'], ['n1']]);
    expect(actuator.mostEvictions()).toBe(most + 1);
    land();
    answer(1, { kind: 'accepted' });
    await everythingThatCanGoOn();
    actuator.start([evictionOf(2, 'n1')], NO_PODS);
    await everythingThatCanGoOn();
    expect(asked.slice(2)).toEqual(['uid-2']);
    expect(actuator.mostEvictions()).toBe(most);
  });

  it('begin no second node while it is uncertain whether they began the first', async () => {
    const { actuator, land, n1, n2, results } = cluster();
    const key = 'nvidia.com/ofed-driver-upgrade-state';
    const step = { row: 'begin', from: 'upgrade-required', to: 'cordon-required', message: '' } as const;
    actuator.start([patchOf(n1, { labels: { [key]: 'cordon-required' }, steps: [step] })], NO_PODS);
    const shown = () => results.withOwnWrites([n1, n2]).map(({ labels }) => labels[key]);
    expect(shown()).toEqual(['cordon-required', undefined]);
    expect(results.withOwnWrites([{ ...n1, resourceVersion: 'later' }])[0]?.labels[key]).toBeUndefined();
    await everythingThatCanGoOn();
    land();
    await everythingThatCanGoOn();
    expect(shown()).toEqual(['cordon-required', undefined]);
    expect(results.withOwnWrites([{ ...n1, resourceVersion: 'later' }])[0]?.labels[key]).toBeUndefined();
  });

  const begin = (node: SnapshotNode): PatchNode => {
    const step = { row: 'begin', from: 'upgrade-required', to: 'cordon-required', message: '' } as const;
    return patchOf(node, { labels: { 'nvidia.com/ofed-driver-upgrade-state': 'cordon-required' }, steps: [step] });
  };

  it.each<{ readonly answer: Answer<never>; readonly problems: readonly string[] }>([
    { answer: { kind: 'error', message: 'a webhook says no' }, problems: ['node n1: a webhook says no'] },
    { answer: { kind: 'gone', message: 'not found' }, problems: [] },
  ])('that failed ($answer.kind) have begun nothing, and are held back', async ({ answer, problems }) => {
    const { actuator, ports, results, state, world } = setUp();
    let calls = 0;
    ports.cluster.patchNode = () => {
      calls += 1;
      return Promise.resolve(answer);
    };
    const node = putNode(world, 'n1');
    for (let decision = 0; decision < 3; decision += 1) {
      actuator.start([begin(node)], NO_PODS);
      await actuator.whenIdle();
    }
    expect(results.withOwnWrites([node])).toEqual([node]);
    expect([calls, state.done, actuator.problems()]).toEqual([1, [], problems]);
    expect(state.wasIdle).toEqual([true]);
  });

  it('that took effect are told once, and shown before the cache has them', async () => {
    const { actuator, results, state, world } = setUp();
    const node = putNode(world, 'n1');
    const patch = patchOf(node);
    actuator.start([patch], NO_PODS);
    await actuator.whenIdle();
    expect(state.done).toEqual([patch]);
    expect(results.withOwnWrites([node])).toEqual([world.nodes.get('n1')]);
    expect(state.wasIdle).toEqual([true]);
  });

  it('that came too late are not told, and the node is shown as it is', async () => {
    const { actuator, results, state, world } = setUp();
    const node = putNode(world, 'n1');
    const now = putNode(world, 'n1', { labels: { by: 'admin' } });
    actuator.start([patchOf(node)], NO_PODS);
    await actuator.whenIdle();
    expect([state.done, results.withOwnWrites([node])]).toEqual([[], [now]]);
    expect([actuator.problems(), state.wasIdle]).toEqual([[], [true]]);
  });

  it('are held back no more once one got through', async () => {
    const { actuator, ports, pass, world } = setUp();
    const send = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = () => Promise.resolve({ kind: 'error', message: 'no' });
    actuator.start([patchOf(putNode(world, 'n1'))], NO_PODS);
    await actuator.whenIdle();
    const dueMs = (actuator.nextMonotonicMs() ?? Infinity) - ports.clock.monotonicMs();
    expect(dueMs).toBeGreaterThan(0);
    expect(dueMs).toBeLessThanOrEqual(1_000);
    await pass(2_000);
    ports.cluster.patchNode = send;
    actuator.start([patchOf(putNode(world, 'n1'))], NO_PODS);
    await actuator.whenIdle();
    expect([actuator.problems(), actuator.nextMonotonicMs()]).toEqual([[], undefined]);
  });

  it('that end an upgrade free no slot before they are certain', () => {
    const { actuator, n1, results } = cluster();
    const step = { row: 'end', from: 'uncordon-required', to: 'upgrade-done', message: '' } as const;
    actuator.start([patchOf(n1, { steps: [step] })], NO_PODS);
    expect(results.withOwnWrites([n1])).toEqual([n1]);
  });

  it('are counted: of a decision with thousands only the first 256 are sent', () => {
    const { actuator, ports, world } = setUp(1_000);
    let sent = 0;
    ports.cluster.patchNode = () => {
      sent += 1;
      return new Promise(() => undefined);
    };
    const nodes = Array.from({ length: 300 }, (_, index) => patchOf(putNode(world, `node-${index}`)));
    actuator.start(nodes, NO_PODS);
    expect(sent).toBe(256);
  });
});
