import { cordonMark } from '../../kit/records.js';
import { allKeys } from '../../kit/snapshots.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { NFD_LABELS } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { reasonOf } from '../upgrade-bed/companion-checks.js';
import type { BedInput } from '../upgrade-bed/companion-input.js';
import { isDriver, isReady, NAMESPACE, nodeOf, podsOf } from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import { startOperatorFlow } from '../simulated/operator-flow.js';
import { isFull } from '../bed/test-bed.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';
import { WORKLOADS } from '../simulated/workloads.js';

const KEYS = allKeys('ofed');
const SLOTS = 4;
const NOW = String(Math.floor(Date.now() / 1000));

interface HalfWay {
  /** What is there, as k8s-operator-libs leaves it when the operator stops (`pkg/upgrade`, at 11e747a). */
  readonly state: string;
  readonly isCordoned: boolean;
  /** Whether the driver pod is of the new version. */
  readonly isNew: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The expected result. Default: `upgrade-done` and schedulable, with the new driver. */
  readonly end?: { readonly state: string; readonly isCordoned: boolean };
}

/** Each state of the operator's flow, one node for each. */
const HALF_WAY: readonly HalfWay[] = [
  { state: '', isCordoned: false, isNew: false },
  { state: 'upgrade-done', isCordoned: false, isNew: true },
  { state: 'upgrade-required', isCordoned: false, isNew: false },
  {
    ...{ state: 'upgrade-required', isCordoned: true, isNew: false, annotations: { [KEYS.initialState]: 'true' } },
    end: { state: 'upgrade-done', isCordoned: true },
  },
  {
    ...{ state: 'upgrade-required', isCordoned: false, isNew: false, labels: { [KEYS.skip]: 'true' } },
    end: { state: 'upgrade-required', isCordoned: false },
  },
  { state: 'cordon-required', isCordoned: false, isNew: false },
  { state: 'wait-for-jobs-required', isCordoned: true, isNew: false, annotations: { [KEYS.waitStart]: NOW } },
  { state: 'pod-deletion-required', isCordoned: true, isNew: false },
  { state: 'drain-required', isCordoned: true, isNew: false },
  {
    ...{ state: 'drain-required', isCordoned: true, isNew: false, annotations: { [KEYS.initialState]: 'true' } },
    end: { state: 'upgrade-done', isCordoned: true },
  },
  { state: 'pod-restart-required', isCordoned: true, isNew: false },
  { state: 'pod-restart-required', isCordoned: true, isNew: true },
  { state: 'validation-required', isCordoned: true, isNew: true, annotations: { [KEYS.validationStart]: NOW } },
  { state: 'uncordon-required', isCordoned: true, isNew: true },
  // Repaired while no operator ran, and not.
  { state: 'upgrade-failed', isCordoned: true, isNew: true },
  { state: 'upgrade-failed', isCordoned: true, isNew: false, end: { state: 'upgrade-failed', isCordoned: true } },
  // The maintenance operator has it.
  {
    ...{ state: 'node-maintenance-required', isCordoned: true, isNew: false },
    annotations: { [KEYS.requestorMode]: 'true' },
    end: { state: 'node-maintenance-required', isCordoned: true },
  },
];
const NODES = HALF_WAY.length;
const nameOf = (index: number) => `node-${index}`;

let bed: UpgradeBed;
/** Whether new drivers do not load at the moment. */
let areHeld = false;
let isOver = false;

beforeAll(async () => {
  bed = await startUpgradeBed('companion-takeover', {
    nodes: NODES,
    podsPerNode: 1,
    budget: '50%',
    upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: SLOTS, drain: { enable: true, deleteEmptyDir: true } },
    // Two nodes of the table have failed or are with the maintenance operator.
    upgrade: { failureBudget: 3 },
    companion: { schedule: '' },
    initialized: async (pod) => {
      while (areHeld && isDriver(pod) && !isOver) await sleep(50);
    },
  });
});
afterAll(async () => {
  isOver = true;
  await bed.stop();
});

const nodes = () => bed.controlPlane.client.list('/api/v1/nodes');
const patchNode = (name: string, change: object) =>
  bed.controlPlane.client.ask('PATCH', `/api/v1/nodes/${name}`, change, 'merge');

async function statesOf(): Promise<Readonly<Record<string, { readonly state: string; readonly isCordoned: boolean }>>> {
  return Object.fromEntries(
    (await nodes()).map(({ metadata, spec }) => [
      metadata.name,
      {
        state: metadata.labels?.[KEYS.state] ?? '',
        isCordoned: (spec as { readonly unschedulable?: boolean }).unschedulable === true,
      },
    ]),
  );
}

/** Annotations of the operator's flow that are on nodes. */
async function operatorMarks(): Promise<readonly string[]> {
  return (await nodes()).flatMap(({ metadata: { name, annotations = {} } }) =>
    Object.keys(annotations)
      .filter((key) => key.startsWith('nvidia.com/'))
      .map((key) => `${name} ${key}`),
  );
}

/** Replaces the driver pods of these nodes, as the operator does. */
async function restartDrivers(names: ReadonlySet<string>): Promise<void> {
  const { client } = bed.controlPlane;
  const drivers = async () => (await podsOf(client)).filter((pod) => isDriver(pod) && names.has(nodeOf(pod)));
  const old = await drivers();
  for (const pod of old) await client.delete({ ...pod, apiVersion: 'v1', kind: 'Pod' });
  const gone = new Set(old.map(({ metadata }) => metadata.uid));
  await until('their drivers are new', async () => {
    const now = (await drivers()).filter((pod) => isReady(pod) && !gone.has(pod.metadata.uid));
    return now.length === names.size ? true : undefined;
  });
}

const OPERATOR: LiveObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'network-operator',
    namespace: NAMESPACE,
    labels: { 'app.kubernetes.io/name': 'network-operator' },
  },
  spec: {
    tolerations: [{ operator: 'Exists' }],
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'manager', image: 'registry.example.com/operator:1' }],
  },
};

describe('what the operator leaves half-way', () => {
  let before: Awaited<ReturnType<typeof statesOf>>;

  it('is left alone while a pod of the operator runs', async () => {
    const { client } = bed.controlPlane;
    await bed.nextVersion();
    await restartDrivers(new Set(HALF_WAY.flatMap(({ isNew }, index) => (isNew ? [nameOf(index)] : []))));
    for (const [index, { state, isCordoned, annotations = {}, labels = {} }] of HALF_WAY.entries()) {
      const label = state === '' ? {} : { [KEYS.state]: state };
      await patchNode(nameOf(index), {
        metadata: { labels: { ...labels, ...label }, annotations },
        spec: { unschedulable: isCordoned ? true : null },
      });
    }
    expect((await applyAll(client, [OPERATOR])).problems).toEqual([]);
    await until('the operator runs', async () => {
      const pod = await client.get(OPERATOR);
      return pod !== undefined && isReady(pod) ? true : undefined;
    });
    before = await statesOf();
    const companion = await bed.start();
    await companion.ended;
    expect(await statesOf()).toEqual(before);
    expect(bed.audit().byKind['patch nodes'] ?? 0).toBe(0);
  });

  it('is continued when the operator is gone, each node from where it is', async () => {
    const { client } = bed.controlPlane;
    await client.delete(OPERATOR);
    await until('the operator is gone', async () => ((await client.get(OPERATOR)) === undefined ? true : undefined));
    const companion = await bed.start();
    // A node of the table is left failed.
    expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 10, reason: 'failed' });
    const ends = HALF_WAY.map(({ end = { state: 'upgrade-done', isCordoned: false } }) => end);
    expect(await statesOf()).toEqual(Object.fromEntries(ends.map((end, index) => [nameOf(index), end])));
    // Annotations of the operator's flow that is not finished stay.
    const kept = HALF_WAY.flatMap(({ end, annotations = {} }, index) =>
      end === undefined || end.state === 'upgrade-done'
        ? []
        : Object.keys(annotations).map((key) => `${nameOf(index)} ${key}`),
    );
    expect(await operatorMarks()).toEqual(kept);
    const { refused, outsidePolicy, cordons } = bed.audit();
    expect({ refused, outsidePolicy }).toEqual({ refused: [], outsidePolicy: [] });
    // It cordons nodes that were schedulable, once.
    const open = HALF_WAY.flatMap(({ isCordoned, isNew, end }, index) =>
      !isCordoned && !isNew && end === undefined ? [[nameOf(index), 1] as const] : [],
    );
    expect(cordons).toEqual(Object.fromEntries(open));
  });
});

/** A state in which the companion is stopped, and how a node is kept in it. */
interface Stop {
  readonly state: string;
  readonly change?: Partial<BedInput>;
  readonly block?: () => Promise<void> | void;
  readonly release?: () => Promise<void> | void;
  /** Annotations that the operator leaves, because its policy waits for no jobs and it has no validation. */
  readonly left?: readonly string[];
  /** Tested with `--full` only. */
  readonly isLong?: boolean;
}

/** Sets `maxUnavailable` of the budgets of all workloads. */
async function setBudgets(maxUnavailable: string | number): Promise<void> {
  const { client } = bed.controlPlane;
  const path = `/apis/policy/v1/namespaces/${WORKLOADS}/poddisruptionbudgets`;
  for (const { metadata } of await client.list(path)) {
    await client.ask('PATCH', `${path}/${metadata.name}`, { spec: { maxUnavailable } }, 'merge');
  }
}

const STOPS: readonly Stop[] = [
  {
    state: 'wait-for-jobs-required',
    isLong: true,
    change: {
      upgradePolicy: {
        ...{ autoUpgrade: true, maxParallelUpgrades: SLOTS, drain: { enable: true, deleteEmptyDir: true } },
        waitForCompletion: { podSelector: 'app' },
      },
    },
    left: [KEYS.waitStart],
  },
  { state: 'drain-required', block: () => setBudgets(0), release: () => setBudgets('50%') },
  {
    state: 'pod-restart-required',
    block: () => void (areHeld = true),
    release: () => void (areHeld = false),
  },
  {
    state: 'validation-required',
    isLong: true,
    change: { upgrade: { validation: { resources: ['rdma/missing'] } } },
    left: [KEYS.validationStart],
  },
];

/** The nodes that keep their NICs: the others no longer have a driver. */
const KEPT = new Set(['node-0', 'node-1', 'node-2']);

describe('what the companion leaves half-way', () => {
  const behind = async () => (await bed.behind()).filter((line) => KEPT.has(line.replace(/:.*$/, '')));
  async function run(): Promise<void> {
    const companion = await bed.start();
    expect({ code: await companion.ended, reason: reasonOf(companion) }).toEqual({ code: 0, reason: 'done' });
    expect(await behind()).toEqual([]);
  }

  beforeAll(async () => {
    for (const index of HALF_WAY.keys()) {
      const isKept = KEPT.has(nameOf(index));
      const labels = {
        [KEYS.skip]: null,
        [KEYS.state]: null,
        ...(!isKept && { [NFD_LABELS.nicPresent]: null }),
      };
      const annotations = { [KEYS.requestorMode]: null };
      await patchNode(nameOf(index), { metadata: { labels, annotations }, spec: { unschedulable: null } });
    }
    await until('the other nodes have no driver', async () => {
      const drivers = (await podsOf(bed.controlPlane.client)).filter(isDriver);
      return drivers.every((pod) => KEPT.has(nodeOf(pod))) ? true : undefined;
    });
    await run();
  });

  it.each(STOPS.filter(({ isLong = false }) => isFull() || !isLong))(
    'in $state is continued by the rules of the operator',
    async ({ state, change, block, release, left = [] }) => {
      await block?.();
      await bed.nextVersion(change);
      const companion = await bed.start();
      await until(`a node is in ${state}`, async () =>
        Object.values(await statesOf()).some((one) => one.state === state) ? true : undefined,
      );
      // Like its pod when its Job is deleted.
      companion.signal('SIGTERM');
      expect(await companion.ended).toBe(143);
      await release?.();
      const flow = startOperatorFlow(bed.controlPlane, WORKLOADS);
      await until('the operator has upgraded all nodes', async () =>
        (await behind()).length === 0 ? true : undefined,
      );
      await flow.stop();
      expect((await operatorMarks()).filter((mark) => !left.some((key) => mark.endsWith(key)))).toEqual([]);

      // The next companion has nothing to do, and has left no annotation that would count for a later cordon.
      bed.auditFromNow();
      await run();
      expect(bed.audit().cordons).toEqual({});
      const marks = (await nodes()).flatMap(({ metadata }) => cordonMark(metadata.annotations ?? {}) ?? []);
      expect(marks).toEqual([]);
    },
  );
});
