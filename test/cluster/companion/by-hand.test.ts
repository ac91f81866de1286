import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { binaries } from '../bed/test-bed.js';
import { weftIn } from '../bed/weft-command.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

const NODES = 4;

let bed: UpgradeBed;
beforeAll(async () => {
  bed = await startUpgradeBed('by-hand', {
    nodes: NODES,
    podsPerNode: 2,
    upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 2, drain: { enable: true, deleteEmptyDir: true } },
  });
});
afterAll(() => bed.stop());

const weft = (...args: readonly string[]) =>
  weftIn(bed.controlPlane, ...args, '--kubectl', join(binaries().controlplane, 'kubectl'));

interface StatusDocument {
  readonly headway: { readonly done: number; readonly total: number };
  readonly nodes: readonly { readonly node: string; readonly from: string; readonly to: string }[];
}

describe('weft upgrade, through kubectl', () => {
  it('shows what is to be done, does it, and shows that it is done', async () => {
    await bed.nextVersion();
    const dry = await weft('upgrade', 'run', '--dry-run');
    expect(dry).toMatchObject({ exit: 1, stdout: expect.stringContaining('no companion holds the Lease') });
    const before = await weft('upgrade', 'status', '-o', 'json');
    expect(before.exit).toBe(1);
    const seen = JSON.parse(before.stdout) as StatusDocument;
    expect(seen.headway).toEqual({ done: 0, total: NODES });
    expect(seen.nodes.every(({ from, to }) => from !== '' && to !== '' && from !== to)).toBe(true);

    const done = await weft('upgrade', 'run');
    expect(done).toMatchObject({ exit: 0, stdout: expect.stringContaining('every node is done or skipped') });
    expect(await bed.behind()).toEqual([]);
    const after = await weft('upgrade', 'status');
    expect(after).toMatchObject({ exit: 0, stdout: expect.stringContaining(`${NODES} of ${NODES} nodes are done`) });
  });

  it('says who has the Lease while the Job works', async () => {
    await bed.nextVersion();
    const companion = await bed.start({ podName: 'weft-companion-test-0' });
    let holder = '';
    while (companion.isRunning() && holder === '') {
      const { stdout } = await weft('upgrade', 'status');
      holder = /the Lease is held by (\S+),/.exec(stdout)?.[1] ?? '';
    }
    expect(holder).toMatch(/^weft-companion-test-0_/);
    expect(await companion.ended).toBe(0);
  });
});
