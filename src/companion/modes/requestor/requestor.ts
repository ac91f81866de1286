import type { MaintenancePhase, NodeState } from '../../../shared/contract/node-states.js';
import { nodeMaintenanceName } from '../../../shared/contract/node-maintenance.js';
import { listed } from '../../../shared/lib/listed.js';
import { escapeForRegExp } from '../../../shared/lib/text.js';
import { timeIn } from '../../core/maintenance/clock.js';
import { cordon, hasOwnCordon, wasCordoned } from '../../core/maintenance/cordon.js';
import {
  type Mode,
  annotation,
  isUnschedulable,
  membersOf,
  removeAnnotations,
  type NodePlan,
} from '../../core/maintenance/plan.js';
import type { DrainRefusal } from '../../core/drain/drain-view.js';
import { refusalsOf } from '../../core/maintenance/node-drain.js';
import type { NodeMaintenance, NodeMaintenanceChange, NodeMaintenanceSpec } from '../../model/node-maintenance.js';
import type { ChangeNodeMaintenance, WaitReason } from '../../model/types.js';
import { hasBegun, isRequestor, type Maintenances } from './maintenances.js';

const STATES: Partial<Record<MaintenancePhase, NodeState>> = {
  cordon: 'node-maintenance-required',
  uncordon: 'post-maintenance-required',
};

/** The Maintenance Operator cordons and drains the node, and gives it back: the companion asks by a NodeMaintenance. */
export function requestor(maintenances: Maintenances): Mode {
  const objectOf = ({ node }: NodePlan): NodeMaintenance | undefined => maintenances.of(node.name);
  const hasNode = (plan: NodePlan): boolean => {
    const object = objectOf(plan);
    return object !== undefined && isRequested(object, maintenances);
  };
  return {
    stateOf: (phase) => STATES[phase],
    beginWait(plan) {
      const { missing } = maintenances;
      // A node that the companion has needs no operator to drain it, and one that was taken out in place keeps that cordon.
      if (missing === undefined || (hasNode(plan) && plan.node.unschedulable) || hasOwnCordon(plan)) return undefined;
      return { kind: 'no-maintenance-operator', message: missing };
    },
    isTaken: (plan) => isAskedFor(plan) && hasNode(plan) && plan.node.unschedulable,
    take(plan) {
      for (const { part } of membersOf(plan)) plan.annotations[part.participant.keys.requestorMode] = 'true';
    },
    outWait(plan) {
      const wait = maintenanceWait(plan, maintenances);
      // The operator does not cordon a drained node again.
      if (wait === undefined && !isUnschedulable(plan)) cordon(plan);
      return wait;
    },
    isLost: (plan) => !isUnschedulable(plan) || maintenanceWait(plan, maintenances) !== undefined,
    returnWait: (plan) => returnWait(plan, maintenances),
    giveBack: leaveOperator,
    release: leaveOperator,
    ownsCordon: (plan) => isAskedFor(plan) || objectOf(plan)?.hasCordon === true,
    keepsPod: maintenances.isOperatorPod,
    evictsCompanion: true,
    lostText(plan) {
      if (plan.node.unschedulable || hasNode(plan)) return undefined;
      return 'its NodeMaintenance is gone, and it is not cordoned';
    },
    objectActions(plan) {
      const change = nodeMaintenanceChange(plan, maintenances);
      return change === undefined ? [] : [change];
    },
  };
}

/** The annotation says from the request to the return that the Maintenance Operator has the node for the companion. */
export function isAskedFor(plan: NodePlan): boolean {
  return plan.parts.some(({ part }) => annotation(plan, part.participant.keys.requestorMode) !== undefined);
}

function leaveOperator(plan: NodePlan): void {
  for (const { part } of plan.parts) removeAnnotations(plan, part.participant.keys.requestorMode);
}

function isOurs({ requestor }: NodeMaintenance, { settings }: Maintenances): boolean {
  return requestor === settings.requestorID;
}

function isAdditional({ additionalRequestors }: NodeMaintenance, { settings }: Maintenances): boolean {
  return additionalRequestors.includes(settings.requestorID);
}

/**
 * The companion has the node by this object. When its owner deletes an object, the operator keeps a drained node for the other requestors,
 * and gives back a node that it has not drained yet.
 */
function isRequested(object: NodeMaintenance, maintenances: Maintenances): boolean {
  if (!object.isDeleting) return isRequestor(object, maintenances.settings);
  return isAdditional(object, maintenances) && object.isReady;
}

function nameOf({ namespace, name }: NodeMaintenance): string {
  return `NodeMaintenance ${namespace}/${name}`;
}

/** What the node waits for until the operator has drained it; undefined: it is drained. */
function maintenanceWait(plan: NodePlan, maintenances: Maintenances): WaitReason | undefined {
  const object = maintenances.of(plan.node.name);
  const time = timeIn(plan, 'node-maintenance-required', 0);
  const waits = (message: string): WaitReason => ({ kind: 'maintenance', message, ...time });
  if (object === undefined) return waits(notAskedText(plan, maintenances));
  if (!isRequested(object, maintenances))
    return waits(
      `${nameOf(object)} ${object.isDeleting ? 'is being deleted; it is asked for again then' : 'is to be joined'}`,
    );
  const said = object.message === '' ? '' : `: ${object.message}`;
  if (object.phase === 'RequestorFailed')
    return { kind: 'maintenance-failed', message: `${nameOf(object)} is in RequestorFailed${said}`, ...time };
  if (!object.isReady) {
    const phase = object.phase === '' ? 'was not seen by the Maintenance Operator yet' : `is in ${object.phase}`;
    const refusal = refusalAt(plan, object, maintenances);
    const begun = object.phase === 'Pending' ? begunText(maintenances) : undefined;
    const refused = refusal && `it begins no drain, because ${refusal.message}`;
    const more = [maintenances.missing, begun, refused].flatMap((one) => one ?? []);
    const blockers = object.podsLeft.map(
      (pod) => ({ kind: 'eviction', pod, budgets: [], reason: 'the Maintenance Operator waits for it' }) as const,
    );
    const wait = { ...waits([`${nameOf(object)} ${phase}${said}`, ...more].join('; ')), blockers };
    return refusal === undefined ? wait : { ...wait, refusals: [{ kind: refusal.kind, pod: refusal.pod }] };
  }
  return undefined;
}

/** Why the node has no NodeMaintenance. */
function notAskedText({ node }: NodePlan, { inTheWay, missing }: Maintenances): string {
  const other = inTheWay(node.name);
  if (other !== undefined) return `${nameOf(other)} is for node ${other.node}, and has the name of its own: delete it`;
  return missing === undefined
    ? 'its NodeMaintenance is asked for'
    : `its NodeMaintenance is not asked for: ${missing}`;
}

function begunText(maintenances: Maintenances): string | undefined {
  const begun = maintenances.begun();
  return begun.length === 0 ? undefined : `the Maintenance Operator has begun with ${listed(begun, 3)}`;
}

/**
 * The operator begins no drain of a node with a pod that it must not evict, and does not say so (maintenance-operator e15d07b,
 * `updateDrainStatus` in `internal/controller/nodemaintenance_controller.go`).
 */
function refusalAt(plan: NodePlan, object: NodeMaintenance, maintenances: Maintenances): DrainRefusal | undefined {
  return object.phase === 'Draining' && isOurs(object, maintenances) ? refusalsOf(plan)[0] : undefined;
}

/** What the node waits for until the operator has given it back; undefined: it has. */
function returnWait(plan: NodePlan, maintenances: Maintenances): WaitReason | undefined {
  const object = maintenances.of(plan.node.name);
  if (object !== undefined) {
    if (isRequestor(object, maintenances.settings) || (plan.node.unschedulable && object.hasCordon))
      return keptWait(object, maintenances);
  }
  // An administrator's cordon from before the maintenance stays, and the companion lifts its own.
  if (!plan.node.unschedulable || wasCordoned(plan) || hasOwnCordon(plan)) return undefined;
  return { kind: 'maintenance-cordon', message: 'its maintenance is over, and it is still cordoned' };
}

/**
 * Why a node that was taken out in place stays cordoned: the operator has it for other requestors. It does not cordon a node that is cordoned
 * already, so the companion's cordon is the only one.
 */
export function waitForOthers(plan: NodePlan, maintenances: Maintenances): WaitReason | undefined {
  const object = maintenances.of(plan.node.name);
  if (object === undefined || isRequestor(object, maintenances.settings)) return undefined;
  return plan.node.unschedulable && hasBegun(object) ? keptWait(object, maintenances) : undefined;
}

/** The node waits for what other requestors do with it, or for the operator. */
function keptWait(object: NodeMaintenance, { settings }: Maintenances): WaitReason {
  const others = [object.requestor, ...object.additionalRequestors].filter((id) => id !== settings.requestorID);
  const why = others.length === 0 ? 'the Maintenance Operator gives it back' : `it is kept for ${others.join(', ')}`;
  return { kind: 'maintenance', message: `${nameOf(object)}: ${why}` };
}

/**
 * The change of the NodeMaintenance, from the state labels and annotations that the snapshot has: a companion that was killed makes it
 * again. Undefined: it is as it should be.
 */
function nodeMaintenanceChange(plan: NodePlan, maintenances: Maintenances): ChangeNodeMaintenance | undefined {
  const { node, parts } = plan;
  const object = maintenances.of(node.name);
  // This decision takes the node back from its return.
  if (plan.seen === 'uncordon' && plan.phase === 'restart') return undefined;
  const change = isNeeded(plan) ? request(plan, maintenances, object) : withdrawal(maintenances, object);
  if (change === undefined) return undefined;
  const { namespace } = maintenances.settings;
  const name = object?.name ?? nodeMaintenanceName(maintenances.settings, node.name);
  const driver = membersOf(plan)[0]?.name ?? parts[0]?.name ?? '';
  return {
    kind: 'changeNodeMaintenance',
    driver,
    node: node.name,
    namespace,
    name,
    uid: `${namespace}/${name}`,
    change,
  };
}

/**
 * The companion needs the node, or asks for it: from the request until the node is to be given back. A failed node is kept, and so is one that has
 * lost its state. One that is to begin again is kept only while it is cordoned: in service it needs a slot, and without one the operator must not drain it.
 */
function isNeeded(plan: NodePlan): boolean {
  const { node, parts } = plan;
  return parts.some(({ part: { state, participant } }) => {
    const isGivenUp = state === 'upgrade-required' && !node.unschedulable;
    const { requestorMode } = participant.keys;
    // This decision writes it in place of that of a participant whose section is removed.
    const isAsked = node.annotations[requestorMode] !== undefined || annotation(plan, requestorMode) !== undefined;
    return isAsked && state !== STATES.uncordon && !isGivenUp;
  });
}

function request(
  plan: NodePlan,
  maintenances: Maintenances,
  object: NodeMaintenance | undefined,
): NodeMaintenanceChange | undefined {
  const { node, parts } = plan;
  const isAsking = parts.some(
    ({ part }) => part.state === STATES.cordon && node.annotations[part.participant.keys.requestorMode] !== undefined,
  );
  if (!isAsking) return undefined;
  if (object === undefined) {
    const canAsk = maintenances.missing === undefined && maintenances.inTheWay(node.name) === undefined;
    return canAsk ? { kind: 'create', spec: specOf(plan, maintenances) } : undefined;
  }
  if (isRequested(object, maintenances)) return undefined;
  if (object.isDeleting && !isKept(object))
    // The node is given back first. The operator waits for the requestors of an object that failed.
    return isAdditional(object, maintenances) ? leave(maintenances, object) : undefined;
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
  return isAdditional(object, maintenances) ? leave(maintenances, object) : undefined;
}

function leave({ settings }: Maintenances, object: NodeMaintenance): NodeMaintenanceChange {
  const { resourceVersion, additionalRequestors } = object;
  const left = additionalRequestors.filter((id) => id !== settings.requestorID);
  return { kind: 'leave', resourceVersion, additionalRequestors: left };
}

/**
 * The drain for all members: all pods that one of them moves. If only pods of resources must leave, only these are evicted, as the first step of a
 * drain without the operator. Pods with a skip label of any participant stay.
 */
function specOf(plan: NodePlan, { settings }: Maintenances): NodeMaintenanceSpec {
  const policies = membersOf(plan).flatMap(({ part }) => part.policy ?? []);
  const skips = plan.shared.skipLabels.map((label) => `${label}!=true`);
  const selectorWith = (...parts: readonly string[]) => [...parts, ...skips].filter((part) => part !== '').join(',');
  const waiting = policies.find(({ waitForCompletion }) => waitForCompletion.podSelector !== '')?.waitForCompletion;
  const draining = policies.find(({ resourcePrefixes, drain }) => resourcePrefixes.length === 0 && drain.enable)?.drain;
  const prefixes = policies.flatMap(({ resourcePrefixes }) => resourcePrefixes);
  const deletion = policies.find(({ resourcePrefixes }) => resourcePrefixes.length > 0)?.podDeletion;
  const byResource = deletion && {
    ...deletion,
    podSelector: selectorWith(),
    podEvictionFilters: prefixes.map((prefix) => ({ byResourceNameRegex: `^${escapeForRegExp(prefix)}` })),
  };
  const all = draining && {
    force: draining.force,
    podSelector: selectorWith(draining.podSelector),
    timeoutSeconds: draining.timeoutSeconds,
    deleteEmptyDir: draining.deleteEmptyDir,
  };
  const drainSpec = all ?? byResource;
  return {
    requestorID: settings.requestorID,
    nodeName: plan.node.name,
    cordon: true,
    // An empty selector would make the operator wait for every pod of the node.
    ...(waiting && { waitForPodCompletion: waiting }),
    ...(drainSpec && { drainSpec }),
  };
}
