import { describe, expect, it } from '@jest/globals';
import { createFakePorts, type FakePorts } from '../../../../test/kit/fake-ports.js';
import { patchNode } from '../../../forecast/simulation/api.js';
import { createCluster, putNode } from '../../../../test/kit/idle-cluster.js';
import { createLimit } from '../timing/limit.js';
import { patchUntilCertain, type BeginPermission, type WritePermission } from './patch.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { PatchNode, SnapshotNode } from '../../model/types.js';

const TIMED_OUT = { kind: 'retry', message: 'timed out' } as const;

function setUp() {
  const cluster = createCluster();
  const node = putNode(cluster, 'n1');
  const ports = createFakePorts(cluster, '');
  const action: PatchNode = {
    kind: 'patchNode',
    driver: 'ofed',
    node: 'n1',
    uid: node.uid,
    resourceVersion: node.resourceVersion,
    labels: { a: 'b' },
    annotations: { gone: null },
    unschedulable: true,
    steps: [],
  };
  return { cluster, ports, action };
}

const granted = (ports: FakePorts) => ({
  ports,
  permission: (): ReturnType<WritePermission> => 'granted',
  mayBegin: (): ReturnType<BeginPermission> => Promise.resolve(true),
  limit: createLimit(1),
  decidedFrom: () => undefined,
  renewed: () => undefined,
});

/** Sends a patch that gets these answers in their order; `lost`: it takes effect, and its answer is a time-out. */
async function sendPatch(
  answers: readonly ('real' | 'lost' | Answer<SnapshotNode>)[],
  permission: (requests: readonly string[]) => ReturnType<WritePermission> = () => 'granted',
) {
  const { cluster, ports, action } = setUp();
  const real = ports.cluster.patchNode.bind(ports.cluster);
  let calls = 0;
  ports.cluster.patchNode = async (patch) => {
    const answer = answers[calls++] ?? 'real';
    if (typeof answer === 'object') return answer;
    const given = await real(patch);
    return answer === 'real' ? given : TIMED_OUT;
  };
  const result = await ports.runUntil(
    patchUntilCertain({ ...granted(ports), permission: () => permission(ports.requests) }, action),
  );
  return { result, calls, cluster, requests: ports.requests };
}

describe('patchUntilCertain', () => {
  it.each([
    { name: 'a patch that is taken', answers: ['real'], kind: 'done', calls: 1 },
    { name: 'a time-out without effect', answers: [TIMED_OUT, 'real'], kind: 'done', calls: 2 },
    { name: 'a time-out after the patch took effect', answers: ['lost', 'real'], kind: 'done', calls: 2 },
    { name: 'a node that is gone', answers: [{ kind: 'gone', message: '' }], kind: 'gone', calls: 1 },
    { name: 'a refusal for good', answers: [{ kind: 'error', message: 'no' }], kind: 'failed', calls: 1 },
    { name: 'a missing right', answers: [{ kind: 'forbidden', message: 'no' }], kind: 'forbidden', calls: 1 },
    {
      name: 'a server that never answers',
      answers: Array.from({ length: 9 }, () => TIMED_OUT),
      kind: 'failed',
      calls: 5,
    },
  ] as const)('$name', async ({ answers, kind, calls }) => {
    const sent = await sendPatch(answers);
    expect(sent.result.kind).toBe(kind);
    expect(sent.calls).toBe(calls);
  });

  it.each([
    { name: 'the node was deleted', replaced: false },
    { name: 'the node was replaced', replaced: true },
  ])('is gone after a conflict when $name', async ({ replaced }) => {
    const { ports, action, cluster } = setUp();
    ports.cluster.patchNode = () => {
      if (replaced) putNode(cluster, 'n1', { uid: 'another' });
      else cluster.store.nodes.remove('n1', 'admin');
      return Promise.resolve({ kind: 'conflict', message: '' });
    };
    expect((await ports.runUntil(patchUntilCertain(granted(ports), action))).kind).toBe('gone');
  });

  it.each([
    { name: 'when none took effect', changes: {}, kind: 'failed' },
    { name: 'when the node changed meanwhile', changes: { labels: { by: 'admin' } }, kind: 'stale' },
    {
      name: 'when the label is another one',
      changes: { labels: { a: 'c' }, unschedulable: true },
      kind: 'stale',
    },
    {
      name: 'when an annotation stayed',
      changes: { labels: { a: 'b' }, annotations: { gone: 'no' }, unschedulable: true },
      kind: 'stale',
    },
    { name: 'when the node is not cordoned', changes: { labels: { a: 'b' } }, kind: 'stale' },
    { name: 'when one took effect', changes: { labels: { a: 'b' }, unschedulable: true }, kind: 'done' },
  ])('after five time-outs the node says what became of them: $name', async ({ changes, kind }) => {
    const { ports, action, cluster } = setUp();
    let calls = 0;
    ports.cluster.patchNode = () => {
      calls += 1;
      return Promise.resolve(TIMED_OUT);
    };
    ports.cluster.getNode = () => {
      if (Object.keys(changes).length > 0) putNode(cluster, 'n1', changes);
      const node = cluster.store.nodes.get('n1');
      return Promise.resolve(node === undefined ? { kind: 'gone', message: '' } : { kind: 'ok', value: node });
    };
    const result = await ports.runUntil(patchUntilCertain(granted(ports), action));
    expect([calls, result.kind]).toEqual([5, kind]);
    if (result.kind === 'failed') expect(result.message).toBe('timed out');
  });

  it('the node is asked for until there is an answer, with delays that the server may make longer', async () => {
    const { ports, action } = setUp();
    ports.cluster.patchNode = () => Promise.resolve({ kind: 'conflict', message: '' });
    const getNode = ports.cluster.getNode.bind(ports.cluster);
    const askedMs: number[] = [];
    ports.cluster.getNode = (name) => {
      askedMs.push(ports.clock.monotonicMs());
      if (askedMs.length === 1) return Promise.resolve(TIMED_OUT);
      return askedMs.length === 2 ? Promise.resolve({ ...TIMED_OUT, retryAfterSeconds: 3 }) : getNode(name);
    };
    expect((await ports.runUntil(patchUntilCertain(granted(ports), action))).kind).toBe('stale');
    const [first = 0, second = 0, third = 0] = askedMs;
    expect(second - first).toBeGreaterThan(0);
    expect(third - second).toBe(3_000);
  });

  it.each([
    { name: 'a patch that timed out is unknown', first: TIMED_OUT, kind: 'unknown' },
    { name: 'a patch that was refused is dropped', first: undefined, kind: 'dropped' },
  ])('when permission ends before the node was read, $name', async ({ first, kind }) => {
    const { ports, action } = setUp();
    let state: 'granted' | 'revoked' = 'granted';
    let calls = 0;
    ports.cluster.patchNode = () => {
      calls += 1;
      if (first !== undefined && calls === 1) return Promise.resolve(first);
      state = 'revoked';
      return Promise.resolve({ kind: 'conflict', message: '' });
    };
    const context = { ...granted(ports), permission: () => state };
    expect((await ports.runUntil(patchUntilCertain(context, action))).kind).toBe(kind);
  });

  it('a missing right to read the node is told', async () => {
    const { ports, action } = setUp();
    ports.cluster.patchNode = () => Promise.resolve({ kind: 'conflict', message: '' });
    ports.cluster.getNode = () => Promise.resolve({ kind: 'forbidden', message: 'no' });
    expect(await patchUntilCertain(granted(ports), action)).toEqual({ kind: 'forbidden', message: 'no' });
  });

  it('brings back the node as it is after a conflict', async () => {
    const { ports, action, cluster } = setUp();
    putNode(cluster, 'n1', { labels: { by: 'admin' } });
    const result = await ports.runUntil(patchUntilCertain(granted(ports), action));
    expect(result).toMatchObject({ kind: 'stale', node: { labels: { by: 'admin' } } });
  });

  it('does not take an earlier patch for its own when it sent only one', async () => {
    const { ports, action, cluster } = setUp();
    patchNode(cluster, action.node, action, 'ours');
    expect((await ports.runUntil(patchUntilCertain(granted(ports), action))).kind).toBe('stale');
  });

  it('is unknown when permission is revoked after a time-out, and dropped before the first request', async () => {
    const permission = (requests: readonly string[]) => (requests.length > 0 ? 'revoked' : 'granted');
    expect((await sendPatch(['lost'], permission)).result.kind).toBe('unknown');
    const dropped = await sendPatch([], () => 'revoked');
    expect([dropped.result.kind, dropped.requests]).toEqual(['dropped', []]);
  });

  it('waits while permission is suspended, and asks again when a queued request is next', async () => {
    const { ports, action } = setUp();
    const limit = createLimit(1);
    let free: () => void = () => undefined;
    void limit(() => new Promise<void>((resolve) => (free = resolve)));
    let state: 'granted' | 'suspended' = 'granted';
    const patched = patchUntilCertain({ ...granted(ports), permission: () => state, limit }, action);
    ports.clock.after(1_000, () => {
      state = 'suspended';
      free();
    });
    ports.clock.after(20_000, () => (state = 'granted'));
    const sentMs: number[] = [];
    const send = ports.cluster.patchNode.bind(ports.cluster);
    const startMs = ports.clock.monotonicMs();
    ports.cluster.patchNode = (patch) => {
      sentMs.push(ports.clock.monotonicMs() - startMs);
      return send(patch);
    };
    expect((await ports.runUntil(patched)).kind).toBe('done');
    expect(sentMs).toHaveLength(1);
    expect(sentMs[0]).toBeGreaterThanOrEqual(20_000);
  });

  it('leaves its place to other requests between two attempts', async () => {
    const { ports, action } = setUp();
    const limit = createLimit(1);
    ports.cluster.patchNode = () => Promise.resolve(TIMED_OUT);
    const order: string[] = [];
    const patched = patchUntilCertain({ ...granted(ports), limit }, action).then(() => {
      order.push('patch');
    });
    const other = ports.runUntil(limit(() => Promise.resolve()).then(() => void order.push('other')));
    await other;
    await ports.runUntil(patched);
    expect(order).toEqual(['other', 'patch']);
  });
});

describe('a patch that begins an upgrade', () => {
  const step = { driver: 'ofed', row: 'begin', from: 'upgrade-required', to: 'cordon-required', message: '' } as const;

  function sendWith(mayBegin: (attempt: number) => boolean, answers: 'lost'[] = []) {
    const { ports, action, cluster } = setUp();
    const real = ports.cluster.patchNode.bind(ports.cluster);
    let reads = 0;
    ports.cluster.patchNode = async (patch) => {
      const given = await real(patch);
      return answers.pop() === 'lost' ? TIMED_OUT : given;
    };
    const context = { ...granted(ports), mayBegin: () => Promise.resolve(mayBegin(++reads)) };
    const result = ports.runUntil(patchUntilCertain(context, { ...action, steps: [step] }));
    return { result, cluster, ports };
  }

  it('is not sent while the companion is paused', async () => {
    const { result, ports } = sendWith(() => false);
    expect(await result).toEqual({ kind: 'dropped' });
    expect(ports.requests).toEqual([]);
  });

  it('that timed out has its result read when a pause came meanwhile', async () => {
    const { result } = sendWith((read) => read === 1, ['lost']);
    expect((await result).kind).toBe('done');
  });

  it('is not sent where permission ended while the pause was read', async () => {
    const { ports, action } = setUp();
    let state: ReturnType<WritePermission> = 'granted';
    const mayBegin = (): ReturnType<BeginPermission> => {
      state = 'revoked';
      return Promise.resolve(true);
    };
    const context = { ...granted(ports), permission: () => state, mayBegin };
    expect(await ports.runUntil(patchUntilCertain(context, { ...action, steps: [step] }))).toEqual({ kind: 'dropped' });
    expect(ports.requests).toEqual([]);
  });
});

describe('a patch of a node that others write to', () => {
  const state = 'nvidia.com/gpu-driver-upgrade-state';

  /** Sends a patch while others change the node before each of its requests. */
  async function sendWhile(changes: readonly Partial<SnapshotNode>[], isKnown = true) {
    const { cluster, ports, action } = setUp();
    const node = cluster.store.nodes.get('n1');
    const real = ports.cluster.patchNode.bind(ports.cluster);
    const sent: string[] = [];
    const renewed: string[] = [];
    ports.cluster.patchNode = (patch) => {
      const change = changes[sent.length];
      sent.push(patch.resourceVersion);
      if (change !== undefined) putNode(cluster, 'n1', change);
      return real(patch);
    };
    const startMs = ports.clock.monotonicMs();
    const context = {
      ...granted(ports),
      decidedFrom: () => (isKnown ? node : undefined),
      renewed: (current: SnapshotNode, patch: PatchNode) => {
        renewed.push(current.resourceVersion);
        expect(patch).toEqual({ ...action, resourceVersion: current.resourceVersion });
      },
    };
    const { kind } = await ports.runUntil(patchUntilCertain(context, action));
    return { kind, sent, renewed, tookMs: ports.clock.monotonicMs() - startMs };
  }

  it('is sent again at once for the new version', async () => {
    const others = [1, 2, 3].map((count) => ({ annotations: { 'example.com/heartbeat': String(count) } }));
    const { kind, sent, renewed, tookMs } = await sendWhile(others);
    expect(kind).toBe('done');
    expect([sent.length, renewed]).toEqual([4, sent.slice(1)]);
    expect(tookMs).toBeLessThan(1_000);
  });

  it('is left to the next decision after five attempts', async () => {
    const others = [1, 2, 3, 4, 5].map((count) => ({ labels: { 'example.com/heartbeat': String(count) } }));
    const { kind, sent } = await sendWhile(others);
    expect([kind, sent.length]).toEqual(['stale', 5]);
  });

  it.each<{ readonly name: string; readonly change: Partial<SnapshotNode>; readonly isKnown?: boolean }>([
    { name: 'the state of a flow', change: { labels: { [state]: 'cordon-required' } } },
    { name: 'an annotation of a flow', change: { annotations: { 'weft.dev/ofed-done': 'a 1' } } },
    { name: 'a label that the patch writes', change: { labels: { a: 'c' } } },
    { name: 'an annotation that the patch removes', change: { annotations: { gone: 'no' } } },
    { name: 'the cordon', change: { unschedulable: true } },
    { name: 'the time of the cordon', change: { cordonTime: '2026-11-20T09:00:00Z' } },
    { name: 'anything, where it is not known what it was before', change: {}, isKnown: false },
  ])('is left to the next decision if they change $name', async ({ change, isKnown }) => {
    const { kind, sent } = await sendWhile([change], isKnown);
    expect([kind, sent.length]).toEqual(['stale', 1]);
  });
});
