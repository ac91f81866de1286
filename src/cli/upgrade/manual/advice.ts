import { shellWord } from '../../../shared/lib/escape.js';
import { waitKind, type WaitKind } from '../../../companion/model/wait-kinds.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { namedDriver, upgradeCommand } from '../../../shared/contract/upgrade-command.js';
import type { DriverPolicy, UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';

/** What a user can do for a node with a NIC that no driver DaemonSet covers. */
export const UNCOVERED_ADVICE: readonly string[] = [
  'compare the node with the pools of the Cluster document: `kubectl get nodes -o json | weft pools --check`',
  'add its kernel to the pool, or a pool for it, and apply the output',
];

/** What shows that a node that failed is repaired, by what restarts its driver. */
const REPAIRED_WHEN = {
  companion: 'when its driver pod is in sync and Ready',
  'gpu-operator': 'when the GPU operator has it as `upgrade-done`',
  'sriov-config-daemon': 'when `syncStatus` of its SriovNetworkNodeState is `Succeeded`',
} as const satisfies Readonly<Record<'companion' | NonNullable<DriverPolicy['restartedBy']>, string>>;

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
  const { restartedBy } = drivers.find(({ labelPrefix }) => labelPrefix === driver) ?? {};
  return waitKind(kind).advice.map((line) =>
    line
      .replace(/weft upgrade (\w+) NODE\b/, (_, verb: string) => upgradeCommand(verb, node, named))
      .replace(REPAIRED_WHEN.companion, REPAIRED_WHEN[restartedBy ?? 'companion'])
      .replace(/\bNODE\b/, () => shellWord(node))
      .replace(/\bSKIP\b/, skipDrain),
  );
}
