import { waitKind, type WaitKind } from '../../../upgrade/model/wait-kinds.js';
import { driverKeys } from '../../../contract/labels.js';
import { namedDriver, upgradeCommand } from '../../../contract/upgrade-command.js';
import type { UpgradePolicy } from '../../../contract/upgrade-policy.js';

/** What a user can do for a node with a NIC that no driver DaemonSet covers. */
export const UNCOVERED_ADVICE: readonly string[] = [
  'compare the node with the pools of the Cluster document: `kubectl get nodes -o json | weft pools --check`',
  'add its kernel to the pool, or a pool for it, and apply the output',
];

/** What a user can do for a driver on a node; empty if nothing has to be done. Commands name the driver where the policy has several. */
export function adviceFor(
  kind: WaitKind | undefined,
  node: string,
  driver: string,
  { drivers }: UpgradePolicy,
): readonly string[] {
  if (kind === undefined) return [];
  const { skipDrain } = driverKeys(driver);
  const named = namedDriver(driver, drivers);
  return waitKind(kind).advice.map((line) =>
    line
      .replace(/weft upgrade (\w+) NODE\b/, (_, verb: string) => upgradeCommand(verb, node, named))
      .replace(/\bNODE\b/, node)
      .replace(/\bSKIP\b/, skipDrain),
  );
}
