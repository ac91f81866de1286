import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isFull, say } from './test-bed.js';
import { startUpgradeBed, type UpgradeBed } from './upgrade-bed.js';

const NODES = isFull() ? 200 : 20;
const SLOTS = isFull() ? 20 : 4;

let bed: UpgradeBed;
beforeAll(async () => {
  bed = await startUpgradeBed('companion', {
    nodes: NODES,
    podsPerNode: 5,
    upgradePolicy: {
      autoUpgrade: true,
      maxParallelUpgrades: SLOTS,
      drain: { enable: true, deleteEmptyDir: true, timeoutSeconds: 300 },
    },
  });
});
afterAll(() => bed.stop());

describe('a fleet', () => {
  it(`of ${NODES} nodes gets a new driver version, ${SLOTS} at a time`, async () => {
    await bed.nextVersion();
    const startMs = performance.now();
    const companion = bed.start();
    const code = await companion.ended;
    const seconds = Math.round((performance.now() - startMs) / 1000);
    expect({ code, last: companion.logs().at(-1) }).toMatchObject({ code: 0, last: { reason: 'done' } });
    expect(await bed.behind()).toEqual([]);

    const verdict = bed.judge();
    const perNode = (verdict.requests / NODES).toFixed(1);
    const memory = `${Math.round(companion.peakMiB())} MiB`;
    say(
      `${NODES} nodes, ${SLOTS} at a time: ${seconds} s, ${perNode} requests a node and ${verdict.evictions} evictions, ${memory}`,
    );
    expect(verdict.refused).toEqual([]);
    expect(verdict.mostInProgress).toBeLessThanOrEqual(SLOTS);
    expect(verdict.uncordoned).toEqual([]);
    expect(Object.values(verdict.cordons)).toEqual(Array.from({ length: NODES }, () => 1));
    // Beside the lists and watches with which a run begins.
    expect(verdict.requests).toBeLessThanOrEqual(12 * NODES + 30);
    expect(companion.peakMiB()).toBeLessThan(128);
  });

  it('that has it costs a CronJob a handful of requests', async () => {
    const before = bed.judge().requests;
    const companion = bed.start({ mode: 'cronjob', podName: 'weft-companion-1', env: { WEFT_POLICY_HASH: '' } });
    expect(await companion.ended).toBe(0);
    expect(bed.judge().requests - before).toBeLessThanOrEqual(8);
  });
});
