import { covers } from '../api.js';
import { budgetStatus } from '../rules/budgets.js';
import { keyOf, type StoredBudget, type StoredPod } from '../store.js';
import type { SimulatedCluster } from '../simulated-cluster.js';
import { workQueue } from './work-queue.js';

/** The disruption controller: it counts the pods of each PodDisruptionBudget. */
export function startBudgetController(cluster: SimulatedCluster): void {
  const { budgets, pods } = cluster.store;
  const members = new Map<string, Map<string, StoredPod>>();
  const add = workQueue(cluster, (keys) => {
    for (const key of keys) count(cluster, key, members.get(key) ?? new Map());
  });
  const note = (key: string, pod: StoredPod, isThere: boolean): void => {
    for (const budget of budgets.values()) {
      if (budget.namespace !== pod.namespace || !covers(budget, pod)) continue;
      const at = keyOf(budget);
      const set = members.get(at) ?? new Map<string, StoredPod>();
      members.set(at, set);
      if (isThere) set.set(key, pod);
      else set.delete(key);
      add(at);
    }
  };
  const noteBudget = (at: string, budget: StoredBudget | undefined): void => {
    members.delete(at);
    if (budget === undefined) return;
    const found = [...cluster.store.podsIn(budget.namespace)].filter((pod) => covers(budget, pod));
    members.set(at, new Map(found.map((pod) => [keyOf(pod), pod])));
    add(at);
  };
  pods.listen((key, before, after) => {
    if (before !== undefined && (after === undefined || before.labels !== after.labels)) note(key, before, false);
    if (after !== undefined) note(key, after, true);
  });
  budgets.listen((key, before, after) => {
    if (before === undefined || before.selector !== after?.selector) noteBudget(key, after);
    else add(key);
  });
  for (const [key, budget] of budgets.entries()) noteBudget(key, budget);
}

function count(cluster: SimulatedCluster, key: string, members: ReadonlyMap<string, StoredPod>): void {
  const budget = cluster.store.budgets.get(key);
  if (budget === undefined) return;
  const owners = new Set<string>();
  let healthy = 0;
  for (const { ready, deletionMs, controller } of members.values()) {
    if (ready && deletionMs === undefined) healthy += 1;
    if (controller !== undefined) owners.add(controller.uid);
  }
  const scale = [...owners].reduce((sum, uid) => sum + (cluster.workloadOf(uid)?.replicas ?? 0), 0);
  const status = budgetStatus(budget, members.size, healthy, scale);
  const isSame =
    status.disruptionsAllowed === budget.disruptionsAllowed &&
    status.neverAllows === budget.neverAllows &&
    status.currentHealthy === budget.currentHealthy &&
    status.desiredHealthy === budget.desiredHealthy;
  if (!isSame) cluster.store.budgets.put(key, { ...budget, ...status }, 'controller');
}
