import { describe, expect, it } from '@jest/globals';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import type { ClusterPort } from '../../../src/companion/runtime/ports.js';
import { isEveryCase } from '../../kit/shares.js';
import { addBudget } from '../run/build.js';
import { addJobs, addPodsThatFitNowhere, putPod, upgradeOnce, type OneUpgrade } from './one-upgrade.js';

const KEYS = driverKeys('ofed');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a node that cannot go on is followed. */
const STUCK_HOURS = isEveryCase ? 6 : 1;

/** The hours of an upgrade, to a tenth. */
const tenths = (hours: number): number => Math.round(hours * 10) / 10;

describe('the patch that cordons a node is refused', () => {
  const message = 'admission webhook "nodes.example.com" denied the request: n1 is protected';
  const refused =
    (kind: 'error' | 'retry', afterMs: number) =>
    (port: ClusterPort): Partial<ClusterPort> => ({
      patchNode: async (action) => {
        if (action.node !== 'n1') return port.patchNode(action);
        // The time of a request.
        for (let passed = 0; passed < afterMs; passed += 1000) await port.getNode(action.node);
        return { kind, message };
      },
    });

  it.each([1, 2, 4, 10])('%i at a time: the others are done as if it were not there', async (maxParallelUpgrades) => {
    const driver = { maxParallelUpgrades };
    const without = await upgradeOnce({ nodes: 11, podsPerNode: 2, driver });
    const result = await upgradeOnce({ nodes: 12, podsPerNode: 2, driver, port: refused('error', 0) });
    expect(result.done).toHaveLength(11);
    expect(result.hours).toBeLessThan(without.hours + 0.05);
    expect(result.end).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect(result.end?.message).toContain('1 node whose patches the API server refuses');
    expect(result.status).toContain('n1 is protected');
  });

  it('the request times out', async () => {
    const result = await upgradeOnce({ nodes: 12, port: refused('retry', 10_000) });
    expect(result.done).toHaveLength(11);
    expect(result.end).toMatchObject({ exitCode: 0, reason: 'waiting' });
  });

  it('it takes no place of a canary', async () => {
    const driver = { maxParallelUpgrades: 4 };
    const rollout = { canary: { nodes: 1, soak: '0s' } };
    const result = await upgradeOnce({ nodes: 12, driver, rollout, port: refused('error', 0) });
    expect(result.done).toHaveLength(11);
  });
});

describe('two drivers', () => {
  it('nodes that are due for both are cordoned once', async () => {
    const cordons = new Map<string, number>();
    let cluster: SimulatedCluster | undefined;
    const prepare = (prepared: SimulatedCluster): void => {
      cluster = prepared;
      prepared.store.nodes.listen((node, before, after) => {
        if (before?.unschedulable === true || after?.unschedulable !== true) return;
        cordons.set(node, (cordons.get(node) ?? 0) + 1);
      });
    };
    const result = await upgradeOnce({
      nodes: 6,
      podsPerNode: 4,
      driver: { maxParallelUpgrades: 2 },
      gpu: {},
      prepare,
    });
    expect(result.end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect([...cordons.values()]).toEqual([1, 1, 1, 1, 1, 1]);
    const nodes = [...(cluster?.store.nodes.values() ?? [])];
    const { state } = driverKeys('gpu');
    expect(nodes.map(({ labels, unschedulable }) => ({ done: labels[state], unschedulable }))).toEqual(
      Array.from({ length: 6 }, () => ({ done: 'upgrade-done', unschedulable: false })),
    );
  });
});

describe('a node that cannot go on keeps only its own slot', () => {
  const stuck: Readonly<Record<string, Partial<OneUpgrade>>> = {
    'a job without a time limit': {
      driver: { jobsSelector: 'job=yes' },
      prepare: (cluster) => putPod(cluster, 'n1', 'job', { labels: { job: 'yes' } }),
    },
    'a finalizer': {
      prepare(cluster) {
        putPod(cluster, 'n1', 'stuck', { finalizers: ['example.com/never'] });
        cluster.store.pods.listen((key, _before, after) => {
          if (after?.name !== 'stuck' || after.deletionMs === undefined || after.lifecycle.goneMs === Infinity) return;
          const lifecycle = { ...after.lifecycle, goneMs: Infinity };
          cluster.store.pods.put(key, { ...after, lifecycle }, 'kubelet');
        });
      },
    },
    'a budget of 0': {
      prepare(cluster) {
        putPod(cluster, 'n1', 'guarded', { labels: { app: 'guarded' } });
        addBudget(cluster, 'guarded', 1, '');
      },
    },
  };

  it.each(Object.entries(stuck))('%s', async (_name, { driver, prepare }) => {
    const drain = { enable: true, force: true, timeoutSeconds: 0 };
    const setup = {
      nodes: 6,
      podsPerNode: 4,
      driver: { maxParallelUpgrades: 3, drain, ...driver },
      longestHours: STUCK_HOURS,
    };
    const result = await upgradeOnce({ ...setup, ...(prepare && { prepare }) });
    expect(result.done).toEqual(['n2', 'n3', 'n4', 'n5', 'n6']);
    expect(result.hours).toBeLessThan(0.1);
  });

  const withJobs = { nodes: 12, podsPerNode: 2, driver: { maxParallelUpgrades: 4, jobsSelector: 'job=yes' } };

  it('12 nodes with jobs of an hour, 4 at a time', async () => {
    const result = await upgradeOnce({ ...withJobs, prepare: (cluster) => addJobs(cluster, HOUR_MS) });
    expect(result.done).toHaveLength(12);
    expect(tenths(result.hours)).toBe(3);
  });

  it('the same with a pod that fits nowhere every ten minutes', async () => {
    const prepare = (cluster: SimulatedCluster): void => {
      addJobs(cluster, HOUR_MS);
      addPodsThatFitNowhere(cluster, 10 * MINUTE_MS);
    };
    const result = await upgradeOnce({ ...withJobs, prepare });
    expect(result.done).toHaveLength(12);
    expect(tenths(result.hours)).toBe(3);
    expect(result.givenBack).toBe(0);
  });

  (isEveryCase ? it : it.skip)('40 nodes with pods that fit nowhere every 30 s', async () => {
    let without = 0;
    let hours = 0;
    // The pods change the order in which durations are drawn, which makes up to 8 % with one seed, 6 % with three, and 2 % with twenty.
    for (const seed of [1, 2, 3]) {
      const setup = { seed, nodes: 40, podsPerNode: 4, podCapacity: 10, driver: { maxParallelUpgrades: 4 } };
      without += (await upgradeOnce(setup)).hours;
      const result = await upgradeOnce({ ...setup, prepare: (cluster) => addPodsThatFitNowhere(cluster, 30_000) });
      expect(result.done).toHaveLength(40);
      hours += result.hours;
    }
    expect(hours / without).toBeLessThan(1.1);
  });

  it.each(['its policy is switched off', 'the maintenance operator has it'])('%s', async (name) => {
    const prepare = (cluster: SimulatedCluster): void => {
      putPod(cluster, 'n1', 'guarded', { labels: { app: 'guarded' } });
      addBudget(cluster, 'guarded', 1, '');
      cluster.store.nodes.listen((node, before, after) => {
        if (node !== 'n1' || before?.unschedulable === true || after?.unschedulable !== true) return;
        cluster.events.after(5000, () => (name.startsWith('its') ? switchOff(cluster) : handOver(cluster)));
      });
    };
    const driver = { maxParallelUpgrades: 2, drain: { enable: true, force: true, timeoutSeconds: 0 } };
    const groupOf = (node: number) => (node === 1 ? 'b' : 'a');
    const result = await upgradeOnce({ nodes: 6, podsPerNode: 8, driver, groupOf, prepare, longestHours: STUCK_HOURS });
    expect(result.done).toEqual(['n2', 'n3', 'n4', 'n5', 'n6']);
    expect(result.hours).toBeLessThan(0.2);
  });
});

/** The policy of group b loses `autoUpgrade`. */
function switchOff(cluster: SimulatedCluster): void {
  const drivers = cluster.policy.drivers.map((driver) => ({
    ...driver,
    policies: driver.policies.map((policy) => ({
      ...policy,
      upgradePolicy: { ...policy.upgradePolicy, autoUpgrade: policy.name !== 'b' },
    })),
  }));
  cluster.policy = { ...cluster.policy, drivers } as SimulatedCluster['policy'];
  cluster.policyWrittenMs = cluster.events.now();
}

function handOver(cluster: SimulatedCluster): void {
  const node = cluster.store.nodes.get('n1');
  if (node === undefined) return;
  const annotations = { ...node.annotations, [KEYS.requestorMode]: 'true' };
  cluster.store.nodes.put('n1', { ...node, annotations }, 'admin');
}

describe('a full cluster without budgets', () => {
  it('never has more pods without a node than one node had', async () => {
    const setup = { nodes: 12, podsPerNode: 8, podCapacity: 8, driver: { maxParallelUpgrades: 4 } };
    const result = await upgradeOnce(setup);
    expect(result.done).toHaveLength(12);
    expect(result.mostWithoutNode).toBeLessThanOrEqual(8);
  });
});
