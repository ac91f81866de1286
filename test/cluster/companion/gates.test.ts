import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { driverKeys, OFED_GATE_LABEL } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { expectDone, expectSound, runCronJob } from '../upgrade-bed/companion-checks.js';
import { KERNEL, VERSIONS, type BedInput } from '../upgrade-bed/companion-input.js';
import { isDriver, isReady, nodeOf, nodesOf, ownerOf, podsOf } from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import { isFull } from '../bed/test-bed.js';
import { loadSafely } from '../simulated/safe-load.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

const NODES = 3;
const SLOTS = 3;
const KEYS = driverKeys('ofed');
const UPGRADE_POLICY = {
  autoUpgrade: true,
  maxParallelUpgrades: SLOTS,
  drain: { enable: true, deleteEmptyDir: true },
} as const;

let bed: UpgradeBed;
/** Nodes whose driver does not load at the moment. */
const held = new Set<string>();
/** Whether drivers request a safe load, as the init container does with `safeLoad`. */
let asksForSafeLoad = false;
/** The nodes on which a driver was allowed to load, and whether they were cordoned then. */
const safeLoads: { readonly node: string; readonly cordoned: boolean }[] = [];
/** The version of the policy. A change of another field keeps it. */
let version: string = VERSIONS[0];
let isOver = false;

const nodeNamed = async (name: string): Promise<LiveObject> => {
  const found = await bed.controlPlane.client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  if (found === undefined) throw new Error(`there is no node ${name}`);
  return found;
};

async function initialized(pod: LiveObject): Promise<void> {
  if (!isDriver(pod)) return;
  while (held.has(nodeOf(pod)) && !isOver) await sleep(50);
  if (!asksForSafeLoad) return;
  const node = await loadSafely(bed.controlPlane.client, nodeOf(pod), () => isOver);
  const spec = node?.['spec'] as { readonly unschedulable?: boolean } | undefined;
  if (node !== undefined) safeLoads.push({ node: nodeOf(pod), cordoned: spec?.unschedulable === true });
}

beforeAll(async () => {
  bed = await startUpgradeBed('companion-gates', {
    nodes: NODES,
    podsPerNode: 2,
    budget: '100%',
    upgradePolicy: UPGRADE_POLICY,
    initialized,
  });
});
afterAll(async () => {
  isOver = true;
  await bed.stop();
});
beforeEach(() => bed.auditFromNow());

const isGated = (pod: LiveObject) => ownerOf(pod).startsWith('rdma-shared-dp');
const isStaying = ({ metadata }: LiveObject) => metadata.deletionTimestamp === undefined;
const podsOn = async (node: string) =>
  (await podsOf(bed.controlPlane.client)).filter((pod) => nodeOf(pod) === node && isStaying(pod));
const driverOn = async (node: string) => (await podsOn(node)).find(isDriver);
const gatedOn = async (node: string) => (await podsOn(node)).find(isGated);
const gateOf = async (node: string) => (await nodeNamed(node)).metadata.labels?.[OFED_GATE_LABEL];

/** When the container of a ready pod started. */
function startOf(pod: LiveObject): string {
  const { containerStatuses } = pod['status'] as {
    readonly containerStatuses: readonly { readonly state: { readonly running?: { readonly startedAt: string } } }[];
  };
  return containerStatuses[0]?.state.running?.startedAt ?? '';
}

/** Runs the CronJob, as its schedule does, until every node has a gated pod that is not older than its driver. */
async function untilFresh(nodes: number): Promise<void> {
  await until('each gated pod is ready and newer than its driver', async () => {
    await runCronJob(bed);
    const pods = (await podsOf(bed.controlPlane.client)).filter((pod) => isReady(pod) && isStaying(pod));
    const gated = pods.filter(isGated);
    const isFresh = (pod: LiveObject) =>
      pods.some((one) => isDriver(one) && nodeOf(one) === nodeOf(pod) && startOf(one) <= startOf(pod));
    return gated.length === nodes && gated.every(isFresh) ? true : undefined;
  });
}

async function untilDriverIsReady(node: string): Promise<void> {
  await until(`the driver of ${node} is ready`, async () => {
    const driver = await driverOn(node);
    return driver !== undefined && isReady(driver) ? true : undefined;
  });
}

/** While the driver of a node is not loaded: the CronJob runs, and no gated pod does. */
async function expectClosed(node: string, gate: Gate): Promise<void> {
  await runCronJob(bed);
  if (gate === 'label') {
    expect(await gateOf(node)).toBe('true');
    await until('its gated pod is gone', async () => ((await gatedOn(node)) === undefined ? true : undefined));
  } else {
    const gated = await until('it has a gated pod', () => gatedOn(node));
    expect(isReady(gated)).toBe(false);
  }
}

/** Loads the driver that was blocked, and expects that the gated pod starts after it. */
async function expectOpened(node: string, gate: Gate, nodes: number): Promise<void> {
  held.delete(node);
  await untilDriverIsReady(node);
  await untilFresh(nodes);
  expect(await gateOf(node)).toBe(gate === 'label' ? 'false' : undefined);
}

async function upgrade(change: Partial<BedInput>): Promise<void> {
  await bed.nextVersion({ version, ...change });
  await expectDone(bed, await bed.start());
}

const newNode = async (index: number): Promise<string> => {
  const [options] = nodesOf({ name: 'node', count: index + 1, os: 'ubuntu', osVersion: '24.04', kernel: KERNEL }).slice(
    index,
  );
  if (options === undefined) throw new Error('no node');
  await bed.kubelets.addNode(options);
  return options.name;
};

type Gate = 'ready-file' | 'label';
const full = isFull() ? it : it.skip;
/** The number of nodes; tests add some. */
let nodes = NODES;

describe.each(['ready-file', 'label'] as const)('the gate %s', (gate) => {
  it('lets gated pods run where the driver is loaded', async () => {
    await upgrade({ driver: { gate } });
    await untilFresh(nodes);
    expect(await gateOf('node-0')).toBe(gate === 'label' ? 'false' : undefined);
    expect(expectSound(bed, 0).evictions).toBe(0);
  });

  it('is closed after a reboot until the driver is loaded again, without a cordon', async () => {
    held.add('node-0');
    await bed.kubelets.reboot('node-0');
    await expectClosed('node-0', gate);
    await expectOpened('node-0', gate, nodes);
    expect(expectSound(bed, 0).cordons).toEqual({});
  });

  it('is closed on a new node until its first driver is loaded, without a cordon', async () => {
    held.add(`node-${nodes}`);
    const name = await newNode(nodes++);
    await until('it has a driver pod', () => driverOn(name));
    await expectClosed(name, gate);
    await expectOpened(name, gate, nodes);
    expect(expectSound(bed, 0).cordons).toEqual({});
    expect((await nodeNamed(name)).metadata.labels?.[KEYS.state]).toBe('upgrade-done');
  });

  full('makes gated pods anew when the driver is another one', async () => {
    version = VERSIONS[gate === 'label' ? 2 : 1];
    await upgrade({ driver: { gate } });
    await untilFresh(nodes);
    expect(Object.keys(expectSound(bed, SLOTS).cordons)).toHaveLength(nodes);
  });
});

describe('safe load', () => {
  const safe = { driver: { gate: 'label' }, upgradePolicy: { ...UPGRADE_POLICY, safeLoad: true } } as const;

  it('is no reason to touch nodes whose driver is loaded', async () => {
    await upgrade(safe);
    expect(expectSound(bed, 0).cordons).toEqual({});
    asksForSafeLoad = true;
  });

  it.each(['a new node', 'a node that was started again'])('%s is cordoned while its driver loads', async (what) => {
    safeLoads.length = 0;
    const name = what === 'a new node' ? await newNode(nodes++) : 'node-0';
    if (name === 'node-0') await bed.kubelets.reboot(name);
    await until('its driver asks', async () => {
      const { annotations = {} } = (await nodeNamed(name)).metadata;
      return annotations[KEYS.safeLoad];
    });
    expect(safeLoads).toEqual([]);
    await runCronJob(bed);
    expect(safeLoads).toEqual([{ node: name, cordoned: true }]);
    expect(expectSound(bed, 1).cordons).toEqual({ [name]: 1 });
    await untilFresh(nodes);
    expect(await bed.behind()).toEqual([]);
  });

  full('is a part of each upgrade', async () => {
    safeLoads.length = 0;
    version = VERSIONS[0];
    await upgrade(safe);
    expect(safeLoads.map(({ cordoned }) => cordoned)).toEqual(Array.from({ length: nodes }, () => true));
    expectSound(bed, SLOTS);
    await untilFresh(nodes);
  });
});
