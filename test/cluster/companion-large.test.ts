import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { driverKeys } from '../../src/contract/labels.js';
import { reasonOf } from './companion-checks.js';
import { isDriver, isReady, nodeOf } from './fleet.js';
import { isFull, say } from './test-bed.js';
import { startUpgradeBed, type UpgradeBed } from './upgrade-bed.js';

/** The companion on the largest cluster that a control plane on one machine holds: its memory, and how soon it acts on an event. */
const NODES = 1_000;
const PODS_PER_NODE = 20;
const MEMORY_MIB = 128;
const DECISION_MS = 2_000;
const CANARIES = 3;
const STATE = driverKeys('ofed').state;

let bed: UpgradeBed;
beforeAll(async () => {
  if (!isFull()) return;
  bed = await startUpgradeBed('large', {
    nodes: NODES,
    podsPerNode: PODS_PER_NODE,
    upgradePolicy: {
      autoUpgrade: true,
      maxParallelUpgrades: 1,
      drain: { enable: true, deleteEmptyDir: true, timeoutSeconds: 300 },
    },
    upgrade: { canary: { nodes: CANARIES, soak: '1d' } },
    loadMs: () => 2_000,
  });
}, 1_800_000);
afterAll(async () => {
  if (isFull()) await bed.stop();
});

interface Reactions {
  /** Milliseconds from a ready driver to the end of its node's upgrade, as watches show both. */
  readonly reactionMs: () => readonly number[];
  readonly stop: () => void;
}

function watchReactions(): Reactions {
  const { client } = bed.controlPlane;
  const readyMs = new Map<string, number>();
  const reactions: number[] = [];
  const drivers = client.watch('/api/v1/pods', (_type, pod) => {
    if (!isDriver(pod)) return;
    if (!isReady(pod) || pod.metadata.deletionTimestamp !== undefined) readyMs.delete(nodeOf(pod));
    else if (!readyMs.has(nodeOf(pod))) readyMs.set(nodeOf(pod), performance.now());
  });
  const isHalfWay = new Set<string>();
  const nodes = client.watch('/api/v1/nodes', (_type, { metadata }) => {
    const state = metadata.labels?.[STATE] ?? '';
    if (state === 'pod-restart-required') isHalfWay.add(metadata.name);
    if (state !== 'upgrade-done' || !isHalfWay.delete(metadata.name)) return;
    reactions.push(performance.now() - (readyMs.get(metadata.name) ?? Number.NaN));
  });
  return {
    reactionMs: () => reactions,
    stop: () => {
      drivers();
      nodes();
    },
  };
}

// Only at full size: the time depends on the machine.
const sized = isFull() ? describe : describe.skip;
sized(`${NODES} nodes with ${PODS_PER_NODE} pods each`, () => {
  it('fit into the memory that is allowed, and an event is acted on within two seconds', async () => {
    await bed.nextVersion();
    const reactions = watchReactions();
    const companion = await bed.start();
    const code = await companion.ended;
    reactions.stop();
    expect({ code, reason: reasonOf(companion) }).toEqual({ code: 0, reason: 'waiting' });
    const slowestMs = Math.max(...reactions.reactionMs());
    const memory = `${Math.round(companion.peakMiB())} MiB`;
    say(
      `${NODES} nodes with ${PODS_PER_NODE} pods: ${memory}, at most ${Math.round(slowestMs)} ms from an event to the patch`,
    );
    expect(reactions.reactionMs()).toHaveLength(CANARIES);
    expect(companion.peakMiB()).toBeLessThan(MEMORY_MIB);
    expect(slowestMs).toBeLessThan(DECISION_MS);
  }, 600_000);
});
