import { describe, expect, it } from '@jest/globals';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import type { StoredNode } from '../../../src/forecast/simulation/store.js';
import type { ClusterPort } from '../../../src/companion/runtime/ports.js';
import { addBudget } from '../run/build.js';
import { addPodsThatFitNowhere, putPod, upgradeOnce, whenCordoned } from './one-upgrade.js';

const KEYS = driverKeys('ofed');
const MINUTE_MS = 60_000;
const OTHERS = ['n2', 'n3', 'n4', 'n5', 'n6'];
const drain = { enable: true, force: true, timeoutSeconds: 0 };

/** The node has a pod that no budget lets go, so its drain never ends. */
function keepInDrain(cluster: SimulatedCluster, node: string): void {
  putPod(cluster, node, 'guarded', { labels: { app: 'guarded' } });
  addBudget(cluster, 'guarded', 1, '');
}

function change(cluster: SimulatedCluster, name: string, changed: Partial<StoredNode>): void {
  const node = cluster.store.nodes.get(name);
  if (node !== undefined) cluster.store.nodes.put(name, { ...node, ...changed }, 'admin');
}

describe('several troubles at once cost the other nodes nothing but slots', () => {
  it('a drain that never ends, and a controller that makes new pods in place of those that fit nowhere', async () => {
    const prepare = (cluster: SimulatedCluster): void => {
      keepInDrain(cluster, 'n1');
      const app = cluster.workloads.find(({ name }) => name === 'app');
      whenCordoned(cluster, 'n1', () => addPodsThatFitNowhere(cluster, 5 * MINUTE_MS, app?.uid));
    };
    const driver = { maxParallelUpgrades: 3, drain };
    const result = await upgradeOnce({ nodes: 6, podsPerNode: 4, driver, prepare, longestHours: 0.5 });
    expect(result.done).toEqual(OTHERS);
    // They wait for the first ten minutes of each drain.
    expect(result.hours).toBeLessThan(0.4);
  });

  it('a taint on a node in its drain, whose pods share a PodDisruptionBudget with all others', async () => {
    const prepare = (cluster: SimulatedCluster): void => {
      addBudget(cluster, 'app', 20, '');
      const taints = [{ key: 'example.com/sick', effect: 'NoSchedule' as const }];
      whenCordoned(cluster, 'n1', () => change(cluster, 'n1', { taints }));
    };
    const driver = { maxParallelUpgrades: 3, drain, tolerates: false };
    const result = await upgradeOnce({ nodes: 6, podsPerNode: 4, driver, prepare, longestHours: 0.5 });
    expect(result.done).toEqual(OTHERS);
    expect(result.hours).toBeLessThan(0.3);
  });

  it('a job without an end, refused patches, the maintenance operator, and others that set and lift cordons', async () => {
    const begun = new Map<string, number>();
    const prepare = (cluster: SimulatedCluster): void => {
      putPod(cluster, 'n1', 'job', { labels: { job: 'yes' } });
      keepInDrain(cluster, 'n3');
      change(cluster, 'n4', { unschedulable: true });
      whenCordoned(cluster, 'n5', () => change(cluster, 'n5', { unschedulable: false }));
      whenCordoned(cluster, 'n3', () => {
        const node = cluster.store.nodes.get('n3');
        change(cluster, 'n3', { annotations: { ...node?.annotations, [KEYS.requestorMode]: 'true' } });
      });
      cluster.store.nodes.listen((name, before, after) => {
        const [from, to] = [before, after].map((node) => node?.labels[KEYS.state]);
        if (from === 'upgrade-required' && to !== from) begun.set(name, (begun.get(name) ?? 0) + 1);
      });
    };
    const port = (real: ClusterPort): Partial<ClusterPort> => ({
      patchNode: (action) =>
        action.node === 'n2' && action.unschedulable === true
          ? Promise.resolve({ kind: 'error', message: 'a webhook refuses it' })
          : real.patchNode(action),
    });
    const driver = { maxParallelUpgrades: 3, drain, jobsSelector: 'job=yes' };
    const result = await upgradeOnce({ nodes: 9, podsPerNode: 4, driver, prepare, port, longestHours: 0.5 });
    expect(result.done).toEqual(['n4', 'n5', 'n6', 'n7', 'n8', 'n9']);
    expect(result.hours).toBeLessThan(0.4);
    expect([...begun].filter(([, times]) => times > 1)).toEqual([]);
  });
});
