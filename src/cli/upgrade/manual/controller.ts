import {
  isRestartedByOperator,
  type DriverPolicy,
  type UpgradePolicy,
} from '../../../shared/contract/upgrade-policy.js';
import { diagnostic } from '../../../shared/diagnostics/codes.js';
import { decide } from '../../../companion/decide.js';
import { listedSnapshot } from '../../../companion/runtime/observe/lists.js';
import { Refusal, valueOf } from '../../../cluster/reader/answers.js';
import type { Connection } from '../connect.js';

/** Ends the command where a controller owns the driver, because its labels and annotations are then those of that controller. */
export async function refuseControlled(
  { port }: Connection,
  policy: UpgradePolicy,
  driver: DriverPolicy,
): Promise<void> {
  if (isRestartedByOperator(driver)) return;
  const { items: pods } = valueOf(
    await port.list('pods'),
    'listing pods shows whether the controller of the driver runs',
  );
  const snapshot = listedSnapshot({ nodes: [], daemonSets: [], revisions: [], pods });
  const { findings } = decide(snapshot, policy, Date.now());
  const running = findings.find((one) => one.kind === 'controller-runs' && one.driver === driver.labelPrefix);
  if (running === undefined) return;
  throw new Refusal(
    diagnostic('WEFT0441', {
      message: running.message,
      help: 'stop that controller, or use what it offers: two programs must not upgrade one node',
    }),
  );
}
