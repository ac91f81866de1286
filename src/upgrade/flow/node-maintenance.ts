import { nodeMaintenanceName } from '../../contract/node-maintenance.js';
import { driverKeys } from '../../contract/labels.js';
import type { NodeState } from '../../contract/node-states.js';
import type { NodeMaintenance, NodeMaintenanceChange, NodeMaintenanceSpec } from '../model/node-maintenance.js';
import type { ChangeNodeMaintenance, WaitReason } from '../model/types.js';
import type { Maintenances } from '../view/maintenances.js';
import { timeIn } from './clock.js';
import { annotation, type Guard, type NodePlan } from './node-plan.js';
import { isInRequestorMode, maintenanceOf } from './requestor-mode.js';

const RETURNING: NodeState = 'post-maintenance-required';

function isOurs({ requestor }: NodeMaintenance, { settings }: Maintenances): boolean {
  return requestor === settings.requestorID;
}

function hasJoined({ additionalRequestors }: NodeMaintenance, { settings }: Maintenances): boolean {
  return additionalRequestors.includes(settings.requestorID);
}

/**
 * The companion has the node by this object. When its owner deletes an object, the operator keeps a drained node for the other requestors,
 * and gives back a node that it has not drained yet.
 */
function isHeld(object: NodeMaintenance, maintenances: Maintenances): boolean {
  if (!object.isDeleting) return isOurs(object, maintenances) || hasJoined(object, maintenances);
  return hasJoined(object, maintenances) && object.isReady;
}

function nameOf({ namespace, name }: NodeMaintenance): string {
  return `NodeMaintenance ${namespace}/${name}`;
}

/** The companion has the node, and the node is cordoned. */
function isMaintenanceHeld(plan: NodePlan): boolean {
  const { maintenances } = plan.context;
  const object = maintenanceOf(plan);
  return (
    maintenances !== undefined && object !== undefined && isHeld(object, maintenances) && plan.view.node.unschedulable
  );
}

/**
 * The upgrade is tried again in its maintenance. It begins without a slot: the node is out of service, and a node in progress may wait for the place
 * that it has of the Maintenance Operator.
 */
export function isRetriedInMaintenance(plan: NodePlan): boolean {
  return isInRequestorMode(plan) && isMaintenanceHeld(plan);
}

export const MAINTENANCE_GUARDS = {
  /** Nodes that begin now are the Maintenance Operator's to drain. */
  asksOperator: ({ context }) => context.maintenances !== undefined,
  inRequestorMode: isInRequestorMode,
  operatorThere: ({ context: { maintenances } }) =>
    maintenances?.missing === undefined || { kind: 'no-maintenance-operator', message: maintenances.missing },
  maintenanceHeld: isMaintenanceHeld,
  maintenanceReady: (plan) => maintenanceWait(plan) ?? true,
  nodeReturned: (plan) => returnWait(plan) ?? true,
} satisfies Record<string, Guard>;

/** What the node waits for until the operator has drained it; undefined: it is drained. */
function maintenanceWait(plan: NodePlan): WaitReason | undefined {
  const { context, view } = plan;
  const { maintenances } = context;
  const object = maintenanceOf(plan);
  const waits = (message: string): WaitReason => ({ kind: 'maintenance', message, ...timeIn(plan) });
  if (maintenances === undefined || object === undefined) return waits('its NodeMaintenance is asked for');
  if (!isHeld(object, maintenances))
    return waits(
      `${nameOf(object)} ${object.isDeleting ? 'is being deleted; it is asked for again then' : 'is to be joined'}`,
    );
  const said = object.message === '' ? '' : `: ${object.message}`;
  if (object.phase === 'RequestorFailed')
    return { kind: 'maintenance-failed', message: `${nameOf(object)} is in RequestorFailed${said}`, ...timeIn(plan) };
  if (!object.isReady) {
    const phase = object.phase === '' ? 'was not seen by the Maintenance Operator yet' : `is in ${object.phase}`;
    const absent = maintenances.missing === undefined ? '' : `; ${maintenances.missing}`;
    const blockers = object.podsLeft.map((pod) => ({
      pod,
      budgets: [],
      reason: 'the Maintenance Operator waits for it',
    }));
    return { ...waits(`${nameOf(object)} ${phase}${said}${absent}`), blockers };
  }
  if (!view.node.unschedulable)
    return waits(`${nameOf(object)} is Ready, and the node is not cordoned: cordon it, or delete the object`);
  return undefined;
}

/** What the node waits for until the operator has given it back; undefined: it has. */
function returnWait(plan: NodePlan): WaitReason | undefined {
  const { context, view } = plan;
  const { maintenances, driver } = context;
  const object = maintenanceOf(plan);
  // Another driver of the companion keeps the object, for instance one that failed, and gives it back.
  if (neededFor(plan).some((prefix) => prefix !== driver.policy.labelPrefix)) return undefined;
  if (maintenances !== undefined && object !== undefined) {
    const others = [object.requestor, ...object.additionalRequestors].filter(
      (id) => id !== maintenances.settings.requestorID,
    );
    const forOthers =
      others.length === 0 ? 'the Maintenance Operator gives it back' : `it is kept for ${others.join(', ')}`;
    const isLeft = !isOurs(object, maintenances) && !hasJoined(object, maintenances);
    if (!isLeft || (view.node.unschedulable && object.hasCordon))
      return { kind: 'maintenance', message: `${nameOf(object)}: ${forOthers}` };
  }
  // An administrator's cordon from before the maintenance stays.
  if (!view.node.unschedulable || annotation(plan, driver.keys.initialState) !== undefined) return undefined;
  return { kind: 'maintenance-cordon', message: 'its maintenance is over, and it is still cordoned' };
}

/**
 * The change of the NodeMaintenance, from the state labels and annotations that the snapshot has: a companion that was killed makes it
 * again. Undefined: it is as it should be.
 */
export function nodeMaintenanceChange(plan: NodePlan): ChangeNodeMaintenance | undefined {
  const { context, view } = plan;
  const { maintenances, driver } = context;
  if (maintenances === undefined) return undefined;
  const object = maintenanceOf(plan);
  const change = neededFor(plan).length > 0 ? request(plan, maintenances, object) : withdrawal(maintenances, object);
  if (change === undefined) return undefined;
  const { namespace } = maintenances.settings;
  const name = nodeMaintenanceName(maintenances.settings, view.node.name);
  const about = { driver: driver.policy.labelPrefix, node: view.node.name, namespace, name };
  return { kind: 'changeNodeMaintenance', ...about, uid: `${namespace}/${name}`, change };
}

/**
 * The drivers of the companion that need the node, or ask for it, by their label prefixes: from the request until the node is to be given back. A
 * failed or a retried node is kept, and so is one that has lost its state.
 */
function neededFor({ view: { node }, context: { ownDrivers } }: NodePlan): readonly string[] {
  return [...ownDrivers].filter((prefix) => {
    const { state, requestorMode } = driverKeys(prefix);
    return node.annotations[requestorMode] !== undefined && node.labels[state] !== RETURNING;
  });
}

function request(
  plan: NodePlan,
  maintenances: Maintenances,
  object: NodeMaintenance | undefined,
): NodeMaintenanceChange | undefined {
  const { view, context } = plan;
  const isAsking =
    view.state === 'node-maintenance-required' &&
    view.node.annotations[context.driver.keys.requestorMode] !== undefined;
  if (!isAsking) return undefined;
  if (object === undefined)
    return maintenances.missing === undefined ? { kind: 'create', spec: specOf(plan, maintenances) } : undefined;
  // The node of an object that is being deleted is given back first.
  if (object.isDeleting || isHeld(object, maintenances)) return undefined;
  const { resourceVersion, additionalRequestors } = object;
  return {
    kind: 'join',
    resourceVersion,
    additionalRequestors: [...additionalRequestors, maintenances.settings.requestorID],
  };
}

function withdrawal(
  maintenances: Maintenances,
  object: NodeMaintenance | undefined,
): NodeMaintenanceChange | undefined {
  if (object === undefined) return undefined;
  if (isOurs(object, maintenances)) return object.isDeleting ? undefined : { kind: 'delete', uid: object.uid };
  if (!hasJoined(object, maintenances)) return undefined;
  const { resourceVersion, additionalRequestors } = object;
  const left = additionalRequestors.filter((id) => id !== maintenances.settings.requestorID);
  return { kind: 'leave', resourceVersion, additionalRequestors: left };
}

/**
 * The drain by the policy of the driver that asks first. If pods of a resource must leave, only these are evicted, as the first step of a
 * drain without the operator. Pods with a skip label of any driver stay.
 */
function specOf({ policy, view, context }: NodePlan, { settings }: Maintenances): NodeMaintenanceSpec {
  const { waitForCompletion, resourcePrefixes, podDeletion, drain } = policy;
  const skips = [...context.ownDrivers].map((prefix) => `${driverKeys(prefix).skipDrain}!=true`);
  const selectorWith = (...parts: readonly string[]) => [...parts, ...skips].filter((part) => part !== '').join(',');
  const filters = resourcePrefixes.map((prefix) => ({ byResourceNameRegex: `^${escaped(prefix)}` }));
  const drainSpec =
    filters.length > 0
      ? { ...podDeletion, podSelector: selectorWith(), podEvictionFilters: filters }
      : drain.enable && {
          ...{ force: drain.force, podSelector: selectorWith(drain.podSelector) },
          ...{ timeoutSeconds: drain.timeoutSeconds, deleteEmptyDir: drain.deleteEmptyDir },
        };
  return {
    ...{ requestorID: settings.requestorID, nodeName: view.node.name, cordon: true },
    // An empty selector would make the operator wait for every pod of the node.
    ...(waitForCompletion.podSelector !== '' && { waitForPodCompletion: waitForCompletion }),
    ...(drainSpec !== false && { drainSpec }),
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
