import type { DriverKeys } from '../../shared/contract/labels.js';
import { NODE_STATES } from '../../shared/contract/node-states.js';
import type { NodeUpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { IN_MAINTENANCE } from '../model/node-states.js';
import type { SnapshotNode, WaitReason } from '../model/types.js';

interface SuspendedInput {
  readonly node: SnapshotNode;
  readonly state: string;
  readonly keys: DriverKeys;
  readonly policy: NodeUpgradePolicy | undefined;
  /** An uninstall does not depend on `autoUpgrade`. */
  readonly isUninstalled: boolean;
  /** The companion asks the Maintenance Operator for nodes, so its annotation is the companion's. */
  readonly asksOperator: boolean;
}

/** Why the companion leaves a node as it is for a participant; undefined: it does not. */
export function suspendedWait({
  node,
  state,
  keys,
  policy,
  isUninstalled,
  asksOperator,
}: SuspendedInput): WaitReason | undefined {
  if (!NODE_STATES.has(state)) return { kind: 'foreign-flow', message: `the state \`${state}\` is unknown` };
  const isAsked = node.annotations[keys.requestorMode] !== undefined || IN_MAINTENANCE.has(state);
  if (!asksOperator && isAsked) return { kind: 'foreign-flow', message: foreignText(keys) };
  if (isUninstalled || policy?.autoUpgrade === true) return undefined;
  return { kind: 'off', message: `policy ${policy?.name ?? 'of the node'} has no autoUpgrade` };
}

/** Another program asked the Maintenance Operator for the node, or the policy did before. */
function foreignText({ requestorMode }: DriverKeys): string {
  return (
    `the Maintenance Operator was asked for it, as its state or its annotation ${requestorMode} says, ` +
    'and this policy does not ask that operator'
  );
}

/** The finding for a reason that keeps the companion from a node of another program. */
export function suspendedFindings(state: string, suspended: WaitReason | undefined) {
  if (!NODE_STATES.has(state))
    return [['unknown-state', `the state \`${state}\` is unknown; the node is left alone`]] as const;
  return suspended?.kind === 'foreign-flow' ? ([['requestor-mode', suspended.message]] as const) : [];
}
