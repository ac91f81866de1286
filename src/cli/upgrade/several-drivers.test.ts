import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listOf, serve, servedCluster, servedOfed, SRIOV_STATES_PATH } from '../../../test/kit/served-cluster.js';
import { OFED, ownGpu, sriovDriver } from '../../../test/kit/shared-nodes.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const DONE = { ofed: 'upgrade-done', gpu: 'upgrade-done' };

/** One node that failed for OFED, one that is done, one that is due for the GPU driver, and one without a state for it. */
function cluster() {
  const nodes = {
    a: { states: { ...DONE, ofed: 'upgrade-failed' }, annotations: { [OFED.failure]: 'no image' }, ofed: 'old' },
    b: { states: DONE },
    c: { states: { ...DONE, gpu: 'upgrade-required' }, gpu: 'old' },
    d: { states: { ofed: 'upgrade-done' } },
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
    expect(stdout).toContain('1 of 4 nodes are done');
  });

  it('of status has the rows of a node together, those of a node that failed first', async () => {
    const nodes = { a: { states: DONE }, b: { states: { ...DONE, gpu: 'upgrade-failed' } } };
    const { stdout } = await serve(folder, servedCluster([servedOfed(), ownGpu()], nodes)).weft('upgrade', 'status');
    const rows = [...stdout.matchAll(/^([ab]) +- +(\w+) /gm)].map(([, node, driver]) => `${node} ${driver}`);
    expect(rows).toEqual(['b ofed', 'b gpu', 'a ofed', 'a gpu']);
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
    expect(stdout).toMatch(/^gpu: d: new → upgrade-done$/m);
    // A node of an older version gets the record, which is of no driver alone.
    expect(stdout).toMatch(/^a: keep its records$/m);
  });
});

describe('the status of nodes whose config daemons ask for a drain', () => {
  const SERVED = { '/apis': { groups: [{ name: 'sriovnetwork.openshift.io', versions: [{ version: 'v1' }] }] } };
  const stateOf = (name: string, desired: string) => ({
    metadata: {
      ...{ namespace: 'sriov', name, generation: 1 },
      annotations: {
        'sriovnetwork.openshift.io/use-external-drainer': 'true',
        'sriovnetwork.openshift.io/desired-state': desired,
        'sriovnetwork.openshift.io/current-state': 'Idle',
      },
    },
    status: { syncStatus: desired === 'Idle' ? 'Succeeded' : 'InProgress' },
  });
  const cluster = (states: Readonly<Record<string, string>>) =>
    serve(
      folder,
      servedCluster(
        [servedOfed(), sriovDriver()],
        { a: { states }, b: { states } },
        {
          ...SERVED,
          [SRIOV_STATES_PATH]: listOf(stateOf('a', 'Drain_Required'), stateOf('b', 'Idle')),
        },
      ),
    );

  it.each([
    { name: 'before the companion has seen them', states: { ofed: 'upgrade-done' } },
    { name: 'that are done', states: { ofed: 'upgrade-done', 'weft-sriov': 'upgrade-done' } },
  ])('has a row for each, and is not done: $name', async ({ states }) => {
    const { stdout, exit } = await cluster(states).weft('upgrade', 'status');
    expect(stdout).toMatch(/^a +- +weft-sriov .* its turn has come, the companion is to begin$/m);
    expect(stdout).toMatch(/^b +- +weft-sriov /m);
    expect(stdout).toMatch(/^[01] of 2 nodes are done$/m);
    expect(exit).toBe(1);
  });
});
