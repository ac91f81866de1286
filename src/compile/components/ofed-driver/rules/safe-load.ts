import { within, type Rule } from '../../../model/config.js';
import { sharedOwner } from '../../pod-parts.js';
import { usesSafeLoad } from '../init-container.js';
import { driverInstances } from './instances.js';

/** Without upgrades no program releases a driver pod that waits (as above, `validateSafeLoad`). */
export const safeLoadNeedsAutoUpgrade: Rule = {
  code: 'WEFT0211',
  severity: 'error',
  title: 'safeLoad needs autoUpgrade',
  *check(config) {
    for (const { spec, origin } of driverInstances(config)) {
      if (!spec.upgradePolicy?.safeLoad || spec.upgradePolicy.autoUpgrade) continue;
      yield {
        origin: within(origin, 'upgradePolicy', 'safeLoad'),
        message: '`spec.ofedDriver.upgradePolicy.safeLoad` needs `autoUpgrade: true` beside it',
        help: 'set `autoUpgrade: true`, or remove `safeLoad`',
      };
    }
  },
};

/** The init container has one ConfigMap in a namespace for all policies. */
export const safeLoadIsOne: Rule = {
  code: 'WEFT0218',
  severity: 'warning',
  title: 'policies disagree about an object that they share',
  *check(config) {
    const instances = driverInstances(config).filter(({ pools }) => pools.length > 0);
    const owner = sharedOwner(instances);
    if (!owner || config.cluster.initContainerImage === '') return;
    for (const other of instances) {
      if (usesSafeLoad(other.spec) === usesSafeLoad(owner.spec)) continue;
      yield {
        origin: other.origin,
        at: 'key',
        message: `\`safeLoad\` is one setting for the namespace, and ${other.owner.name} and ${owner.owner.name} differ in it`,
        help: `give both the same \`upgradePolicy\`; the one of ${owner.owner.name}, the last by name, counts`,
        related: { origin: owner.origin, message: 'this one counts' },
      };
    }
  },
};
