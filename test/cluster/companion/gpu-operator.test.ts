import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import {
  GPU_NAMESPACE,
  installGpuOperator,
  nodesWithoutGpuDriver,
  setGpuDriver,
  startGpuOperator,
} from '../simulated/gpu-operator.js';
import type { OperatorFlow } from '../simulated/operator-flow.js';
import { WORKLOADS } from '../simulated/workloads.js';
import { expectSound, nodesNotDone, runToEnd } from '../upgrade-bed/companion-checks.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

/** OFED, which the companion restarts, and a GPU driver, which the GPU operator restarts, on the same nodes. */

const NODES = isFull() ? 20 : 8;
const KILLS = isFull() ? 50 : 5;
const SLOTS = 3;
const ALL_DONE_SECONDS = 240;
const OPERATOR = driverKeys('gpu');
const OURS = driverKeys('weft-gpu');

let bed: UpgradeBed;
let operator: OperatorFlow | undefined;
let gpuVersion = 0;

beforeAll(async () => {
  bed = await startUpgradeBed('companion-gpu-operator', {
    ...{ nodes: NODES, podsPerNode: 3, budget: '50%' },
    allocatable: { 'nvidia.com/gpu': '8' },
    upgradePolicy: {
      autoUpgrade: true,
      maxParallelUpgrades: SLOTS,
      drain: { enable: true, deleteEmptyDir: true, timeoutSeconds: 300 },
    },
    gpuDriver: {
      operator: true,
      namespace: GPU_NAMESPACE,
      upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: SLOTS, maxUnavailable: SLOTS },
    },
    loadMs: () => 200,
    prepare: (client) => installGpuOperator(client, String(gpuVersion)),
  });
  operator = startGpuOperator(bed.controlPlane, WORKLOADS);
});
afterAll(async () => {
  await operator?.stop();
  await bed.stop();
});

/** A new GPU driver, which the operator has asked for on every node. */
async function gpuDriverIsDue(): Promise<void> {
  const { client } = bed.controlPlane;
  gpuVersion += 1;
  await setGpuDriver(client, String(gpuVersion));
  await until('the GPU operator asks for every node', async () => {
    const nodes = await client.list('/api/v1/nodes');
    return nodes.every(({ metadata }) => metadata.labels?.[OPERATOR.state] === 'upgrade-required') ? true : undefined;
  });
}

/** What is left to do: a line for each node and driver. */
async function leftToDo(): Promise<readonly string[]> {
  const { client } = bed.controlPlane;
  const nodes = await client.list('/api/v1/nodes');
  return [
    ...(await bed.behind()),
    ...(await nodesWithoutGpuDriver(client, String(gpuVersion))),
    ...nodesNotDone(nodes, [OPERATOR.state, OURS.state]),
    ...nodes.flatMap(({ metadata: { name, annotations = {} } }) =>
      annotations[OPERATOR.initialState] === undefined ? [] : [`${name}: ${OPERATOR.initialState} is left`],
    ),
  ];
}

/** What the companion may read for GPU drivers alone. */
const GPU_RIGHTS = [
  ...['list resourceclaims', 'watch resourceclaims', 'list clusterpolicies', 'list nvidiadrivers'],
  ...['list', 'watch'].flatMap((verb) =>
    ['daemonsets', 'controllerrevisions'].map((resource) => `${verb} ${resource} in ${GPU_NAMESPACE}`),
  ),
];

function expectOneCordonEach(): void {
  const { cordons, rights } = expectSound(bed, SLOTS);
  const used = rights.map(({ verb, resource, namespace }) => `${verb} ${resource}${namespace && ` in ${namespace}`}`);
  expect(used).toEqual(expect.arrayContaining(GPU_RIGHTS));
  expect(Object.values(cordons)).toEqual(Array.from({ length: NODES }, () => 1));
  expect(bed.mostCordoned()).toBeLessThanOrEqual(SLOTS);
}

describe('a fleet whose GPU driver the GPU operator restarts', () => {
  it('gets a new GPU driver within the limits of the companion', async () => {
    await bed.nextVersion({ version: bed.version() });
    await gpuDriverIsDue();
    await runToEnd(bed, { kills: 0, left: leftToDo, seconds: ALL_DONE_SECONDS });
    expectOneCordonEach();
  }, 900_000);

  it(`is taken out once for OFED and GPU, with the companion killed ${KILLS} times`, async () => {
    const startMs = performance.now();
    await bed.nextVersion();
    await gpuDriverIsDue();
    await runToEnd(bed, { kills: KILLS, left: leftToDo, seconds: ALL_DONE_SECONDS });
    expectOneCordonEach();
    const seconds = Math.round((performance.now() - startMs) / 1000);
    report(
      `${NODES} nodes, OFED and GPU, ${KILLS} kills: one cordon each, at most ${bed.mostCordoned()} out, ${seconds} s`,
    );
  }, 1_800_000);
});
