import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { medianMs, mostAtOnce, type Verdict } from '../upgrade-bed/audit.js';
import { expectDone, expectFits, expectSound, reasonOf } from '../upgrade-bed/companion-checks.js';
import type { CompanionProcess } from '../upgrade-bed/companion-container.js';
import type { BedInput } from '../upgrade-bed/companion-input.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

const NODES = isFull() ? 200 : 20;
const SLOTS = isFull() ? 20 : 4;
const RACKS = 5;
const TRAINING_SLOTS = SLOTS / 4;
/** Driver load time, long compared with the overhead of the test. */
const LOAD_MS = 10_000;
/** Driver load time of tests that do not measure time. */
const SHORT_LOAD_MS = isFull() ? LOAD_MS : 1_000;
/** For the fleet at its full size. In a small fleet the first drains, which begin one after the other, take a larger share. */
const IDEALS_MAX = 1.1;
const SECOND = 1_000;

const DRAIN = { enable: true, deleteEmptyDir: true, timeoutSeconds: 300 };
const upTo = (maxParallelUpgrades: number) => ({ autoUpgrade: true, maxParallelUpgrades, drain: DRAIN });
const indexOf = (node: string) => Number(node.replace('node-', ''));
const rackOf = (node: string) => `r${indexOf(node) % RACKS}`;
const poolOf = (node: string) => (indexOf(node) % 4 === 0 ? 'training' : 'inference');

let loadMs = 0;
let bed: UpgradeBed;
beforeAll(async () => {
  bed = await startUpgradeBed('companion', {
    nodes: NODES,
    podsPerNode: 5,
    upgradePolicy: upTo(SLOTS),
    labelsOf: (index) => ({ 'example.com/rack': rackOf(`node-${index}`), 'example.com/pool': poolOf(`node-${index}`) }),
    loadMs: () => loadMs,
  });
});
afterAll(() => bed.stop());

/** Upgrades a few nodes, one at a time; returns the median of their times in the flow. */
async function aloneMs(nodes: number): Promise<number> {
  await bed.nextVersion({ upgradePolicy: upTo(1), upgrade: { canary: { nodes, soak: '1d' } } });
  const companion = await bed.start();
  expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 0, reason: 'waiting' });
  const { spans } = expectSound(bed, 1);
  expect(spans).toHaveLength(nodes);
  return medianMs(spans);
}

describe('a fleet', () => {
  it(`of ${NODES} nodes gets a new driver version, ${SLOTS} at a time`, async () => {
    loadMs = LOAD_MS;
    const idealMs = (NODES / SLOTS) * (await aloneMs(isFull() ? 3 : 1));
    await bed.nextVersion();
    const startMs = performance.now();
    const companion = await bed.start();
    await expectDone(bed, companion);
    const tookMs = performance.now() - startMs;

    const verdict = expectSound(bed, SLOTS);
    const perNode = (verdict.requests / NODES).toFixed(1);
    const figures = [
      `${Math.round(tookMs / SECOND)} s, ${(tookMs / idealMs).toFixed(2)} of the ideal ${Math.round(idealMs / SECOND)} s`,
      `${perNode} requests a node and ${verdict.evictions} evictions`,
      `${Math.round(companion.peakMiB())} MiB`,
    ];
    report(`${NODES} nodes, ${SLOTS} at a time, drivers load for ${LOAD_MS / SECOND} s: ${figures.join('; ')}`);
    expect(Object.values(verdict.cordons)).toEqual(Array.from({ length: NODES }, () => 1));
    const rights = verdict.byKind['create selfsubjectaccessreviews'] ?? 0;
    // Four patches, two deletions of driver and gated pods, two events, a list of the node's pods, and the pause, which is read before a
    // node begins; and those of the run, for its lease and its status.
    expect(verdict.requests - rights).toBeLessThanOrEqual(13 * NODES);
    expectFits(companion);
    if (isFull()) expect(tookMs / idealMs).toBeLessThanOrEqual(IDEALS_MAX);
  });

  it('that has it costs a CronJob a handful of requests', async () => {
    const before = bed.audit().requests;
    const companion = await bed.start({ mode: 'cronjob' });
    expect(await companion.ended).toBe(0);
    expect(bed.audit().requests - before).toBeLessThanOrEqual(8);
  });
});

/** Runs the Job, and then the CronJob as long as a node waits for time to pass. */
async function untilDone(): Promise<CompanionProcess> {
  let companion = await bed.start();
  for (;;) {
    const code = await companion.ended;
    if (code !== 0 || reasonOf(companion) !== 'waiting') break;
    await sleep(SECOND);
    companion = await bed.start({ mode: 'cronjob' });
  }
  await expectDone(bed, companion);
  return companion;
}

interface Setting {
  readonly name: string;
  readonly change: () => Partial<BedInput>;
  /** The most nodes in the flow at one time. */
  readonly most: number;
  readonly check?: (verdict: Verdict) => void;
  /** Tested with `--full` only. */
  readonly isLong?: boolean;
}

const SETTINGS: readonly Setting[] = [
  {
    name: '25 % of the nodes unavailable',
    isLong: true,
    change: () => ({
      upgradePolicy: upTo(0),
      upgrade: { pools: [{ name: 'all', nodeSelector: { 'kubernetes.io/os': 'linux' }, maxUnavailable: '25%' }] },
    }),
    most: NODES / 4,
  },
  {
    name: 'pools with limits of their own',
    change: () => ({
      upgradePolicy: upTo(SLOTS),
      upgrade: {
        pools: [
          { name: 'training', nodeSelector: { 'example.com/pool': 'training' }, maxParallelUpgrades: TRAINING_SLOTS },
          {
            name: 'inference',
            nodeSelector: { 'example.com/pool': 'inference' },
            maxParallelUpgrades: SLOTS - TRAINING_SLOTS,
          },
        ],
      },
    }),
    most: SLOTS,
    check: ({ spans }) => {
      const most = (pool: string) => mostAtOnce(spans.filter(({ node }) => poolOf(node) === pool));
      expect(most('training')).toBeLessThanOrEqual(TRAINING_SLOTS);
      expect(most('inference')).toBeLessThanOrEqual(SLOTS - TRAINING_SLOTS);
    },
  },
  {
    name: 'a canary, and five seconds of soak',
    change: () => ({ upgradePolicy: upTo(SLOTS), upgrade: { canary: { nodes: 1, soak: '5s' } } }),
    most: SLOTS,
    check: ({ spans: [canary, ...others] }) => {
      const soakedMs = (canary?.toMs ?? Infinity) + 4 * SECOND;
      expect(others.filter(({ fromMs }) => fromMs < soakedMs)).toEqual([]);
    },
  },
  {
    name: 'one rack at a time',
    isLong: true,
    change: () => ({ upgradePolicy: upTo(SLOTS), upgrade: { topologyKey: 'example.com/rack' } }),
    most: SLOTS,
    check: ({ spans }) => expect(mostAtOnce(spans, rackOf)).toBe(1),
  },
  { name: 'no limit but a budget of 20 %', change: () => ({ upgradePolicy: upTo(0) }), most: NODES },
];

describe('a fleet is upgraded within its limits', () => {
  it.each(SETTINGS.filter(({ isLong = false }) => isFull() || !isLong))(
    '$name',
    async ({ name, change, most, check }) => {
      loadMs = SHORT_LOAD_MS;
      await bed.nextVersion(change());
      const startMs = performance.now();
      const companion = await untilDone();
      const seconds = Math.round((performance.now() - startMs) / SECOND);
      const verdict = expectSound(bed, most);
      const perNode = (verdict.requests / NODES).toFixed(1);
      const atOnce = `${mostAtOnce(verdict.spans)} at once`;
      const memory = `${Math.round(companion.peakMiB())} MiB`;
      report(`${name}: ${NODES} nodes in ${seconds} s, ${atOnce}, ${perNode} requests a node, ${memory}`);
      expectFits(companion);
      check?.(verdict);
    },
  );
});
