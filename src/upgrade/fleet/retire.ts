import { isAtRest } from '../model/node-states.js';
import type { TurnOf } from '../flow/node-plan.js';
import type { Action, Finding, SnapshotDaemonSet } from '../model/types.js';
import type { DriverWorld, NodeWorld } from '../view/driver-view.js';

/**
 * What becomes of driver DaemonSets that the policy no longer lists. First their nodes are marked, by rows of the table;
 * then the DaemonSet is deleted and its pods are left, to be replaced node by node. Its resourceVersion is the precondition:
 * a pod that it made meanwhile changed its status, and that node has to be marked first.
 */
export function retire(
  world: DriverWorld,
  turnOf: TurnOf,
  paused: boolean,
): { readonly actions: readonly Action[]; readonly findings: readonly Finding[] } {
  const actions: Action[] = leftOverDeletions(world);
  const findings: Finding[] = [];
  for (const daemonSet of world.retired) {
    const nodes = world.nodes.filter(({ driverPods }) =>
      driverPods.some(({ pod }) => pod.controller?.uid === daemonSet.uid),
    );
    const reason = keptFor(world, nodes, turnOf, paused);
    findings.push(findingOf(world, daemonSet, nodes.length, reason));
    if (reason === undefined && daemonSet.deletionMs === undefined && nodes.every((view) => isMarked(world, view))) {
      const { namespace, name, uid, resourceVersion } = daemonSet;
      actions.push({
        kind: 'deleteDaemonSet',
        driver: world.policy.labelPrefix,
        namespace,
        name,
        uid,
        resourceVersion,
      });
    }
  }
  return { actions, findings };
}

/**
 * Pods that retired DaemonSets left before any node had them. Nothing runs in them, so they simply go, also while paused:
 * one that stays is bound as soon as the old driver of its node has gone, and keeps the right one off.
 */
function leftOverDeletions(world: DriverWorld): Action[] {
  if (!world.policies.some(({ autoUpgrade }) => autoUpgrade)) return [];
  const driver = world.policy.labelPrefix;
  return world.leftOver
    .filter(({ deletionMs }) => deletionMs === undefined)
    .map(({ namespace, name, uid, nodeName }) => {
      return { kind: 'deletePod', driver, node: nodeName, namespace, name, uid, reason: 'driver-leftover' };
    });
}

/** Why it may not go yet; undefined when it may. */
function keptFor(world: DriverWorld, nodes: readonly NodeWorld[], turnOf: TurnOf, paused: boolean): string | undefined {
  for (const missing of world.notApplied.values()) return missing;
  if (paused) return 'the companion is paused';
  if (!world.policies.some(({ autoUpgrade }) => autoUpgrade)) return 'no policy of the driver has autoUpgrade';
  const off = nodes.find((view) => turnOf(view)?.policy.autoUpgrade !== true);
  return off === undefined ? undefined : `the policy of node ${off.node.name} has no autoUpgrade`;
}

/** The API server has what makes sure that the node will be upgraded although its pod has lost its DaemonSet. */
function isMarked(world: DriverWorld, { node, state }: NodeWorld): boolean {
  return !isAtRest(state) || node.annotations[world.keys.requested] === 'true';
}

function findingOf(
  world: DriverWorld,
  { name }: SnapshotDaemonSet,
  nodes: number,
  reason: string | undefined,
): Finding {
  const about = { severity: 'info', driver: world.policy.labelPrefix } as const;
  if (reason !== undefined) {
    return { ...about, kind: 'daemon-set-kept', message: `DaemonSet ${name} is to be retired, but ${reason}` };
  }
  return {
    ...about,
    kind: 'daemon-set-retired',
    message: `DaemonSet ${name} is retired: ${nodes} nodes have its pods`,
  };
}
