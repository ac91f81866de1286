import { recordedFailure } from '../../../src/shared/contract/legacy-keys.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  readMaintenanceRecord,
} from '../../../src/shared/contract/maintenance-record.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { reasonOf } from '../upgrade-bed/companion-checks.js';
import { isDriver, isReady, isRunning, NAMESPACE, nodeOf } from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import type { PodBehaviour } from '../simulated/kubelets.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';
import { WORKLOADS } from '../simulated/workloads.js';
import { weftIn } from '../bed/weft-command.js';

const NODES = isFull() ? 40 : 10;
const KEYS = driverKeys('ofed');
/** More than a slow machine needs for ten drains at once. */
const DRAIN_SECONDS = 40;
const FINALIZER = 'example.com/hold';

/** Whether the driver of this node crashes. */
let crashes: (node: string) => boolean = () => false;
/** A budget keeps the node of a Ready pod from being taken out. It holds the drain of one that is not Ready. */
const isUnready = ({ metadata }: LiveObject): boolean => ['guarded', 'lonely'].includes(metadata.labels?.['app'] ?? '');

function behaviour(pod: LiveObject): PodBehaviour {
  if (isUnready(pod)) return { kind: 'never-ready' };
  return isDriver(pod) && crashes(nodeOf(pod)) ? { kind: 'crash-loop', restarts: 11 } : { kind: 'ready' };
}

let bed: UpgradeBed;
const weft = (...args: readonly string[]) => weftIn(bed.controlPlane, 'upgrade', ...args);

beforeAll(async () => {
  bed = await startUpgradeBed('stuck', {
    nodes: NODES,
    podsPerNode: 2,
    upgradePolicy: {
      autoUpgrade: true,
      maxParallelUpgrades: NODES,
      drain: { enable: true, deleteEmptyDir: true, timeoutSeconds: DRAIN_SECONDS },
    },
    upgrade: { failureBudget: NODES },
    companion: { schedule: '' },
    behaviour,
  });
});
afterAll(() => bed.stop());

const nodeNamed = (name: string) => bed.controlPlane.client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name } });

async function statesOf(): Promise<Readonly<Record<string, string>>> {
  const nodes = await bed.controlPlane.client.list('/api/v1/nodes');
  return Object.fromEntries(nodes.map(({ metadata }) => [metadata.name, metadata.labels?.[KEYS.state] ?? '']));
}

async function failureOf(name: string): Promise<string> {
  return recordedFailure((await nodeNamed(name))?.metadata.annotations ?? {}) ?? '';
}

/** A Deployment of one pod that starts on one node, and may be rescheduled to any other. */
function startingOn(name: string, node: string): LiveObject {
  const labels = { app: name };
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: WORKLOADS },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: { matchExpressions } }],
            },
          },
          containers: [{ name, image: 'registry.example.com/web:1' }],
        },
      },
    },
  };
}

/** A budget that allows no eviction. */
const budgetOf = (app: string): LiveObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: `keeps-${app}`, namespace: WORKLOADS },
  spec: { maxUnavailable: 0, selector: { matchLabels: { app } } },
});

const podsIn = (namespace: string) => bed.controlPlane.client.list(`/api/v1/namespaces/${namespace}/pods`);

const SINGLES = { guarded: 'node-0', held: 'node-2', lonely: 'node-3' };

async function podOf(app: string): Promise<LiveObject> {
  const pod = (await podsIn(WORKLOADS)).find(({ metadata }) => metadata.labels?.['app'] === app);
  if (pod === undefined) throw new Error(`there is no pod of ${app}`);
  return pod;
}

async function setFinalizers(pod: LiveObject, finalizers: readonly string[] | null): Promise<void> {
  const path = `/api/v1/namespaces/${WORKLOADS}/pods/${pod.metadata.name}`;
  await bed.controlPlane.client.ask('PATCH', path, { metadata: { finalizers } }, 'merge');
}

async function applyTrouble(): Promise<void> {
  const singles = Object.entries(SINGLES).map(([app, node]) => startingOn(app, node));
  const { problems } = await applyAll(bed.controlPlane.client, [...singles, budgetOf('guarded'), budgetOf('lonely')]);
  expect(problems).toEqual([]);
  await until('the pods run where they should', async () => {
    for (const [app, node] of Object.entries(SINGLES)) {
      const pod = await podOf(app);
      const isUp = isUnready(pod) ? isRunning(pod) : isReady(pod);
      if (!isUp || nodeOf(pod) !== node) return undefined;
    }
    return true;
  });
  held = await podOf('held');
  await setFinalizers(held, [FINALIZER]);
}

let held: LiveObject;

/** The kubelet of a node stops while the node is being drained, before its last pod is evicted. Its driver takes too long then. */
async function stopReportingInDrain(name: string): Promise<void> {
  await until(
    `${name} is drained`,
    async () => ((await statesOf())[name] === 'drain-required' ? true : undefined),
    240,
  );
  await bed.kubelets.stopReporting(name);
  await bed.controlPlane.client.delete(budgetOf('lonely'));
  await until(
    `the driver of ${name} is deleted`,
    async () => {
      const own = (await podsIn(NAMESPACE)).filter((pod) => isDriver(pod) && nodeOf(pod) === name);
      return own.every(({ metadata }) => metadata.deletionTimestamp !== undefined) ? true : undefined;
    },
    240,
  );
  // The startup probe of the driver lets it take half an hour.
  const text = (await nodeNamed(name))?.metadata.annotations?.[MAINTENANCE_ANNOTATION];
  const restarts = { ofed: Math.floor(Date.now() / 1000) - 3600 };
  const annotations = { [MAINTENANCE_ANNOTATION]: maintenanceRecordText({ ...readMaintenanceRecord(text), restarts }) };
  await bed.controlPlane.client.ask('PATCH', `/api/v1/nodes/${name}`, { metadata: { annotations } }, 'merge');
}

async function repair(): Promise<void> {
  const { client } = bed.controlPlane;
  await client.delete(budgetOf('guarded'));
  await setFinalizers(held, null);
  await bed.kubelets.reportAgain('node-3');
  crashes = () => false;
  // What the kubelet would restart in its place.
  for (const pod of await podsIn(NAMESPACE)) {
    if (isDriver(pod) && nodeOf(pod) === 'node-1') await client.delete({ ...pod, apiVersion: 'v1', kind: 'Pod' });
  }
}

const STUCK = ['node-0', 'node-1', 'node-3'];

describe('nodes that are stuck', () => {
  it('fail with their reasons, and the rest goes on', async () => {
    await applyTrouble();
    await bed.nextVersion();
    crashes = (node) => node === 'node-1';
    const stopped = stopReportingInDrain('node-3');
    const startMs = performance.now();
    const companion = await bed.start();
    await stopped;
    expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 10, reason: 'failed' });
    report(`three stuck nodes of ${NODES}: the run took ${Math.round((performance.now() - startMs) / 1000)} s`);
    const states = await statesOf();
    // A pod that has ended keeps no drain waiting, whatever its finalizers: node-2 is done.
    expect((await podsIn(WORKLOADS)).map(({ metadata }) => metadata.uid)).toContain(held.metadata.uid);
    expect(Object.keys(states).filter((name) => states[name] === 'upgrade-failed')).toEqual(STUCK);
    expect(Object.values(states).filter((state) => state === 'upgrade-done')).toHaveLength(NODES - STUCK.length);
    expect(await failureOf('node-0')).toMatch(/guarded-.*\(PodDisruptionBudget keeps-guarded\)/);
    expect(await failureOf('node-1')).toMatch(/mofed-container/);
    // The drain does not wait for pods on a dead node, but for its driver.
    expect(await failureOf('node-3')).toMatch(/its driver took too long/);
  });

  it('are explained with the rules that were taken and what a person can do', async () => {
    const { stdout, exit } = await weft('explain', 'node-0');
    expect(exit).toBe(10);
    expect(stdout).toMatch(/\[failed\] it failed/);
    expect(stdout).toContain('PodDisruptionBudget keeps-guarded');
    expect(stdout).toContain('`weft upgrade retry node-0` to begin again');
  });

  it('recover after the repair: by themselves, or when they are tried again', async () => {
    await repair();
    await until('a driver is ready on each node', async () => {
      const drivers = (await podsIn(NAMESPACE)).filter(
        (pod) => isDriver(pod) && isReady(pod) && pod.metadata.deletionTimestamp === undefined,
      );
      return drivers.length === NODES ? true : undefined;
    });
    const retried = await weft('retry', 'node-0', '-o', 'json');
    expect(retried).toMatchObject({ exit: 0 });
    expect(JSON.parse(retried.stdout)).toMatchObject({ nodes: [{ changed: true }] });
    expect(await weft('run')).toMatchObject({ exit: 0 });
    expect(await bed.behind()).toEqual([]);
  });
});

describe('by hand', () => {
  it('a pause keeps nodes from beginning, a skip one of them, and a request sends one that is in sync through its upgrade', async () => {
    await bed.nextVersion();
    expect(await weft('pause')).toMatchObject({ exit: 0, stdout: expect.stringContaining('no node is in progress') });
    expect(await weft('run')).toMatchObject({ exit: 0, stdout: expect.stringContaining(`${NODES} nodes paused`) });
    expect(await weft('skip', 'node-?', '-l', 'kubernetes.io/hostname=node-4')).toMatchObject({ exit: 0 });
    expect(await weft('resume')).toMatchObject({ exit: 0 });
    expect(await weft('run')).toMatchObject({ exit: 0 });
    expect(await bed.behind()).toEqual([expect.stringContaining('node-4: ')]);
    expect(await weft('unskip', 'node-4')).toMatchObject({ exit: 0 });
    expect(await weft('request', 'node-5')).toMatchObject({ exit: 0 });
    expect(await weft('run')).toMatchObject({ exit: 0 });
    expect(await bed.behind()).toEqual([]);
    expect((await weft('explain', 'node-5')).stdout).toMatch(/\[due, .*\] an upgrade was requested/);
  });
});

describe('a cluster without free capacity', () => {
  it('is upgraded although evicted pods find no other node', async () => {
    const labels = { app: 'big' };
    // More than half of each node, so that a node has room for one only.
    const container = { name: 'big', image: 'registry.example.com/big:1', resources: { requests: { cpu: '40' } } };
    const big: LiveObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'big', namespace: WORKLOADS },
      spec: {
        replicas: NODES,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, containers: [container] } },
      },
    };
    expect((await applyAll(bed.controlPlane.client, [big])).problems).toEqual([]);
    const bigPods = async () => (await podsIn(WORKLOADS)).filter(({ metadata }) => metadata.labels?.['app'] === 'big');
    await until('each node has one', async () =>
      (await bigPods()).filter(isReady).length === NODES ? true : undefined,
    );
    let mostUnschedulable = 0;
    await bed.nextVersion();
    const companion = await bed.start();
    while (companion.isRunning()) {
      const unschedulable = (await bigPods()).filter((pod) => nodeOf(pod) === '').length;
      mostUnschedulable = Math.max(mostUnschedulable, unschedulable);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 0, reason: 'done' });
    expect(await bed.behind()).toEqual([]);
    report(`a cluster without free capacity: at most ${mostUnschedulable} of ${NODES} pods had no node`);
    // The number depends on how fast the scheduler reports it; the simulation, where that time is known, tests the limit.
    expect(mostUnschedulable).toBeGreaterThan(0);
    await until('each pod has a node again', async () =>
      (await bigPods()).filter(isReady).length === NODES ? true : undefined,
    );
  });
});
