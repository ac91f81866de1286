import { desiredOf } from '../../src/forecast/plan/desired.js';
import { makePlan } from '../../src/forecast/plan/plan.js';
import type { UpgradePlan } from '../../src/forecast/plan/types.js';
import { AT, type Fleet } from './fleet.js';

const DURATIONS = {
  driver: { from: 240, to: 300 },
  workload: { from: 5, to: 30 },
  termination: { from: 1, to: 20 },
};

/** The plan of a fleet. */
export function planOf({ objects, snapshot }: Fleet, runs = 1): UpgradePlan {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  return makePlan(desired, snapshot, { at: AT, durations: DURATIONS, runs });
}

export type Item = Record<string, unknown>;

/** The fleet with some of its objects changed. */
export function changed(fleet: Fleet, kind: string, name: RegExp, change: (object: Item) => Item): Fleet {
  const isMeant = (item: Item): boolean =>
    item['kind'] === kind && name.test((item['metadata'] as { readonly name: string }).name);
  return { ...fleet, snapshot: { items: fleet.snapshot.items.map((one) => (isMeant(one) ? change(one) : one)) } };
}

export const withMetadata = (object: Item, more: object): Item => ({
  ...object,
  metadata: { ...(object['metadata'] as object), ...more },
});
export const withSpec = (object: Item, more: object): Item => ({
  ...object,
  spec: { ...(object['spec'] as object), ...more },
});

/** A node is taken out although a budget never allows the eviction of its pods. */
const ownerOf = (name: string) => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Database', name, uid: `database-${name}`, controller: true },
});

/**
 * Pods that leave no node, not the first one of a workload, whose labels those of its ReplicaSet are: each has a budget that allows no eviction, so the
 * drain of its node fails.
 */
export function withHeldPods(fleet: Fleet, name: RegExp): Fleet {
  const names: string[] = [];
  const held = changed(fleet, 'Pod', name, (pod) => {
    const { name: podName, labels } = pod['metadata'] as { readonly name: string; readonly labels?: object };
    names.push(podName);
    return withMetadata(pod, { labels: { ...labels, held: podName }, ownerReferences: [ownerOf(podName)] });
  });
  const budgets = names.map((pod) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `of-${pod}`, namespace: 'apps' },
    spec: { selector: { matchLabels: { held: pod } }, maxUnavailable: 0 },
  }));
  return { ...held, snapshot: { items: [...held.snapshot.items, ...budgets] } };
}
