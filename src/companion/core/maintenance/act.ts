import type { EvictPod, PatchNode } from '../../model/types.js';
import { evictionsDue } from '../drain/evictions.js';
import { renewTimes } from './clock.js';
import { dateCordon, wasCordoned } from './cordon.js';
import { isDeleted, nodeDrain } from './node-drain.js';
import { suspendedWait, isBackingOff, isInMaintenance, stateLabels } from './node-facts.js';
import { membersOf, type NodePlan } from './plan.js';
import { settleProtection } from './protection.js';
import { writeRecord } from './record.js';
import { goingOn, keptByOthersWait, progressOf } from './turns.js';

/** What is done in the phase that the node has reached, and had already in the snapshot. */
export function act(plan: NodePlan): void {
  if (plan.phase === 'drain') evict(plan);
  if (plan.phase !== 'restart') return;
  // A pod that came to the node may use the driver.
  plan.warnings = nodeDrain(plan).warnings;
  for (const member of goingOn(plan)) Object.assign(plan.annotations, member.answers.restartAnnotations(plan));
  if (!isSeen(plan)) return;
  for (const member of goingOn(plan)) {
    const progress = progressOf(plan, member);
    if (progress.kind !== 'at-work') continue;
    const kept = keptByOthersWait(plan, member);
    if (kept !== undefined) {
      plan.wait = member.wait = { ...member.wait, ...kept };
      continue;
    }
    const { actions, wait } = member.answers.restart(plan);
    if (wait !== undefined) plan.wait = member.wait = wait;
    plan.actions = [...plan.actions, ...actions];
  }
}

/** The snapshot has the cordon, and what the plan says of the node. Pods are evicted or deleted only then. */
function isSeen(plan: NodePlan): boolean {
  const { node, steps, annotations, parts } = plan;
  const isSame = parts.every(({ state, part }) => state === part.state);
  return (
    isSame &&
    node.unschedulable &&
    steps.length === 0 &&
    Object.keys(annotations).length === 0 &&
    !isRecordChanged(plan)
  );
}

function isRecordChanged(plan: NodePlan): boolean {
  const copy: NodePlan = { ...plan, annotations: {} };
  writeRecord(copy);
  return Object.keys(copy.annotations).length > 0;
}

/** Evicts the pods that are due; none while a pod of the node must not be evicted or a DaemonSet must be looked up. */
function evict(plan: NodePlan): void {
  const { leaving, warningOf, warnings, refusals, daemonSetLookups } = nodeDrain(plan);
  plan.daemonSetLookups = daemonSetLookups;
  plan.warnings = [...warnings, ...warningOf.values()];
  if (refusals.length > 0 || daemonSetLookups.length > 0 || !isSeen(plan)) return;
  if (membersOf(plan).some(({ answers }) => answers.hold(plan) !== undefined)) return;
  const { evictions, snapshot, nowMs } = plan.shared;
  const { byNode, shiftMs } = snapshot.evictions;
  const node = plan.node.name;
  const { due, nextMs } = evictionsDue([...leaving.keys()], byNode.get(node), nowMs - shiftMs, evictions.left);
  evictions.left -= due.length;
  plan.actions = due.map((pod): EvictPod => {
    const { namespace, name, uid, controller } = pod;
    const member = leaving.get(pod);
    const driver = member?.name ?? '';
    const warning = warningOf.get(uid);
    // Not a spread: there may be 100,000 evictions, and a spread would allocate each object twice.
    const eviction: EvictPod = { kind: 'evictPod', driver, node, namespace, name, uid, controllerUid: controller?.uid };
    const isDeletion = member !== undefined && isDeleted(plan, member, pod);
    if (!isDeletion && warning === undefined) return eviction;
    return { ...eviction, ...(isDeletion && { isDeletion }), ...(warning !== undefined && { warning }) };
  });
  plan.nextEvictionMs = nextMs;
}

/** The patch of a plan; undefined if it changes nothing. */
export function patchOf(plan: NodePlan): PatchNode | undefined {
  const { node, parts } = plan;
  const suspended = suspendedWait(plan);
  if (suspended?.kind === 'off' && !isBackingOff(plan)) stopTimes(plan);
  if (suspended === undefined && !isBackingOff(plan)) {
    dateCordon(plan);
    // Also an administrator's: it stays when the node is done.
    const isKept = plan.record.cordon !== undefined || (isInMaintenance(plan.phase) && wasCordoned(plan));
    if (isKept && plan.unschedulable !== false && node.unschedulable)
      for (const { answers } of parts) Object.assign(plan.annotations, answers.aboutCordon('lasts'));
    if (plan.unschedulable === true)
      for (const { answers } of parts) Object.assign(plan.annotations, answers.aboutCordon('begins'));
    settleProtection(plan);
    writeRecord(plan);
    for (const { part, state } of parts)
      if (state !== part.state) plan.labels[part.participant.keys.state] = state === '' ? null : state;
  }
  if (isBackingOff(plan)) return undefined;
  for (const one of parts) {
    const { labels, annotations } = one.answers.upkeep(plan, one);
    Object.assign(plan.labels, labels);
    Object.assign(plan.annotations, annotations);
  }
  const labels = changes(plan.labels, node.labels);
  const annotations = changes(plan.annotations, node.annotations);
  const cordon = plan.unschedulable === node.unschedulable ? undefined : plan.unschedulable;
  if (cordon === undefined && labels === NO_CHANGES && annotations === NO_CHANGES) return undefined;
  const removed = stateLabels(node).map(([prefix]) => prefix);
  const names = [
    ...plan.steps.map(({ driver }) => driver),
    ...parts.map(({ name }) => name),
    ...plan.shared.names,
    ...removed,
  ];
  return {
    kind: 'patchNode',
    driver: names[0] ?? '',
    node: node.name,
    uid: node.uid,
    resourceVersion: node.resourceVersion,
    labels,
    annotations,
    ...(cordon !== undefined && { unschedulable: cordon }),
    steps: plan.steps,
  };
}

/** No time runs while a policy is off: it begins anew when the policy is on again. */
function stopTimes(plan: NodePlan): void {
  const { since = {}, restarts = {} } = plan.record;
  if (Object.keys({ ...since, ...restarts }).length === 0) return;
  renewTimes(plan);
  writeRecord(plan);
}

function changes(
  desired: Readonly<Record<string, string | null>>,
  present: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  let changed: Record<string, string | null> | undefined;
  for (const key in desired) {
    const value = desired[key] ?? null;
    if ((present[key] ?? null) !== value) (changed ??= {})[key] = value;
  }
  return changed ?? NO_CHANGES;
}

const NO_CHANGES: Readonly<Record<string, string | null>> = {};
