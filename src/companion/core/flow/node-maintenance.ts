import { nodeMaintenanceName } from '../../../shared/contract/node-maintenance.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import type { NodeMaintenance, NodeMaintenanceChange, NodeMaintenanceSpec } from '../../model/node-maintenance.js';
import type { ChangeNodeMaintenance, WaitReason } from '../../model/types.js';
import type { Maintenances } from '../view/maintenances.js';
import { listed } from '../../../shared/lib/listed.js';
import { timeIn } from './clock.js';
import { cordonOwner } from './cordon.js';
import { refusalsOf } from './drain-views.js';
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

/** Why a failed node may be in service: somebody deleted the object that keeps it out. */
export function lostText(plan: NodePlan): string | undefined {
  if (!isInRequestorMode(plan) || plan.view.node.unschedulable || isMaintenanceHeld(plan)) return undefined;
  return 'its NodeMaintenance is gone, and it is not cordoned';
}

function isCordonedByFlow(plan: NodePlan): boolean {
  const owner = cordonOwner(plan);
  return owner === 'companion' || owner === 'operator';
}

export const MAINTENANCE_GUARDS = {
  /**
   * Nodes that begin now are the Maintenance Operator's to drain, unless they have the cordon of a flow that began without it: the operator would
   * leave that cordon.
   */
  asksOperator: (plan) => plan.context.maintenances !== undefined && !isCordonedByFlow(plan),
  inRequestorMode: isInRequestorMode,
  operatorThere: (plan) => {
    const { missing } = plan.context.maintenances ?? {};
    // A node that the companion has needs no operator to drain it.
    if (missing === undefined || isMaintenanceHeld(plan)) return true;
    return { kind: 'no-maintenance-operator', message: missing };
  },
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
  if (maintenances === undefined || object === undefined) return waits(notAskedText(plan));
  if (!isHeld(object, maintenances))
    return waits(
      `${nameOf(object)} ${object.isDeleting ? 'is being deleted; it is asked for again then' : 'is to be joined'}`,
    );
  const said = object.message === '' ? '' : `: ${object.message}`;
  if (object.phase === 'RequestorFailed')
    return { kind: 'maintenance-failed', message: `${nameOf(object)} is in RequestorFailed${said}`, ...timeIn(plan) };
  if (!object.isReady) {
    const phase = object.phase === '' ? 'was not seen by the Maintenance Operator yet' : `is in ${object.phase}`;
    const more = [maintenances.missing, waitingText(plan, object)].flatMap((one) => one ?? []);
    const blockers = object.podsLeft.map((pod) => ({
      pod,
      budgets: [],
      reason: 'the Maintenance Operator waits for it',
    }));
    return { ...waits([`${nameOf(object)} ${phase}${said}`, ...more].join('; ')), blockers };
  }
  if (!view.node.unschedulable)
    return waits(`${nameOf(object)} is Ready, and the node is not cordoned: cordon it, or delete the object`);
  return undefined;
}

/** Why the node has no NodeMaintenance. */
function notAskedText({ context: { maintenances }, view: { node } }: NodePlan): string {
  const other = maintenances?.inTheWay(node.name);
  if (other !== undefined) return `${nameOf(other)} is for node ${other.node}, and has the name of its own: delete it`;
  const missing = maintenances?.missing;
  return missing === undefined
    ? 'its NodeMaintenance is asked for'
    : `its NodeMaintenance is not asked for: ${missing}`;
}

/**
 * Why the operator does not go on. It begins no drain of a node with a pod that it must not evict, and does not say so
 * (maintenance-operator e15d07b, `updateDrainStatus` in `internal/controller/nodemaintenance_controller.go`).
 */
function waitingText(plan: NodePlan, object: NodeMaintenance): string | undefined {
  const { maintenances } = plan.context;
  if (maintenances === undefined) return undefined;
  if (object.phase === 'Pending') {
    const begun = maintenances.begun();
    return begun.length === 0 ? undefined : `the Maintenance Operator has begun with ${listed(begun, 3)}`;
  }
  if (object.phase !== 'Draining' || !isOurs(object, maintenances)) return undefined;
  const [refusal] = refusalsOf(plan);
  return refusal === undefined ? undefined : `it begins no drain, because ${refusal}`;
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
  const name = object?.name ?? nodeMaintenanceName(maintenances.settings, view.node.name);
  const about = { driver: driver.policy.labelPrefix, node: view.node.name, namespace, name };
  return { kind: 'changeNodeMaintenance', ...about, uid: `${namespace}/${name}`, change };
}

/**
 * The drivers of the companion that need the node, or ask for it, by their label prefixes: from the request until the node is to be given back. A
 * failed node is kept, and so is one that has lost its state. One that is to begin again is kept only while it is cordoned: in service it needs a
 * slot, and without one the operator must not drain it.
 */
function neededFor({ view: { node }, context: { maintenances } }: NodePlan): readonly string[] {
  return (maintenances?.drivers ?? []).filter((prefix) => {
    const { state, requestorMode } = driverKeys(prefix);
    const label = node.labels[state];
    const isGivenUp = label === 'upgrade-required' && !node.unschedulable;
    return node.annotations[requestorMode] !== undefined && label !== RETURNING && !isGivenUp;
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
  if (object === undefined) {
    const canAsk = maintenances.missing === undefined && maintenances.inTheWay(view.node.name) === undefined;
    return canAsk ? { kind: 'create', spec: specOf(plan, maintenances) } : undefined;
  }
  if (isHeld(object, maintenances)) return undefined;
  if (object.isDeleting && !isKept(object))
    // The node is given back first. The operator waits for the requestors of an object that failed.
    return hasJoined(object, maintenances) ? leave(maintenances, object) : undefined;
  const { resourceVersion, additionalRequestors } = object;
  return {
    kind: 'join',
    resourceVersion,
    additionalRequestors: [...additionalRequestors, maintenances.settings.requestorID],
  };
}

/** Its owner deleted it, and the operator keeps the drained node for other requestors. */
function isKept({ isReady, additionalRequestors }: NodeMaintenance): boolean {
  return isReady && additionalRequestors.length > 0;
}

function withdrawal(
  maintenances: Maintenances,
  object: NodeMaintenance | undefined,
): NodeMaintenanceChange | undefined {
  if (object === undefined) return undefined;
  if (isOurs(object, maintenances) && !object.isDeleting) return { kind: 'delete', uid: object.uid };
  return hasJoined(object, maintenances) ? leave(maintenances, object) : undefined;
}

function leave({ settings }: Maintenances, object: NodeMaintenance): NodeMaintenanceChange {
  const { resourceVersion, additionalRequestors } = object;
  const left = additionalRequestors.filter((id) => id !== settings.requestorID);
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
          force: drain.force,
          podSelector: selectorWith(drain.podSelector),
          timeoutSeconds: drain.timeoutSeconds,
          deleteEmptyDir: drain.deleteEmptyDir,
        };
  return {
    requestorID: settings.requestorID,
    nodeName: view.node.name,
    cordon: true,
    // An empty selector would make the operator wait for every pod of the node.
    ...(waitForCompletion.podSelector !== '' && { waitForPodCompletion: waitForCompletion }),
    ...(drainSpec !== false && { drainSpec }),
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
