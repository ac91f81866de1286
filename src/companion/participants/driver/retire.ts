import { counted } from '../../../shared/lib/listed.js';
import { finding, type Finding } from '../../model/findings.js';
import type { Action } from '../../model/types.js';
import { unlistedText } from './driver-pod.js';
import { byReason } from './kept.js';
import type { DriverView } from './driver-view.js';
import type { DriverPod } from './driver-node.js';

/**
 * Deletes driver DaemonSets that the policy no longer lists, without their pods, which are outdated and replaced node by node. The
 * resourceVersion is the precondition: a pod that the DaemonSet created meanwhile changed its status, and its node may need it.
 *
 * A DaemonSet stays as long as a node needs it (`keptDaemonSets`): pods that it left behind would not come back after they end.
 */
export function retire(
  driver: DriverView,
  paused: boolean,
): { readonly actions: readonly Action[]; readonly findings: readonly Finding[] } {
  const { policy, retired, unlisted, withoutSuccessor } = driver;
  const actions: Action[] = leftOverDeletions(driver);
  const findings: Finding[] = [];
  for (const { name, namespace, uid, resourceVersion, deletionMs } of retired) {
    const isOwner = ({ pod }: DriverPod) => pod.controller?.uid === uid;
    const nodes = driver.nodes.filter(({ driverPods }) => driverPods.some(isOwner)).length;
    const holders = driver.keptDaemonSets.get(uid);
    const reason = keptFor(driver, paused) ?? (holders && `nodes keep it: ${byReason(holders)}`);
    findings.push(
      reason === undefined
        ? finding(
            policy.labelPrefix,
            'daemon-set-retired',
            `DaemonSet ${name} is retired: its pods are on ${counted(nodes, 'node')}`,
          )
        : finding(policy.labelPrefix, 'daemon-set-kept', `DaemonSet ${name} is to be retired, but ${reason}`),
    );
    if (reason === undefined && deletionMs === undefined)
      actions.push({ kind: 'deleteDaemonSet', driver: policy.labelPrefix, namespace, name, uid, resourceVersion });
  }
  if (withoutSuccessor.length > 0) {
    const keep =
      withoutSuccessor.length === 1 ? '1 node keeps its driver' : `${withoutSuccessor.length} nodes keep theirs`;
    const message = `${keep}, because no DaemonSet would put one there again: ${byReason(withoutSuccessor)}`;
    findings.push(finding(policy.labelPrefix, 'no-successor', message));
  }
  for (const { name } of unlisted)
    findings.push(finding(policy.labelPrefix, 'daemon-set-unlisted', unlistedText(name)));
  return { actions, findings };
}

/**
 * Deletes unbound pods of retired DaemonSets, also while paused, because their containers do not run. The scheduler would bind such a
 * pod as soon as the old driver of its node is gone, and it would block the new driver pod.
 */
function leftOverDeletions(view: DriverView): Action[] {
  if (!isAtWork(view)) return [];
  const about = { kind: 'deletePod', driver: view.policy.labelPrefix, reason: 'driver-leftover' } as const;
  return view.leftOver
    .filter(({ deletionMs }) => deletionMs === undefined)
    .map(({ nodeName: node, namespace, name, uid }) => ({ ...about, node, namespace, name, uid }));
}

/** Whether the companion upgrades or uninstalls anything of the driver. */
function isAtWork({ policies, nodes }: DriverView): boolean {
  return policies.some(({ autoUpgrade }) => autoUpgrade) || nodes.some(({ isUninstalled }) => isUninstalled);
}

/** Why no DaemonSet can be deleted yet; undefined when they can. */
function keptFor(driver: DriverView, paused: boolean): string | undefined {
  for (const missing of driver.notApplied.values()) return missing;
  if (paused) return 'the companion is paused';
  return isAtWork(driver) ? undefined : 'no policy of the driver has autoUpgrade';
}
