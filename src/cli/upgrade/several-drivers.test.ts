import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, servedCluster, servedOfed } from '../../../test/kit/served-cluster.js';
import { OFED, ownGpu } from '../../../test/kit/shared-nodes.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const DONE = { ofed: 'upgrade-done', gpu: 'upgrade-done' };

/** One node that failed for OFED, one that is done, and one that is due for the GPU driver. */
function cluster() {
  const nodes = {
    a: { states: { ...DONE, ofed: 'upgrade-failed' }, annotations: { [OFED.failure]: 'no image' }, ofed: 'old' },
    b: { states: DONE },
    c: { states: { ...DONE, gpu: 'upgrade-required' }, gpu: 'old' },
  };
  return serve(folder, servedCluster([servedOfed(), ownGpu()], nodes));
}

describe('the output about several drivers', () => {
  it('of status names the driver of a row and of a finding, and counts a node once', async () => {
    const { stdout } = await cluster().weft('upgrade', 'status');
    expect(stdout).toMatch(/^NODE +UPGRADE POOL +DRIVER +VERSION +STATE /);
    expect(stdout).toMatch(/^a +- +ofed +old → new +upgrade-failed /m);
    expect(stdout).toMatch(/^a +- +gpu +new +upgrade-done /m);
    expect(stdout).toMatch(/^c +- +gpu +old → new +upgrade-required /m);
    expect(stdout).toMatch(/^error: ofed: a: no image$/m);
    expect(stdout).toContain('1 of 3 nodes are done');
  });

  it('of status says once what is true of all of them', async () => {
    const { weft } = cluster();
    await weft('upgrade', 'pause');
    const { stdout } = await weft('upgrade', 'status');
    expect(stdout.match(/^info: .*the companion is paused/gm)).toHaveLength(1);
    expect(stdout).toMatch(/^info: the companion is paused/m);
  });

  it('of run --dry-run names the driver of an action', async () => {
    const { stdout } = await cluster().weft('upgrade', 'run', '--dry-run');
    expect(stdout).toMatch(/^gpu: c: keep its records$/m);
  });
});
