import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPANION_NAMES } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { expectDone, expectSound, reasonOf } from '../upgrade-bed/companion-checks.js';
import type { CompanionProcess } from '../upgrade-bed/companion-container.js';
import { startFaultProxy, type FaultProxy } from '../upgrade-bed/fault-proxy.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import { makeRandom } from '../../../src/forecast/simulation/random.js';
import { report } from '../bed/report.js';
import { isFull, seed } from '../bed/test-bed.js';
import { startUpgradeBed, type CompanionOptions, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

const NODES = isFull() ? 20 : 8;
const SLOTS = 3;
const KILLS = isFull() ? 200 : 5;
const LEASE: LiveObject = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: COMPANION_NAMES.lease, namespace: NAMESPACE },
};
/** Long enough that an upgrade is in progress when it is interrupted, also on a slow machine. */
const LONG_LOAD_MS = 15_000;
const SHORT_LOAD_MS = 200;
const MINUTE_MS = 60_000;

let bed: UpgradeBed;
let proxy: FaultProxy;
let running: CompanionProcess[] = [];
let loadMs = SHORT_LOAD_MS;

beforeAll(async () => {
  bed = await startUpgradeBed('companion-interrupted', {
    nodes: NODES,
    podsPerNode: 3,
    // A companion that is killed in the middle of an eviction takes a place of the budget for two minutes.
    budget: '50%',
    upgradePolicy: {
      autoUpgrade: true,
      maxParallelUpgrades: SLOTS,
      drain: { enable: true, deleteEmptyDir: true, timeoutSeconds: 300 },
    },
    loadMs: () => loadMs,
  });
  proxy = await startFaultProxy(bed.controlPlane);
});
afterAll(async () => {
  await proxy.stop();
  await bed.stop();
});
// Each test runs its own upgrade, from the previous version; earlier requests are not checked.
beforeEach(() => bed.nextVersion());
afterEach(async () => {
  for (const one of running) one.signal('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
  loadMs = SHORT_LOAD_MS;
  proxy.setFate(() => 'passed');
  await releaseLease();
});

async function start(options: CompanionOptions = {}): Promise<CompanionProcess> {
  const one = await bed.start(options);
  running.push(one);
  return one;
}

/** Without this the next pod would wait 30 s for the Lease of a companion that was killed. */
async function releaseLease(): Promise<void> {
  const path = await bed.controlPlane.client.pathOf(LEASE);
  await bed.controlPlane.client.send('PATCH', path, { spec: { holderIdentity: null } }, 'merge');
}

/** Starts an upgrade and waits until a node is cordoned; many more have to follow. */
async function startAndWait(options: CompanionOptions = {}): Promise<CompanionProcess> {
  loadMs = LONG_LOAD_MS;
  const companion = await start(options);
  await until('a node is cordoned', async () => {
    const behind = await bed.behind();
    return behind.some((line) => line.includes('cordoned')) ? true : undefined;
  });
  return companion;
}

async function expectSoundEnd(companion: CompanionProcess) {
  await expectDone(bed, companion);
  return expectSound(bed, SLOTS);
}

describe('an upgrade that is interrupted', () => {
  it(`by SIGKILL ${KILLS} times at random moments goes on each time`, async () => {
    const random = makeRandom(seed(), 'interruptions');
    let upgrades = 1;
    for (let kills = 0; kills < KILLS;) {
      const companion = await start();
      const isOver = await Promise.race([companion.ended.then(() => true), sleep(500 + random.next() * 5_000, false)]);
      if (isOver) {
        await expectSoundEnd(companion);
        await bed.nextVersion();
        upgrades++;
        continue;
      }
      companion.signal('SIGKILL');
      await companion.ended;
      kills++;
      await releaseLease();
    }
    const lastMs = performance.now();
    await expectSoundEnd(await start());
    const seconds = Math.round((performance.now() - lastMs) / 1000);
    report(`${KILLS} kills over ${upgrades} upgrades of ${NODES} nodes; the last run took ${seconds} s`);
  }, 3_600_000);

  it('by another companion, which waits, and takes over when the first one is gone', async () => {
    const first = await startAndWait();
    const second = await start();
    const visitor = await start({ mode: 'cronjob' });
    expect(await visitor.ended).toBe(0);
    expect(reasonOf(visitor)).toBe('lease-held');
    expect(first.isRunning()).toBe(true);
    first.signal('SIGTERM');
    expect(await first.ended).toBe(143);
    loadMs = SHORT_LOAD_MS;
    await expectSoundEnd(second);
  });

  it('by its Lease being deleted', async () => {
    const companion = await startAndWait();
    const other = await start();
    await bed.controlPlane.client.delete(LEASE);
    loadMs = SHORT_LOAD_MS;
    // Either may get the new Lease; the other one then has nothing to do.
    expect(await companion.ended).toBe(0);
    await expectSoundEnd(other);
  });

  it('by an API server that is killed and comes back', async () => {
    const companion = await startAndWait();
    await bed.restartApiServer(3);
    loadMs = SHORT_LOAD_MS;
    await expectSoundEnd(companion);
  });

  it('by a compaction: what it watched from is gone', async () => {
    const companion = await startAndWait();
    const before = bed.audit().byKind;
    await bed.restartApiServer(3, 'compacted');
    loadMs = SHORT_LOAD_MS;
    const { byKind } = await expectSoundEnd(companion);
    // One more list confirms the end; another one replaces the watch, unless the watch has seen the very last write.
    const lists = Object.keys(byKind).filter((kind) => kind.startsWith('list '));
    const listedAgain = lists.filter((kind) => (byKind[kind] ?? 0) - (before[kind] ?? 0) >= 2);
    expect(listedAgain).not.toEqual([]);
  });

  it('by responses that are lost after the request took effect', async () => {
    const random = makeRandom(seed(), 'interruptions');
    let lost = 0;
    proxy.setFate((method, path) => {
      const isLost = !path.includes('watch=true') && random.next() < (method === 'GET' ? 0.03 : 0.15);
      if (isLost) lost++;
      return isLost ? 'lost' : 'passed';
    });
    const companion = await start({ apiPort: proxy.port });
    const { requests } = await expectSoundEnd(companion);
    report(`${lost} of ${requests} responses lost: every node is done`);
    expect(lost).toBeGreaterThan(NODES / 2);
  });

  // Ahead by less than a drain may take, so that drains that have begun do not time out.
  it.each(isFull() ? [-60, 4] : [4])('by a successor whose clock is %d minutes ahead', async (minutes) => {
    const first = await startAndWait();
    first.signal('SIGKILL');
    await first.ended;
    // The Lease is not released: the successor has to detect by its own clock that it is not renewed.
    loadMs = SHORT_LOAD_MS;
    await expectSoundEnd(await start({ clockAheadMs: minutes * MINUTE_MS }));
  });

  (isFull() ? it : it.skip)('by watches that stall', async () => {
    const companion = await startAndWait({ apiPort: proxy.port });
    proxy.stallWatches();
    loadMs = SHORT_LOAD_MS;
    const startMs = performance.now();
    await expectSoundEnd(companion);
    report(`stalled watches cost ${Math.round((performance.now() - startMs) / 1000)} s`);
  });
});
