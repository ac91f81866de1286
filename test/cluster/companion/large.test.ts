import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mostAtOnce } from '../upgrade-bed/audit.js';
import { expectFits, expectSound, reasonOf } from '../upgrade-bed/companion-checks.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

/**
 * A large fleet on the real API server: how much memory the companion takes, and how soon it reacts to events, while nodes
 * are upgraded. Only some of the nodes are upgraded: all would take the control plane an hour on a small machine.
 */
const NODES = 1_000;
const PODS_PER_NODE = 20;
const UPGRADED = 40;
const SLOTS = 20;
const REACTION_MS = 2_000;
const SECOND = 1_000;

let bed: UpgradeBed;
beforeAll(async () => {
  if (!isFull()) return;
  const startMs = performance.now();
  const drain = { enable: true, deleteEmptyDir: true, timeoutSeconds: 600 };
  bed = await startUpgradeBed('large', {
    ...{ nodes: NODES, podsPerNode: PODS_PER_NODE },
    upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: SLOTS, drain },
    upgrade: { canary: { nodes: UPGRADED, soak: '1d' } },
  });
  report(
    `${NODES} nodes with ${NODES * PODS_PER_NODE} pods in ${Math.round((performance.now() - startMs) / SECOND)} s`,
  );
});
afterAll(async () => {
  if (isFull()) await bed.stop();
});

// Only at full size, because the time depends on the machine.
const sized = isFull() ? describe : describe.skip;
sized(`${NODES} nodes with ${PODS_PER_NODE} pods each, on the real API server`, () => {
  it(`fit into the memory that is allowed while ${UPGRADED} are upgraded, and what is seen is acted on within two seconds`, async () => {
    await bed.nextVersion();
    const companion = await bed.start();
    expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 0, reason: 'waiting' });
    const { spans, evictions, requests } = expectSound(bed, SLOTS);
    const reactions = [...bed.reactionsMs()].sort((a, b) => a - b);
    const longest = reactions.at(-1) ?? Infinity;
    const figures = [
      `${spans.length} upgraded, ${mostAtOnce(spans)} at once`,
      `${(requests / spans.length).toFixed(1)} requests a node and ${evictions} evictions`,
      `${Math.round(companion.peakMiB())} MiB`,
      `${String(reactions[Math.floor(reactions.length / 2)])} ms from a driver pod's status to the patch of its node, at most ${longest} ms`,
    ];
    report(`${NODES} nodes with ${PODS_PER_NODE} pods: ${figures.join('; ')}`);
    expect(spans).toHaveLength(UPGRADED);
    expect(reactions.length).toBeGreaterThanOrEqual(UPGRADED);
    expectFits(companion);
    expect(longest).toBeLessThan(REACTION_MS);
  });
});
