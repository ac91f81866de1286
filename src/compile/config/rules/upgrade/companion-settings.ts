import { virtualFunctionsOf } from '../../../addons/all.js';
import { allWindows } from '../../../../shared/contract/pool-limits.js';
import { needsCompanion, takesNodesOut, upgradingPolicies } from '../../../delivery/drivers.js';
import { listed } from '../../../../shared/lib/listed.js';
import { valueAt } from '../../../../shared/lib/json.js';
import { uninstallsAny } from '../../../model/uninstall.js';
import { within, type Config, type Rule, type Violation } from '../../../model/config.js';
import { formatPath } from '../../../model/issues.js';

/** Whether the companion upgrades or uninstalls drivers; an uninstall does not need `autoUpgrade`. */
function isUpgraded(config: Config): boolean {
  if (uninstallsAny(config.cluster)) return needsCompanion(config);
  return takesNodesOut(config);
}

/** Warns about settings without effect. */
export const companionSettings: Rule = {
  code: 'WEFT0241',
  severity: 'warning',
  title: 'a setting of the companion has no effect',
  needsAllDocuments: true,
  *check(config) {
    const { origin } = config.cluster;
    const unused = [
      ...(isUpgraded(config) ? [] : [['spec', 'upgrade']]),
      ...(needsCompanion(config) ? [] : [['spec', 'companion']]),
    ];
    for (const path of unused) {
      if (valueAt(origin.document.value, path) === undefined) continue;
      yield {
        origin: within(origin, ...path),
        at: 'key',
        message: `\`${formatPath(path)}\` has no effect: no driver of the input has \`autoUpgrade: true\``,
        help: 'set `autoUpgrade: true` in the `upgradePolicy` of a driver, or remove it',
      };
    }
    yield* unusedNodeImage(config);
    const asked = ['spec', 'upgrade', 'nodeMaintenance'];
    if (config.cluster.spec.upgrade.drainer === 'MaintenanceOperator') return;
    if (valueAt(origin.document.value, asked) === undefined) return;
    yield {
      origin: within(origin, ...asked),
      at: 'key',
      message: '`spec.upgrade.nodeMaintenance` has no effect: the companion drains by itself',
      help: 'set `drainer: MaintenanceOperator`, or remove it',
    };
  },
};

/** The program runs in an image that has it, so no other image of Node is used. */
function* unusedNodeImage({ cluster }: Config): Iterable<Violation> {
  if (!cluster.isProgramInImage || cluster.spec.companion.nodeImage === undefined) return;
  yield {
    origin: within(cluster.origin, 'spec', 'companion', 'nodeImage'),
    at: 'key',
    message: '`spec.companion.nodeImage` has no effect: the program is in an image',
    help: 'remove it, or set `program: configMap` without `image`',
  };
}

/** Settings that only a run of the CronJob can carry out. */
function laterWork(config: Config): readonly string[] {
  const { upgrade, driver, gpuDriver } = config.cluster.spec;
  const policies = upgradingPolicies(config);
  const isAny = takesNodesOut(config);
  const limits = [upgrade, ...upgrade.pools];
  return [
    ...(driver.gate === 'label' ? ['`gate: label`'] : []),
    ...(isAny && allWindows(upgrade).length > 0 ? ['`maintenanceWindows`'] : []),
    ...(isAny && limits.some(({ canary }) => canary !== undefined) ? ['`canary`'] : []),
    ...(gpuDriver?.upgradePolicy.autoUpgrade === true ? ['`gpuDriver`'] : []),
    ...(virtualFunctionsOf(config)?.drain === undefined ? [] : ['`externalDrainer`']),
    ...(policies.some((policy) => 'safeLoad' in policy && policy.safeLoad) ? ['`safeLoad`'] : []),
  ];
}

/** Without the CronJob no run follows after the Job has ended. */
export const scheduleNeeded: Rule = {
  code: 'WEFT0330',
  severity: 'warning',
  title: 'no schedule where later work needs one',
  needsAllDocuments: true,
  *check(config) {
    if (config.cluster.spec.companion.schedule !== '' || !needsCompanion(config)) return;
    const reasons = laterWork(config);
    if (reasons.length === 0) return;
    yield {
      origin: within(config.cluster.origin, 'spec', 'companion', 'schedule'),
      message: `without a schedule nothing runs after the Job has ended, and ${listed(reasons, reasons.length)} may need it`,
      help: 'remove `schedule`: by default the companion looks every ten minutes whether there is something to do',
    };
  },
};
