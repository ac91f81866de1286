import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import { GPU_NAMESPACE, installGpuOperator, nodesWithoutGpuDriver, setGpuDriver } from '../simulated/gpu-operator.js';
import { startMaintenanceOperator, type SimulatedMaintenanceOperator } from '../simulated/maintenance-operator.js';
import { WORKLOADS } from '../simulated/workloads.js';
import { expectSound, nodesNotDone, runToEnd } from '../upgrade-bed/companion-checks.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

/** OFED and a GPU driver on the same nodes, which the Maintenance Operator cordons and drains. */

const NODES = isFull() ? 20 : 5;
const KILLS = isFull() ? 50 : 4;
const SLOTS = 3;
const MAX_PARALLEL = 2;
const ALL_DONE_SECONDS = isFull() ? 900 : 300;
const NAMESPACE = 'default';
const OTHER = 'example.com.firmware';
const OURS = ['ofed', 'gpu'].map((prefix) => driverKeys(prefix));

let bed: UpgradeBed;
let operator: SimulatedMaintenanceOperator | undefined;
let gpuVersion = 0;

beforeAll(async () => {
  bed = await startUpgradeBed('companion-node-maintenance', {
    ...{ nodes: NODES, podsPerNode: 3, budget: '50%' },
    upgradePolicy: {
      autoUpgrade: true,
      maxParallelUpgrades: SLOTS,
      drain: { enable: true, deleteEmptyDir: true, timeoutSeconds: 300 },
    },
    upgrade: { drainer: 'MaintenanceOperator' },
    gpuDriver: {
      namespace: GPU_NAMESPACE,
      upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: SLOTS, maxUnavailable: '100%' },
    },
    // Its CRD, and its pod, without which the companion asks for no node.
    maintenanceOperator: { deploy: true, operator: { affinity: {} } },
    loadMs: () => 200,
    prepare: (client) => installGpuOperator(client, String(gpuVersion)),
  });
  const options = { namespace: NAMESPACE, workloads: WORKLOADS, maxParallel: MAX_PARALLEL };
  operator = await startMaintenanceOperator(bed.controlPlane, options);
});
afterAll(async () => {
  await operator?.stop();
  await (bed as UpgradeBed | undefined)?.stop();
});

/** What is left to do, one line each. */
async function leftToDo(): Promise<readonly string[]> {
  const { client } = bed.controlPlane;
  const nodes = await client.list('/api/v1/nodes');
  return [
    ...(await bed.behind()),
    ...(await nodesWithoutGpuDriver(client, String(gpuVersion))),
    ...((await operator?.left()) ?? []),
    ...nodesNotDone(
      nodes,
      OURS.map(({ state }) => state),
    ),
  ];
}

const once = Object.fromEntries(Array.from({ length: NODES }, (_, index) => [`node-${index}`, 1]));

describe('a fleet that the Maintenance Operator drains', () => {
  it(`is taken out once for OFED and GPU, with the companion killed ${KILLS} times`, async () => {
    const startMs = performance.now();
    // Another requestor has a node already: the companion joins, and that node is kept until it withdraws.
    await operator?.ask('node-0', OTHER);
    await bed.nextVersion();
    gpuVersion += 1;
    await setGpuDriver(bed.controlPlane.client, String(gpuVersion));
    const leaves = new Promise((resolve) => setTimeout(resolve, 20_000)).then(() =>
      operator?.withdraw('node-0', OTHER),
    );
    await runToEnd(bed, { kills: KILLS, left: leftToDo, seconds: ALL_DONE_SECONDS });
    await leaves;
    const { cordons, evictions } = expectSound(bed, SLOTS);
    expect({ cordons, evictions: evictions > 0 }).toEqual({ cordons: {}, evictions: true });
    expect(operator?.cordons()).toEqual(once);
    expect(operator?.returns()).toEqual(once);
    expect(operator?.requests()).toEqual(once);
    expect(bed.mostCordoned()).toBeLessThanOrEqual(MAX_PARALLEL);
    for (const { metadata } of await bed.controlPlane.client.list('/api/v1/nodes'))
      for (const { requestorMode } of OURS) expect(metadata.annotations).not.toHaveProperty([requestorMode]);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    report(
      `${NODES} nodes, OFED and GPU by the Maintenance Operator, ${KILLS} kills: one NodeMaintenance each, ${seconds} s`,
    );
  }, 1_800_000);
});
