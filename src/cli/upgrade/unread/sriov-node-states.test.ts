import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forbidden, serve, servedCluster, servedOfed, SRIOV_STATES_PATH } from '../../../../test/kit/served-cluster.js';
import { SRIOV, sriovDriver } from '../../../../test/kit/shared-nodes.js';

const SERVED = {
  '/apis': { groups: [{ name: 'sriovnetwork.openshift.io', versions: [{ version: 'v1' }] }] },
  [SRIOV_STATES_PATH]: forbidden('sriovnetworknodestates'),
};
const REASON = 'its SriovNetworkNodeState cannot be listed: sriovnetworknodestates is forbidden';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** One node that the config daemon works on, one that it failed, and one whose OFED driver is validated. */
function cluster() {
  const nodes = {
    a: { states: { ofed: 'upgrade-done', 'weft-sriov': 'pod-restart-required' }, isCordoned: true },
    b: {
      states: { ofed: 'upgrade-done', 'weft-sriov': 'upgrade-failed' },
      annotations: { [SRIOV.failure]: 'no more functions' },
    },
    c: { states: { ofed: 'validation-required' }, isCordoned: true },
    d: { states: { ofed: 'upgrade-required' }, ofed: 'old' },
  };
  return serve(folder, servedCluster([servedOfed({ maxParallelUpgrades: 0 }), sriovDriver()], nodes, SERVED));
}

describe('where the SriovNetworkNodeStates cannot be listed', () => {
  it('status says so for the nodes of the driver, and nothing about an operator that is absent', async () => {
    const { stdout } = await cluster().weft('upgrade', 'status');
    expect(stdout).toMatch(new RegExp(`^a .* pod-restart-required .* ${REASON}`, 'm'));
    expect(stdout).toMatch(new RegExp(`^b .* upgrade-failed .* no more functions; ${REASON}`, 'm'));
    expect(stdout).toMatch(new RegExp(`^c .* validation-required .* ${REASON}`, 'm'));
    expect(stdout).not.toMatch(/uninstalled|use-external-drainer/);
  });

  it('explain has no step of the driver', async () => {
    const { stdout } = await cluster().weft('upgrade', 'explain', 'a', '--driver', 'sriov');
    expect(stdout).toContain(`What comes next\n  it waits (config-daemon): ${REASON}`);
  });

  it('run --dry-run has the steps that do not depend on them', async () => {
    const { stdout } = await cluster().weft('upgrade', 'run', '--dry-run');
    expect(stdout).toContain('upgrade-required → ');
    expect(stdout).not.toMatch(/uncordon/);
  });
});
