import { recordedFailure } from '../../../shared/contract/legacy-keys.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { statesIn, type NodeState } from '../../../shared/contract/node-states.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { Decision, SnapshotNode, Step, Waiting } from '../../../companion/model/types.js';
import { driversOf, namesOf, withoutActions } from './left-out.js';

const RESTARTED: readonly string[] = [...statesIn('restart', 'uncordon', 'failed')];
const RETURNED: readonly string[] = [...statesIn('uncordon', 'return', 'rest')];

/** A restart of OFED removes the virtual functions of a node, which is given back when they are there again. */
function givesBack({ from, to }: Step): boolean {
  return RESTARTED.includes(from) && RETURNED.includes(to);
}

/**
 * A decision that was made without the SriovNetworkNodeStates, for a user who may not list them: it has no step of a node for its virtual
 * functions, and none that gives a node back after a restart of OFED. The reason is what these nodes wait for; a failed node waits for its
 * repair.
 *
 * @param why the answer of the API server
 */
export function withUnreadNodeStates(
  decision: Decision,
  nodes: readonly SnapshotNode[],
  { drivers }: UpgradePolicy,
  why: string,
): Decision {
  const message = `its SriovNetworkNodeState cannot be listed: ${why}`;
  const prefixes = namesOf(drivers, 'sriov');
  const ofed = namesOf(drivers, 'ofed');
  const others = withoutActions(
    decision,
    nodes,
    (action) =>
      action.kind === 'patchNode' && action.steps.some((step) => ofed.includes(step.driver) && givesBack(step)),
    { kind: 'validation', message },
  );
  const isOther = ({ driver }: { readonly driver: string }): boolean => !prefixes.includes(driver);
  const waiting = prefixes.flatMap((driver) => nodes.flatMap((node) => waitOf(node, driver, message) ?? []));
  return {
    ...others,
    actions: others.actions.filter((action) => driversOf(action).some((driver) => isOther({ driver }))),
    waiting: [...others.waiting.filter(isOther), ...waiting],
    findings: others.findings.flatMap((one) => {
      if (isOther(one)) return [one];
      if (one.kind === 'sriov-not-external') return [];
      const failed = waiting.find(({ driver, node }) => driver === one.driver && node === one.node);
      return one.kind === 'node-failed' && failed !== undefined ? [{ ...one, message: failed.message }] : [one];
    }),
  };
}

/** Undefined: the node has no state of the driver, so that nothing is known of it. */
function waitOf(
  { name: node, labels, annotations }: SnapshotNode,
  driver: string,
  message: string,
): Waiting | undefined {
  const keys = driverKeys(driver);
  const state = (labels[keys.state] ?? '') as NodeState;
  if (state === '') return undefined;
  const waiting = { driver, node, state, blockers: [] };
  if (state !== 'upgrade-failed') return { ...waiting, kind: 'config-daemon', message };
  const failure = recordedFailure(annotations) ?? 'its upgrade failed, and no reason is recorded';
  return { ...waiting, kind: 'failed', message: `${failure}; ${message}` };
}
