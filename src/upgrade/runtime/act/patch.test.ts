import { describe, expect, it } from '@jest/globals';
import { createFakePorts } from '../../../../test/kit/story-ports.js';
import { createWorld, patchNode, putNode } from '../../../../test/kit/story-world.js';
import { patchUntilCertain } from './patch.js';
import type { Answer } from '../ports.js';
import type { PatchNode, SnapshotNode } from '../../model/types.js';

const TIMED_OUT = { kind: 'retry', message: 'timed out' } as const;

function setUp() {
  const world = createWorld();
  const node = putNode(world, 'n1');
  const ports = createFakePorts(world, '');
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
  return { world, ports, action };
}

/** Answers in their order: `land` lets the patch take effect first. */
async function play(
  answers: readonly ('real' | 'land' | Answer<SnapshotNode>)[],
  permission: () => 'granted' | 'revoked' = () => 'granted',
) {
  const { world, ports, action } = setUp();
  const real = ports.cluster.patchNode.bind(ports.cluster);
  let calls = 0;
  ports.cluster.patchNode = async (patch) => {
    const answer = answers[calls++] ?? 'real';
    if (typeof answer === 'object') return answer;
    const given = await real(patch);
    return answer === 'real' ? given : TIMED_OUT;
  };
  const result = await ports.runUntil(patchUntilCertain(ports, action, permission));
  return { result, calls, world, requests: ports.requests };
}

describe('patchUntilCertain', () => {
  it.each([
    { name: 'a patch that is taken', answers: ['real'], kind: 'done', calls: 1 },
    { name: 'a time-out without effect', answers: [TIMED_OUT, 'real'], kind: 'done', calls: 2 },
    { name: 'a time-out after the patch took effect', answers: ['land', 'real'], kind: 'done', calls: 2 },
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
    const played = await play(answers);
    expect(played.result.kind).toBe(kind);
    expect(played.calls).toBe(calls);
  });

  it('brings back the node as it is after a conflict', async () => {
    const { ports, action, world } = setUp();
    putNode(world, 'n1', { labels: { by: 'admin' } });
    const result = await ports.runUntil(patchUntilCertain(ports, action, () => 'granted'));
    expect(result).toMatchObject({ kind: 'stale', node: { labels: { by: 'admin' } } });
  });

  it('does not take an earlier patch for its own when it sent only one', async () => {
    const { ports, action, world } = setUp();
    patchNode(world, action);
    expect((await ports.runUntil(patchUntilCertain(ports, action, () => 'granted'))).kind).toBe('stale');
  });

  it('says that it does not know when it has to stop in between', async () => {
    let asked = 0;
    const permission = () => (++asked === 1 ? 'granted' : 'revoked');
    expect((await play(['land'], permission)).result.kind).toBe('unknown');
    expect((await play([], () => 'revoked')).result.kind).toBe('dropped');
  });
});
