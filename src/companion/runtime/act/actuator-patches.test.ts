import { describe, expect, it } from '@jest/globals';
import { deletionOf, evictionOf, patchOf, setUp } from '../../../../test/kit/actuator.js';
import { flushPromises } from '../../../../test/kit/flush-promises.js';
import { putNode } from '../../../../test/kit/idle-cluster.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { PatchNode, SnapshotNode } from '../../model/types.js';
import type { Answer } from '../../../shared/kube-client/types.js';

const NOTHING_SEEN = { pods: podIndexOf([]), nodes: [] };

describe('patches', () => {
  /** Patches of n1 have no answer until `answerPatch` is called. */
  function setUpPods() {
    const one = setUp();
    const nodes = ['n1', 'n2'].map((name) => putNode(one.cluster, name));
    const send = one.ports.cluster.patchNode.bind(one.ports.cluster);
    let answerPatch: () => void = () => undefined;
    const sent: string[] = [];
    one.ports.cluster.patchNode = async (patch) => {
      sent.push(patch.node);
      if (patch.node === 'n1') await new Promise<void>((resolve) => (answerPatch = resolve));
      return send(patch);
    };
    const [n1, n2] = nodes as unknown as [SnapshotNode, SnapshotNode];
    return { ...one, n1, n2, sent, answerPatch: () => answerPatch() };
  }

  it('of different nodes do not wait for each other', async () => {
    const { actuator, n1, n2, sent, state } = setUpPods();
    actuator.start([patchOf(n1)], NOTHING_SEEN);
    await flushPromises();
    actuator.start([patchOf(n2)], NOTHING_SEEN);
    await flushPromises();
    expect(sent).toEqual(['n1', 'n2']);
    expect(state.done.map((action) => 'node' in action && action.node)).toEqual(['n2']);
    expect(actuator.idle()).toBe(false);
  });

  it('hold up everything else on their node, and nothing elsewhere', async () => {
    const { actuator, answer, asked, answerPatch, n1, sent } = setUpPods();
    const most = actuator.mostEvictions();
    actuator.start([patchOf(n1), evictionOf(1, 'n1')], NOTHING_SEEN);
    await flushPromises();
    // Actions of one decision are independent of each other.
    expect(asked).toEqual(['uid-1']);
    answer(1, { kind: 'accepted' });
    const later = [evictionOf(2, 'n1'), { ...deletionOf(3), node: 'n1' }, patchOf(n1), evictionOf(4, 'n2')];
    actuator.start(later, NOTHING_SEEN);
    await flushPromises();
    expect([asked, sent]).toEqual([['uid-1', 'uid-4'], ['n1']]);
    expect(actuator.mostEvictions()).toBe(most + 1);
    answerPatch();
    answer(1, { kind: 'accepted' });
    await flushPromises();
    actuator.start([evictionOf(2, 'n1')], NOTHING_SEEN);
    await flushPromises();
    expect(asked.slice(2)).toEqual(['uid-2']);
    expect(actuator.mostEvictions()).toBe(most);
  });

  it('wait for the evictions of earlier decisions on their node, and drop those that are queued', async () => {
    const { actuator, answer, asked, n2, sent } = setUpPods();
    // Two requests at a time: the first eviction of each node is under way, the others are queued.
    actuator.start([evictionOf(1, 'n2'), evictionOf(2, 'n3'), evictionOf(3, 'n2'), evictionOf(4, 'n3')], NOTHING_SEEN);
    await flushPromises();
    const most = actuator.mostEvictions();
    const returnToService = patchOf(n2, { unschedulable: false });
    actuator.start([returnToService, evictionOf(5, 'n2')], NOTHING_SEEN);
    await flushPromises();
    expect([asked, sent]).toEqual([['uid-1', 'uid-2'], []]);
    expect(actuator.mostEvictions()).toBe(most + 1);
    answer(2, { kind: 'refused', message: 'no' });
    await flushPromises();
    actuator.start([returnToService], NOTHING_SEEN);
    await flushPromises();
    expect([asked, sent]).toEqual([['uid-1', 'uid-2', 'uid-4'], ['n2']]);
  });

  it('that are held back themselves keep no eviction of their node waiting', async () => {
    const { actuator, answer, asked, ports, cluster } = setUp();
    ports.cluster.patchNode = () => Promise.resolve({ kind: 'error', message: 'a webhook says no' });
    const patch = patchOf(putNode(cluster, 'n1'));
    actuator.start([patch], NOTHING_SEEN);
    await actuator.whenIdle();
    actuator.start([evictionOf(1, 'n1')], NOTHING_SEEN);
    actuator.start([patch, evictionOf(2, 'n1')], NOTHING_SEEN);
    await flushPromises();
    expect(asked).toEqual(['uid-1', 'uid-2']);
    answer(2, { kind: 'accepted' });
    await actuator.whenIdle();
  });

  it('begin no second node while it is uncertain whether they began the first', async () => {
    const { actuator, answerPatch, n1, n2, results } = setUpPods();
    const key = 'nvidia.com/ofed-driver-upgrade-state';
    const step = {
      driver: 'ofed',
      row: 'begin',
      from: 'upgrade-required',
      to: 'cordon-required',
      message: '',
    } as const;
    actuator.start([patchOf(n1, { labels: { [key]: 'cordon-required' }, steps: [step] })], NOTHING_SEEN);
    const shown = () => results.withOwnWrites([n1, n2]).map(({ labels }) => labels[key]);
    expect(shown()).toEqual(['cordon-required', undefined]);
    // After a change by others the patch is sent again, unless it was for what they changed.
    const changed = { ...n1, resourceVersion: '9999' };
    expect(results.withOwnWrites([changed])[0]?.labels[key]).toBe('cordon-required');
    const further = { ...changed, labels: { ...changed.labels, [key]: 'drain-required' } };
    expect(results.withOwnWrites([further])[0]).toBe(further);
    await flushPromises();
    answerPatch();
    await flushPromises();
    expect(shown()).toEqual(['cordon-required', undefined]);
    expect(results.withOwnWrites([{ ...n1, resourceVersion: '9999' }])[0]?.labels[key]).toBeUndefined();
  });

  const begin = (node: SnapshotNode): PatchNode => {
    const step = {
      driver: 'ofed',
      row: 'begin',
      from: 'upgrade-required',
      to: 'cordon-required',
      message: '',
    } as const;
    return patchOf(node, { labels: { 'nvidia.com/ofed-driver-upgrade-state': 'cordon-required' }, steps: [step] });
  };

  it.each<{ readonly answer: Answer<never>; readonly problems: readonly string[] }>([
    { answer: { kind: 'error', message: 'a webhook says no' }, problems: ['node n1: a webhook says no'] },
    { answer: { kind: 'gone', message: 'not found' }, problems: [] },
  ])('that failed ($answer.kind) have begun nothing, and are held back', async ({ answer, problems }) => {
    const { actuator, ports, results, state, cluster } = setUp();
    let calls = 0;
    ports.cluster.patchNode = () => {
      calls += 1;
      return Promise.resolve(answer);
    };
    const node = putNode(cluster, 'n1');
    for (let decision = 0; decision < 3; decision += 1) {
      actuator.start([begin(node)], NOTHING_SEEN);
      await actuator.whenIdle();
    }
    expect(results.withOwnWrites([node])).toEqual([node]);
    expect([calls, state.done, actuator.problems()]).toEqual([1, [], problems]);
    expect(state.wasIdle).toEqual([true]);
  });

  it('that took effect are told once, and shown before the cache has them', async () => {
    const { actuator, results, state, cluster } = setUp();
    const node = putNode(cluster, 'n1');
    const patch = patchOf(node);
    actuator.start([patch], NOTHING_SEEN);
    await actuator.whenIdle();
    expect(state.done).toEqual([patch]);
    expect(results.withOwnWrites([node])).toEqual([cluster.store.nodes.get('n1')]);
    expect(state.wasIdle).toEqual([true]);
  });

  it('that came too late are not told, and the node is shown as it is', async () => {
    const { actuator, results, state, cluster } = setUp();
    const node = putNode(cluster, 'n1');
    const now = putNode(cluster, 'n1', { labels: { by: 'admin' } });
    actuator.start([patchOf(node)], NOTHING_SEEN);
    await actuator.whenIdle();
    expect([state.done, results.withOwnWrites([node])]).toEqual([[], [now]]);
    expect([actuator.problems(), state.wasIdle]).toEqual([[], [true]]);
  });

  it('are held back no more once one got through', async () => {
    const { actuator, ports, pass, cluster } = setUp();
    const send = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = () => Promise.resolve({ kind: 'error', message: 'no' });
    actuator.start([patchOf(putNode(cluster, 'n1'))], NOTHING_SEEN);
    await actuator.whenIdle();
    const dueMs = (actuator.nextMonotonicMs() ?? Infinity) - ports.clock.monotonicMs();
    expect(dueMs).toBeGreaterThan(0);
    expect(dueMs).toBeLessThanOrEqual(1_000);
    await pass(2_000);
    ports.cluster.patchNode = send;
    actuator.start([patchOf(putNode(cluster, 'n1'))], NOTHING_SEEN);
    await actuator.whenIdle();
    expect([actuator.problems(), actuator.nextMonotonicMs()]).toEqual([[], undefined]);
  });

  it('that end an upgrade free no slot before they are certain', () => {
    const { actuator, n1, results } = setUpPods();
    const step = { driver: 'ofed', row: 'end', from: 'uncordon-required', to: 'upgrade-done', message: '' } as const;
    actuator.start([patchOf(n1, { steps: [step] })], NOTHING_SEEN);
    expect(results.withOwnWrites([n1])).toEqual([n1]);
  });

  it('are counted: of a decision with thousands only the first 256 are sent', () => {
    const { actuator, ports, cluster } = setUp(1_000);
    let sent = 0;
    ports.cluster.patchNode = () => {
      sent += 1;
      return new Promise(() => undefined);
    };
    const nodes = Array.from({ length: 300 }, (_, index) => patchOf(putNode(cluster, `node-${index}`)));
    actuator.start(nodes, NOTHING_SEEN);
    expect(sent).toBe(256);
  });

  it('that only note the state of a node at rest take half of the places, and others do not wait for them', async () => {
    const { actuator, ports, cluster, state } = setUp(8);
    const sent: string[] = [];
    const answers: (() => void)[] = [];
    ports.cluster.patchNode = ({ node }) => {
      sent.push(node);
      return new Promise((resolve) => answers.push(() => resolve({ kind: 'gone', message: '' })));
    };
    const note = {
      driver: 'ofed',
      row: 'outdated',
      from: 'upgrade-done',
      to: 'upgrade-required',
      message: '',
    } as const;
    const begin = {
      driver: 'ofed',
      row: 'begin',
      from: 'upgrade-required',
      to: 'drain-required',
      message: '',
    } as const;
    const end = { driver: 'ofed', row: 'end', from: 'uncordon-required', to: 'upgrade-done', message: '' } as const;
    const notes = Array.from({ length: 6 }, (_, index) => patchOf(putNode(cluster, `n${index}`), { steps: [note] }));
    const others = [
      patchOf(putNode(cluster, 'begins'), { steps: [begin] }),
      patchOf(putNode(cluster, 'ends'), { steps: [end] }),
      patchOf(putNode(cluster, 'cordoned'), { steps: [note], unschedulable: true }),
      patchOf(putNode(cluster, 'record')),
    ];
    actuator.start([...notes, ...others], NOTHING_SEEN);
    const names = notes.map(({ node }) => node);
    await flushPromises();
    // The pause is read before a node begins.
    expect(sent).toEqual([...names.slice(0, 4), 'ends', 'cordoned', 'record', 'begins']);
    answers[3]?.();
    await flushPromises();
    expect(state.changes).toBe(1);
    actuator.start(notes, NOTHING_SEEN);
    expect(sent.slice(8)).toEqual(['n4']);
  });

  it('go before the evictions that wait, first those that end an upgrade, and those that note the state of a node at rest last', async () => {
    const { actuator, answer, asked, ports, cluster } = setUp();
    ports.cluster.patchNode = ({ node }) => {
      asked.push(node);
      return Promise.resolve({ kind: 'gone', message: '' });
    };
    const patches = (
      [
        ['notes', '', 'upgrade-required'],
        ['begins', 'upgrade-required', 'cordon-required'],
        ['goes on', 'drain-required', 'pod-restart-required'],
        ['ends', 'uncordon-required', 'upgrade-done'],
      ] as const
    ).map(([name, from, to]) =>
      patchOf(putNode(cluster, name), { steps: [{ driver: 'ofed', row: 'row', from, to, message: '' }] }),
    );
    patches.push(patchOf(putNode(cluster, 'records')));
    actuator.start([evictionOf(1, 'n1'), evictionOf(2, 'n2'), evictionOf(3, 'n3'), ...patches], NOTHING_SEEN);
    await flushPromises();
    expect(asked).toEqual(['uid-1', 'uid-2']);
    answer(1, { kind: 'accepted' });
    await flushPromises();
    answer(2, { kind: 'accepted' });
    await flushPromises();
    expect(asked.slice(2)).toEqual(['ends', 'begins', 'goes on', 'records', 'uid-3', 'notes']);
  });
});
