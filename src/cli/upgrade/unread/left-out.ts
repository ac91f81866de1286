import { driverKeys } from '../../../shared/contract/labels.js';
import type { DriverKind, DriverPolicy } from '../../../shared/contract/upgrade-policy.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import { nodeKey } from '../../../companion/model/snapshot.js';
import type { Action, Decision, SnapshotNode, Waiting } from '../../../companion/model/types.js';

type NodeAction = Exclude<Action, { readonly kind: 'deleteDaemonSet' }>;

/** The drivers that an action is about: a patch of a node is about all that it takes steps for. */
export function driversOf(action: Action): readonly string[] {
  if (action.kind !== 'patchNode' || action.steps.length === 0) return [action.driver];
  return [...new Set(action.steps.map(({ driver }) => driver))];
}

/** What the drivers of these kinds are called. */
export function namesOf(drivers: readonly DriverPolicy[], ...kinds: readonly DriverKind[]): readonly string[] {
  return drivers.filter(({ kind }) => kinds.includes(kind)).map(({ labelPrefix }) => labelPrefix);
}

/**
 * A decision without actions that only seem right because something could not be listed. Their nodes wait for that, and for nothing else
 * of the same drivers.
 *
 * @param isLeftOut whether an action is one of those
 */
export function withoutActions(
  decision: Decision,
  nodes: readonly SnapshotNode[],
  isLeftOut: (action: NodeAction) => boolean,
  wait: Pick<Waiting, 'kind' | 'message'>,
): Decision {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const waits = new Map<string, Waiting>();
  const actions = decision.actions.filter((action) => {
    if (action.kind === 'deleteDaemonSet' || !isLeftOut(action)) return true;
    const { node } = action;
    for (const driver of driversOf(action)) {
      const state = (byName.get(node)?.labels[driverKeys(driver).state] ?? '') as NodeState;
      waits.set(nodeKey(driver, node), { driver, node, state, ...wait, blockers: [] });
    }
    return false;
  });
  const others = decision.waiting.filter(({ driver, node }) => !waits.has(nodeKey(driver, node)));
  return { ...decision, actions, waiting: [...others, ...waits.values()] };
}
