import { planUpgrade } from '../../src/forecast/plan/plan-upgrade.js';
import type { UpgradePlan } from '../../src/forecast/plan/types.js';
import { fleetOf, podOf } from '../plan/fleet.js';

/** The fleet of the examples: two pools of two racks, nightly windows, canaries that soak, and nodes that do not come through. */
export function examplePlan(nodes: number): UpgradePlan {
  const { objects, snapshot } = fleetOf({
    ...{ nodes, podsPerNode: 4, places: 8, budget: { maxUnavailable: 3 } },
    upgradePolicy: { maxParallelUpgrades: Math.max(6, nodes / 20) },
    rollout: {
      pools: [{ name: 'h200', nodeSelector: { rack: 'rack-2' } }],
      canary: { nodes: 2, soak: '45m' },
      topologyKey: 'rack',
      failureBudget: 4,
      maintenanceWindows: [{ schedule: '0 22 * * *', duration: '2h', timeZone: 'Europe/Oslo' }],
    },
  });
  // The budget of a program that moves its pods itself: it keeps no node from beginning, and this program does not move it.
  const database = withoutPlaces('db', 'data', { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster' }, 'node-0013');
  const notebook = withoutPlaces('notebook', 'research', undefined, 'node-0018');
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'db', namespace: 'data' },
    spec: { selector: { matchLabels: { app: 'db' } }, maxUnavailable: 0 },
  };
  const items = [...snapshot.items, ...database, ...notebook, budget];
  const named = JSON.parse(JSON.stringify({ items }).replace(/node-(\d{4})/g, nodeName)) as typeof snapshot;
  return planUpgrade(objects, named, {
    ...{ at: new Date('2026-12-04T15:00:00Z'), runs: 10 },
    durations: { driver: { from: 300, to: 480 }, workload: { from: 20, to: 90 }, termination: { from: 10, to: 60 } },
  });
}

/** `gpu-r2-017`: the rack and the number. */
function nodeName(_all: string, digits: string): string {
  const number = Number(digits);
  return `gpu-r${number % 4}-${String(Math.floor(number / 4)).padStart(3, '0')}`;
}

/** A pod, and its controller if it has one. */
function withoutPlaces(
  app: string,
  namespace: string,
  by: { readonly apiVersion: string; readonly kind: string } | undefined,
  node: string,
): readonly Record<string, unknown>[] {
  const pod = podOf(app, 9000, node) as { metadata: Record<string, unknown> };
  const owner = { ...by, name: app, uid: `uid-${app}`, controller: true };
  const metadata = {
    ...pod.metadata,
    namespace,
    name: `${app}-0`,
    uid: `uid-${app}-0`,
    ownerReferences: by === undefined ? [] : [owner],
  };
  return [{ ...pod, metadata }];
}
