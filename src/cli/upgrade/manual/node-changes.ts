import { legacyKeys, recordedFailure } from '../../../shared/contract/legacy-keys.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  readMaintenanceRecord,
} from '../../../shared/contract/maintenance-record.js';
import { NODE_STATES } from '../../../shared/contract/node-states.js';
import {
  operatorDriver,
  driverKeys,
  KEEP_CORDON_ANNOTATION,
  type DriverKeys,
} from '../../../shared/contract/labels.js';
import { namedDriver, upgradeCommand } from '../../../shared/contract/upgrade-command.js';
import { IN_PROGRESS, isAtRest } from '../../../companion/model/node-states.js';
import type { SnapshotNode } from '../../../companion/model/types.js';

/** What a command changes on one node, and what the companion does next. */
export interface NodeChange {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  /** What the command did, or why nothing had to be done. */
  readonly did: string;
  /** What happens next. */
  readonly next: string;
  /** The command cannot be applied to this node. */
  readonly isRefused?: boolean;
}

/** The keys by which commands read and change nodes. */
export interface CommandKeys extends DriverKeys {
  readonly prefix: string;
  /** The state label of an operator that restarts the driver. */
  readonly operatorState?: string;
  /** Label prefix by which commands name the driver; absent: the policy has no other. */
  readonly named?: string;
}

/**
 * The keys of the driver with this label prefix. Where an operator restarts the driver, it is asked for an upgrade, and told to try a node
 * again, by its own keys: a user may write them, the companion does not.
 *
 * @param drivers all of the policy. Default: it is the only one
 */
export function commandKeys(prefix: string, drivers: readonly unknown[] = []): CommandKeys {
  const named = namedDriver(prefix, drivers);
  const operator = operatorDriver(prefix);
  const keys = { ...driverKeys(prefix), prefix, ...(named !== undefined && { named }) };
  if (operator === undefined) return keys;
  const { state, requested } = driverKeys(operator);
  return { ...keys, requested, operatorState: state };
}

/** The commands that change nodes. */
export type NodeVerb = 'retry' | 'skip' | 'unskip' | 'request';

/** What the options of a command ask for. */
export interface ChangeOptions {
  /** `skip`: the node stays cordoned at the end of its maintenance. */
  readonly keepCordoned?: boolean;
}

type Change = (node: SnapshotNode, keys: CommandKeys, options?: ChangeOptions) => NodeChange;

/** What a command changes on a node. */
export const NODE_CHANGES: Readonly<Record<NodeVerb, Change>> = {
  retry,
  skip,
  unskip,
  request,
};

function retry(node: SnapshotNode, keys: CommandKeys): NodeChange {
  const state = stateOf(node, keys);
  const failure = recordedFailure(node.annotations);
  if (state === 'upgrade-required' && failure !== undefined) {
    return { did: 'it is to be tried again already', next: begins(node, keys) };
  }
  const byOperator = operatorRetry(node, keys);
  if (byOperator !== undefined) return byOperator;
  if (state !== 'upgrade-failed') return refused(`its state is ${shown(state)}, and only a failed node is tried again`);
  const was = failure === undefined ? '' : `; it had failed: ${failure}`;
  return {
    labels: { [keys.state]: 'upgrade-required' },
    annotations: withoutDue(node, keys),
    did: `${keys.state}: upgrade-failed → upgrade-required${was}`,
    next: begins(node, keys),
  };
}

/** A user asks for the maintenance, so the companion must not take it back where the driver is in sync. */
function withoutDue({ annotations }: SnapshotNode, { prefix }: CommandKeys): Readonly<Record<string, string | null>> {
  const { outdated } = legacyKeys(prefix);
  const record = readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION]);
  const due = record?.due?.filter((name) => name !== prefix);
  return {
    ...(annotations[outdated] !== undefined && { [outdated]: null }),
    ...(due !== undefined && { [MAINTENANCE_ANNOTATION]: maintenanceRecordText({ ...record, due }) ?? null }),
  };
}

/**
 * Sets a node back that the operator failed. It begins at once where the companion left the node cordoned, so the companion's state stays: it
 * validates and uncordons the node when the operator is done. With a node that is not cordoned the companion has to begin again, too.
 */
function operatorRetry(node: SnapshotNode, keys: CommandKeys): NodeChange | undefined {
  const { operatorState } = keys;
  if (operatorState === undefined || node.labels[operatorState] !== 'upgrade-failed') return undefined;
  const beginsAgain = stateOf(node, keys) === 'upgrade-failed' && !node.unschedulable;
  const states = beginsAgain ? [operatorState, keys.state] : [operatorState];
  return {
    labels: Object.fromEntries(states.map((state) => [state, 'upgrade-required'])),
    ...(beginsAgain && { annotations: withoutDue(node, keys) }),
    did: states.map((state) => `${state}: upgrade-failed → upgrade-required`).join(', '),
    next: node.unschedulable
      ? 'the operator begins with it, because it is cordoned; the companion uncordons it when it is done'
      : begins(node, keys),
  };
}

/** Whether nothing tries the node again: it failed, and no operator has begun with it again. */
export function hasFailed(node: SnapshotNode, { state, operatorState = '' }: CommandKeys): boolean {
  if (node.labels[state] !== 'upgrade-failed') return false;
  const operator = node.labels[operatorState] ?? '';
  return !(IN_PROGRESS.has(operator) || (operator === 'upgrade-required' && node.unschedulable));
}

function skip(node: SnapshotNode, keys: CommandKeys, { keepCordoned = false }: ChangeOptions = {}): NodeChange {
  const state = stateOf(node, keys);
  const isKept = node.annotations[KEEP_CORDON_ANNOTATION] === 'true';
  const kept = keepCordoned || isKept ? ', and the node stays cordoned then' : '';
  const next = IN_PROGRESS.has(state)
    ? `its upgrade is in progress (${state}) and is finished first${kept}; no other begins there until ${command('unskip', node, keys)}`
    : `no upgrade begins there until ${command('unskip', node, keys)}`;
  const labels = node.labels[keys.skip] === 'true' ? undefined : { [keys.skip]: 'true' };
  const annotations = keepCordoned && !isKept ? { [KEEP_CORDON_ANNOTATION]: 'true' } : undefined;
  if (labels === undefined && annotations === undefined) return { did: 'it is skipped already', next };
  const did = [
    ...(labels === undefined ? [] : [`label ${keys.skip}=true`]),
    ...(annotations === undefined ? [] : [`annotation ${KEEP_CORDON_ANNOTATION}=true`]),
  ];
  return { ...(labels && { labels }), ...(annotations && { annotations }), did: did.join(', '), next };
}

function unskip(node: SnapshotNode, keys: CommandKeys): NodeChange {
  const hasLabel = node.labels[keys.skip] !== undefined;
  const isKept = node.annotations[KEEP_CORDON_ANNOTATION] !== undefined;
  const isResting = isAtRest(stateOf(node, keys));
  const uncordon =
    isKept && isResting && node.unschedulable ? `; it is cordoned: \`kubectl uncordon ${node.name}\`` : '';
  const next = `${isResting ? 'it is upgraded when its driver is outdated' : begins(node, keys, true)}${uncordon}`;
  if (!hasLabel && !isKept) return { did: 'it is not skipped', next };
  const did = [
    ...(hasLabel ? [`label ${keys.skip} removed`] : []),
    ...(isKept ? [`annotation ${KEEP_CORDON_ANNOTATION} removed`] : []),
  ];
  return {
    ...(hasLabel && { labels: { [keys.skip]: null } }),
    ...(isKept && { annotations: { [KEEP_CORDON_ANNOTATION]: null } }),
    did: did.join(', '),
    next,
  };
}

function request(node: SnapshotNode, keys: CommandKeys): NodeChange {
  const state = stateOf(node, keys);
  if (!NODE_STATES.has(state))
    return refused(`its state ${shown(state)} is not known, so the companion leaves it alone`);
  if (state === 'upgrade-failed') return refused(`it failed: use ${command('retry', node, keys)}`);
  const next = IN_PROGRESS.has(state)
    ? `it is upgraded again when the upgrade in progress (${state}) is done`
    : begins(node, keys);
  if (node.annotations[keys.requested] === 'true') return { did: 'its upgrade is requested already', next };
  return {
    annotations: { [keys.requested]: 'true' },
    did: `annotation ${keys.requested}=true`,
    next: state === 'upgrade-required' ? `it was to be upgraded anyway: ${next}` : next,
  };
}

/** When the upgrade of a node begins. */
function begins(node: SnapshotNode, keys: CommandKeys, isUnskipped = false): string {
  const { labels } = node;
  if (!isUnskipped && labels[keys.skip] === 'true')
    return `nothing, while it is skipped: ${command('unskip', node, keys)}`;
  if (labels[keys.state] === 'upgrade-failed' && isUnskipped) return `it stays failed: ${command('retry', node, keys)}`;
  return 'it is cordoned, drained and upgraded as soon as the budgets and windows of the policy allow it';
}

/** A command for the node, in quotes. */
function command(verb: NodeVerb, { name }: SnapshotNode, { named }: CommandKeys): string {
  return `\`${upgradeCommand(verb, name, named)}\``;
}

function refused(did: string): NodeChange {
  return { did, next: 'nothing', isRefused: true };
}

function stateOf({ labels }: SnapshotNode, keys: DriverKeys): string {
  return labels[keys.state] ?? '';
}

function shown(state: string): string {
  return state === '' ? 'empty' : `\`${state}\``;
}
