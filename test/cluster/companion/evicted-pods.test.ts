import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SnapshotPod } from '../../../src/companion/model/types.js';
import { reducePod } from '../../../src/companion/runtime/kube-port/reduce.js';
import { podSchema } from '../../../src/shared/kubernetes/shapes/pod.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { until } from '../bed/guarded-process.js';
import { isReady } from '../simulated/fleet.js';
import { WORKLOADS } from '../simulated/workloads.js';
import { mostAtOnce } from '../upgrade-bed/audit.js';
import { expectDone } from '../upgrade-bed/companion-checks.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

/** Of each half. */
const NODES = 3;
const SLOTS = 3;
/** Longer than three nodes need to start one after the other, and their pods to leave. */
const LOAD_MS = 30_000;
const POOL = 'example.com/pool';

let bed: UpgradeBed;

beforeAll(async () => {
  bed = await startUpgradeBed('evicted-pods', {
    nodes: 2 * NODES,
    podsPerNode: 0,
    labelsOf: (index) => ({ [POOL]: index < NODES ? 'slurm' : 'data' }),
    loadMs: () => LOAD_MS,
    upgradePolicy: {
      autoUpgrade: true,
      maxParallelUpgrades: SLOTS,
      drain: { enable: true, deleteEmptyDir: true },
    },
  });
});
afterAll(() => bed.stop());

function statefulSet(name: string, replicas: number, podSpec: object): LiveObject {
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'registry.example.com/main:1' }];
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: WORKLOADS },
    spec: {
      ...{ replicas, serviceName: name, podManagementPolicy: 'Parallel', selector: { matchLabels: labels } },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, containers, ...podSpec } },
    },
  };
}

/** One pod for each node of its pool. */
function slurm(): LiveObject {
  const term = { labelSelector: { matchLabels: { app: 'slurmd' } }, topologyKey: 'kubernetes.io/hostname' };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  return statefulSet('slurmd', NODES, { nodeSelector: { [POOL]: 'slurm' }, affinity: { podAntiAffinity } });
}

/** A database on a volume of one node. */
function database(index: number): readonly LiveObject[] {
  const name = `data-${index}`;
  const storage = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [`node-${index}`] }];
  return [
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
      spec: {
        ...{ ...storage, capacity: { storage: '1Gi' }, local: { path: '/data' } },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: WORKLOADS } },
      spec: { ...storage, volumeName: name, resources: { requests: { storage: '1Gi' } } },
    },
    statefulSet(name, 1, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }] }),
  ];
}

async function pods(): Promise<readonly SnapshotPod[]> {
  const all = await bed.controlPlane.client.list(`/api/v1/namespaces/${WORKLOADS}/pods`);
  return all.map((pod) => reducePod(podSchema.parse(pod)));
}

it('pods that fit no other node, by what the scheduler says, do not make nodes wait for each other', async () => {
  const { client } = bed.controlPlane;
  await bed.nextVersion();
  const databases = Array.from({ length: NODES }, (_, index) => database(NODES + index)).flat();
  expect((await applyAll(client, [slurm(), ...databases])).problems).toEqual([]);
  await until('each node has its pod', async () => {
    const all = await client.list(`/api/v1/namespaces/${WORKLOADS}/pods`);
    return all.filter(isReady).length === 2 * NODES ? true : undefined;
  });
  await bed.nextVersion();
  const companion = await bed.start();
  const said = new Map<string, Set<number | undefined>>();
  while (companion.isRunning()) {
    for (const { name, nodeName, fitsEmptyNodes } of await pods()) {
      if (nodeName === '') said.set(name, (said.get(name) ?? new Set()).add(fitsEmptyNodes));
    }
    await sleep(500);
  }
  await expectDone(bed, companion);
  expect(mostAtOnce(bed.audit().spans)).toBe(SLOTS);
  // A pod may be seen before the scheduler has tried it.
  const known = [...said].map(([name, counts]) => ({ name, counts: [...counts].filter((one) => one !== undefined) }));
  expect(known.filter(({ counts }) => counts.length === 0)).toEqual([]);
  for (const { name, counts } of known) expect(Math.max(...counts)).toBeLessThan(name.startsWith('data-') ? 1 : NODES);
}, 600_000);
