import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { driverKeys, SRIOV_GROUP } from '../../../src/shared/contract/labels.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import { startConfigDaemons, type ConfigDaemons } from '../simulated/config-daemons.js';
import { NAMESPACE } from '../simulated/fleet.js';
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

/** OFED, a GPU driver that the GPU operator restarts, and virtual functions, all on the same nodes. */

const NODES = isFull() ? 20 : 5;
const KILLS = isFull() ? 50 : 4;
const SLOTS = 2;
const ALL_DONE_SECONDS = isFull() ? 900 : 300;
const OURS = ['ofed', 'weft-gpu', 'weft-sriov'].map((prefix) => driverKeys(prefix).state);

let bed: UpgradeBed;
let operator: OperatorFlow | undefined;
let daemons: ConfigDaemons | undefined;
let gpuVersion = 0;

beforeAll(async () => {
  bed = await startUpgradeBed('companion-sriov', {
    ...{ nodes: NODES, podsPerNode: 3, budget: '50%' },
    allocatable: { 'nvidia.com/gpu': '8', 'example.com/vf': '8' },
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
    sriovNetworkOperator: {
      deploy: true,
      operator: {
        // No node has it, so no pod of the operator runs: config daemons do not need it.
        ...{ affinity: {}, nodeSelector: { 'example.com/operator': 'yes' } },
        resourcePrefix: 'example.com',
        externalDrainer: { enabled: true, drain: { deleteEmptyDir: true } },
      },
    },
    objects: [
      {
        ...{ apiVersion: `${SRIOV_GROUP}/v1`, kind: 'SriovNetworkPoolConfig', metadata: { name: 'all' } },
        spec: { maxUnavailable: SLOTS },
      },
    ],
    loadMs: () => 200,
    prepare: (client) => installGpuOperator(client, String(gpuVersion)),
  });
  operator = startGpuOperator(bed.controlPlane, WORKLOADS);
  daemons = await startConfigDaemons(bed.controlPlane);
});
afterAll(async () => {
  await daemons?.stop();
  await operator?.stop();
  await (bed as UpgradeBed | undefined)?.stop();
});

/** What is left to do: a line for each node and driver. */
async function leftToDo(): Promise<readonly string[]> {
  const { client } = bed.controlPlane;
  const nodes = await client.list('/api/v1/nodes');
  return [
    ...(await bed.behind()),
    ...(await nodesWithoutGpuDriver(client, String(gpuVersion))),
    ...((await daemons?.behind()) ?? []),
    ...nodesNotDone(nodes, OURS),
  ];
}

/** A run of the companion creates the annotations that a drainer creates: a config daemon asks for nothing before. */
async function createAnswers(): Promise<void> {
  const companion = await bed.start({ mode: 'cronjob' });
  await until(
    'every config daemon has an answer',
    async () => ((await daemons?.behind()) ?? []).length === 0 || undefined,
  );
  companion.signal('SIGTERM');
  await companion.ended;
}

function expectOneCordonEach(): void {
  const { cordons, rights } = expectSound(bed, SLOTS);
  const used = rights.map(({ verb, resource, namespace }) => `${verb} ${resource}${namespace && ` in ${namespace}`}`);
  const expected = ['list', 'watch', 'patch'].map((verb) => `${verb} sriovnetworknodestates in ${NAMESPACE}`);
  expect(used).toEqual(expect.arrayContaining(expected));
  expect(Object.values(cordons)).toEqual(Array.from({ length: NODES }, () => 1));
  expect(bed.mostCordoned()).toBeLessThanOrEqual(SLOTS);
  expect(daemons?.unsafe()).toEqual([]);
}

describe('a fleet whose virtual functions the companion drains for', () => {
  it(`is taken out once for OFED, GPU and virtual functions, with the companion killed ${KILLS} times`, async () => {
    const startMs = performance.now();
    await createAnswers();
    await bed.nextVersion();
    gpuVersion += 1;
    await setGpuDriver(bed.controlPlane.client, String(gpuVersion));
    await daemons?.change();
    await until('all three are due on every node', async () => {
      const nodes = await bed.controlPlane.client.list('/api/v1/nodes');
      const isDue = ({ metadata: { labels, annotations } }: (typeof nodes)[number]): boolean =>
        labels?.[driverKeys('gpu').state] === 'upgrade-required' &&
        annotations?.[`${SRIOV_GROUP}/state`] === 'Drain_Required';
      return nodes.every(isDue) ? true : undefined;
    });
    await runToEnd(bed, { kills: KILLS, left: leftToDo, seconds: ALL_DONE_SECONDS });
    expectOneCordonEach();
    const seconds = Math.round((performance.now() - startMs) / 1000);
    report(
      `${NODES} nodes, OFED, GPU and SR-IOV, ${KILLS} kills: one cordon each, at most ${bed.mostCordoned()} out, ${seconds} s`,
    );
  }, 1_800_000);
});
