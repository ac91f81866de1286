import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { Decision, SnapshotNode } from '../../../companion/model/types.js';
import { namesOf, withoutActions } from './left-out.js';

/**
 * A decision that was made without the ResourceClaims, for a user who may not list them: a pod may hold a GPU by one, so no GPU driver is
 * restarted, and the reason is what its node waits for.
 *
 * @param why the answer of the API server
 */
export function withUnreadClaims(
  decision: Decision,
  nodes: readonly SnapshotNode[],
  { drivers }: UpgradePolicy,
  why: string,
): Decision {
  const prefixes = namesOf(drivers, 'gpu', 'gpu-operator');
  const message = `a pod may hold a GPU by a ResourceClaim, which cannot be listed: ${why}`;
  return withoutActions(
    decision,
    nodes,
    (action) =>
      action.kind === 'patchNode'
        ? action.steps.some(({ driver, to }) => prefixes.includes(driver) && to === 'pod-restart-required')
        : prefixes.includes(action.driver) && action.kind === 'deletePod' && action.reason === 'driver-restart',
    { kind: 'evictions', message },
  );
}
