import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { desiredOf } from './desired.js';
import { makePlan } from './plan.js';
import { checkedSnapshot, type ClusterSnapshot } from './snapshot/objects.js';
import type { PlanOptions, UpgradePlan } from './types.js';

/**
 * What the companion will do when a cluster gets these objects: its own decisions on a simulated cluster, in simulated time.
 *
 * @param objects the rendered objects of the cluster: `items` of `weft synth -o json`
 * @param snapshot objects of the live cluster: a List, as kubectl prints it or as `weft plan --save` writes it
 * @throws Error where the objects have no policy of the companion, which upgrade nothing, or where the snapshot is none
 * @example
 * const plan = planUpgrade(rendered.items, snapshot, { at: new Date() });
 * const stuck = plan.obstacles.filter(({ isStuck }) => isStuck);
 */
export function planUpgrade(
  objects: readonly KubernetesObject[],
  snapshot: ClusterSnapshot,
  options: PlanOptions,
): UpgradePlan {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the objects have no policy of the companion: they upgrade nothing');
  const checked = checkedSnapshot(snapshot);
  if ('problem' in checked) throw new Error(`the snapshot cannot be used: ${checked.problem}`);
  return makePlan(desired, checked, options);
}
