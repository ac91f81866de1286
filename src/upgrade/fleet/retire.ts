import { isAtRest } from '../model/node-states.js';
import type { NodePlanOf } from '../flow/node-plan.js';
import type { Action, Finding, SnapshotDaemonSet } from '../model/types.js';
import { unlistedText } from '../view/driver-pod.js';
import { byReason } from '../view/successor.js';
import { isForeignFlow, type DriverView, type NodeView } from '../view/driver-view.js';

/**
 * Retires driver DaemonSets that the policy no longer lists. First rows of the transition table request the upgrade of their nodes.
 * Then the companion deletes the DaemonSet without its pods, which it replaces node by node. Its resourceVersion is the precondition:
 * a pod that it created meanwhile changed its status, and the upgrade of that node must be requested first.
 *
 * A DaemonSet stays as long as a node needs it (`keptDaemonSets`): pods that it left behind would not come back after they end.
 */
export function retire(
  driver: DriverView,
  planOf: NodePlanOf,
  paused: boolean,
): { readonly actions: readonly Action[]; readonly findings: readonly Finding[] } {
  const actions: Action[] = leftOverDeletions(driver);
  const findings: Finding[] = [];
  for (const daemonSet of driver.retired) {
    const nodes = driver.nodes.filter(({ driverPods }) =>
      driverPods.some(({ pod }) => pod.controller?.uid === daemonSet.uid),
    );
    const holders = driver.keptDaemonSets.get(daemonSet.uid);
    const reason =
      keptFor(driver, nodes, planOf, paused) ??
      (holders && `no other DaemonSet would put a driver on ${byReason(holders)}`);
    findings.push(findingOf(driver, daemonSet, nodes.length, reason));
    if (reason === undefined) actions.push(...marksOf(driver, nodes));
    if (reason === undefined && daemonSet.deletionMs === undefined && nodes.every((view) => isMarked(driver, view))) {
      const { namespace, name, uid, resourceVersion } = daemonSet;
      actions.push({
        kind: 'deleteDaemonSet',
        driver: driver.policy.labelPrefix,
        namespace,
        name,
        uid,
        resourceVersion,
      });
    }
  }
  const { withoutSuccessor } = driver;
  if (withoutSuccessor.length > 0) findings.push(successorFinding(driver));
  for (const { name } of driver.unlisted)
    findings.push({
      ...{ severity: 'warning', driver: driver.policy.labelPrefix },
      ...{ kind: 'daemon-set-kept', message: unlistedText(name) },
    });
  return { actions, findings };
}

/**
 * Deletes unbound pods of retired DaemonSets, also while paused, because their containers do not run. The scheduler would bind such a
 * pod as soon as the old driver of its node is gone, and it would block the new driver pod.
 */
function leftOverDeletions(driver: DriverView): Action[] {
  if (!isAtWork(driver)) return [];
  return driver.leftOver
    .filter(({ deletionMs }) => deletionMs === undefined)
    .map(({ namespace, name, uid, nodeName }) => {
      return {
        kind: 'deletePod',
        driver: driver.policy.labelPrefix,
        node: nodeName,
        namespace,
        name,
        uid,
        reason: 'driver-leftover',
      };
    });
}

/** Whether the companion upgrades or uninstalls anything of the driver. */
function isAtWork({ policies, nodes }: DriverView): boolean {
  return policies.some(({ autoUpgrade }) => autoUpgrade) || nodes.some(({ isUninstalled }) => isUninstalled);
}

/** Why the DaemonSet cannot be deleted yet; undefined when it can. */
function keptFor(
  driver: DriverView,
  nodes: readonly NodeView[],
  planOf: NodePlanOf,
  paused: boolean,
): string | undefined {
  for (const missing of driver.notApplied.values()) return missing;
  if (paused) return 'the companion is paused';
  if (!isAtWork(driver)) return 'no policy of the driver has autoUpgrade';
  const off = nodes.find((view) => !view.isUninstalled && planOf(view)?.policy.autoUpgrade !== true);
  return off === undefined ? undefined : `the policy of node ${off.node.name} has no autoUpgrade`;
}

/**
 * The maintenance operator upgrades these nodes, so no row applies to them. The companion only requests their upgrade, which begins
 * when the maintenance operator has finished.
 */
function marksOf({ policy, keys }: DriverView, nodes: readonly NodeView[]): Action[] {
  return nodes
    .filter(({ node, state }) => isForeignFlow(keys, node, state) && node.annotations[keys.requested] !== 'true')
    .map(({ node: { name, uid, resourceVersion } }) => ({
      kind: 'patchNode',
      driver: policy.labelPrefix,
      node: name,
      uid,
      resourceVersion,
      labels: {},
      annotations: { [keys.requested]: 'true' },
      steps: [],
    }));
}

/** The node already has the annotation or state by which it is upgraded after its pod is orphaned. */
function isMarked(driver: DriverView, { node, state }: NodeView): boolean {
  const isWithRows = !isAtRest(state) && !isForeignFlow(driver.keys, node, state);
  return isWithRows || node.annotations[driver.keys.requested] === 'true';
}

function successorFinding({ policy, withoutSuccessor }: DriverView): Finding {
  const [nodes, keep] =
    withoutSuccessor.length === 1
      ? ['1 node', 'keeps its driver']
      : [`${withoutSuccessor.length} nodes`, 'keep theirs'];
  const message = `${nodes} ${keep}, because no DaemonSet would put one there again: ${byReason(withoutSuccessor)}`;
  return { kind: 'no-successor', severity: 'warning', driver: policy.labelPrefix, message };
}

function findingOf(
  driver: DriverView,
  { name }: SnapshotDaemonSet,
  nodes: number,
  reason: string | undefined,
): Finding {
  const about = { severity: 'info', driver: driver.policy.labelPrefix } as const;
  if (reason !== undefined) {
    return { ...about, kind: 'daemon-set-kept', message: `DaemonSet ${name} is to be retired, but ${reason}` };
  }
  return {
    ...about,
    kind: 'daemon-set-retired',
    message: `DaemonSet ${name} is retired: ${nodes} nodes have its pods`,
  };
}
