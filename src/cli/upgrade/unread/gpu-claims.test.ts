import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GPU_UPGRADE_ENABLED_ANNOTATION } from '../../../shared/contract/labels.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  type MaintenanceRecord,
} from '../../../shared/contract/maintenance-record.js';
import { forbidden, GPU_DIGEST, listOf, serve, servedCluster } from '../../../../test/kit/served-cluster.js';
import { ownGpu } from '../../../../test/kit/shared-nodes.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** One node whose pods have left it but for those that hold a GPU by a ResourceClaim, and one whose driver pod is to be deleted. */
function cluster(claims: object) {
  const begun = Math.floor(Date.now() / 1000) - 120;
  const annotations = (record: MaintenanceRecord) => ({
    [GPU_UPGRADE_ENABLED_ANNOTATION]: 'true',
    [MAINTENANCE_ANNOTATION]:
      maintenanceRecordText({
        ...{
          cordon: '',
          wants: { gpu: GPU_DIGEST },
          since: { 'drain-required': begun, 'pod-deletion-required': begun },
        },
        ...record,
      }) ?? '',
  });
  const nodes = {
    a: { states: { gpu: 'pod-deletion-required' }, isCordoned: true, gpu: 'old', annotations: annotations({}) },
    b: {
      states: { gpu: 'pod-restart-required' },
      isCordoned: true,
      gpu: 'old',
      annotations: annotations({ restarts: { gpu: begun } }),
    },
  };
  const served = {
    '/apis': { groups: [{ name: 'resource.k8s.io', versions: [{ version: 'v1' }] }] },
    '/apis/resource.k8s.io/v1/resourceclaims': claims,
  };
  return serve(folder, servedCluster([ownGpu()], nodes, served));
}

it('no GPU driver is restarted where the ResourceClaims cannot be listed', async () => {
  const { weft } = cluster(forbidden('resourceclaims'));
  const reason = 'a pod may hold a GPU by a ResourceClaim, which cannot be listed: resourceclaims is forbidden';
  const { stdout } = await weft('upgrade', 'status');
  expect(stdout).toMatch(new RegExp(`^a .* ${reason}`, 'm'));
  expect(stdout).toMatch(new RegExp(`^b .* ${reason}`, 'm'));
  expect((await weft('upgrade', 'run', '--dry-run')).stdout).not.toMatch(/pod-restart-required|delete pod/);
});

it('it is where they can', async () => {
  const { stdout } = await cluster(listOf()).weft('upgrade', 'run', '--dry-run');
  expect(stdout).toMatch(/^a: .* → pod-restart-required/m);
  expect(stdout).toMatch(/^b: delete pod gpu\/gpu-driver-b \(driver-restart\)/m);
});
