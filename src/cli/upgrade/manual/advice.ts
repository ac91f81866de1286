import { shellWord } from '../../../shared/lib/escape.js';
import { adviceOf, type WaitKind } from '../../../companion/model/wait-kinds.js';
import { namedDriver, upgradeCommand } from '../../../shared/contract/upgrade-command.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';

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
  const named = namedDriver(driver, drivers);
  return adviceOf(kind, driver, drivers).map((line) =>
    line
      .replace(/weft upgrade (\w+) NODE\b/, (_, verb: string) => upgradeCommand(verb, node, named))
      .replace(/\bNODE\b/, () => shellWord(node)),
  );
}
