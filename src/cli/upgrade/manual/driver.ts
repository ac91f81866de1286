import { diagnostic } from '../../../shared/diagnostics/codes.js';
import { operatorDriver } from '../../../shared/contract/labels.js';
import type { DriverPolicy, UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { listed } from '../../../shared/lib/listed.js';
import { Refusal } from '../../../cluster/reader/answers.js';
import type { ClusterOptions } from '../connect.js';

/** Options of every command that changes or explains nodes. */
export interface ManualOptions extends ClusterOptions {
  readonly output?: 'json';
  /** Label prefix of a driver, `gpu` also for `weft-gpu`; default: the only one of the policy. */
  readonly driver?: string;
}

/** The driver that a command applies to. */
export function driverOf({ drivers }: UpgradePolicy, { driver }: ManualOptions): DriverPolicy {
  const [only, ...others] =
    driver === undefined
      ? drivers
      : drivers.filter(({ labelPrefix }) => labelPrefix === driver || operatorDriver(labelPrefix) === driver);
  if (only !== undefined && others.length === 0) return only;
  const known = drivers.map(({ labelPrefix }) => labelPrefix);
  throw new Refusal(
    diagnostic('WEFT0441', {
      message:
        only === undefined
          ? `the policy in the cluster has ${driver === undefined ? 'no driver' : `no driver \`${driver}\``}`
          : `the policy in the cluster has several drivers: ${listed(known, 10)}`,
      help: known.length === 0 ? 'apply what `weft synth` renders' : `name one with \`--driver\`: ${listed(known, 10)}`,
    }),
  );
}
