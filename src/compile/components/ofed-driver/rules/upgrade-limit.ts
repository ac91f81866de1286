import { hasEntries } from '../../../../shared/lib/has-entries.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import { within, type Cluster, type NodePool, type Rule } from '../../../model/config.js';
import type { OfedDriverSpec } from '../schema.js';
import { driverInstances } from './instances.js';

const SHOWN = 5;

/** A driver that is replaced takes the network of the pods on its node, which without a drain are still there. */
export const upgradeLimit: Rule = {
  code: 'WEFT0573',
  severity: 'warning',
  title: 'all nodes lose their network at once, under their pods',
  *check(config) {
    for (const { spec, pools, origin } of driverInstances(config)) {
      if (!takesAllAtOnce(spec.upgradePolicy)) continue;
      const names = [...new Set(pools.filter((pool) => !hasLimit(pool, config.cluster)).map(({ name }) => name))];
      if (names.length === 0) continue;
      yield {
        origin: within(origin, 'upgradePolicy', 'maxParallelUpgrades'),
        message: `with \`maxParallelUpgrades: 0\` and no drain all nodes of ${listedNames(names, SHOWN)} lose their network at once, under their pods`,
        label: '0 is no limit',
        help: 'set `drain: {enable: true}`, and a limit such as `maxParallelUpgrades: 1`; where no pod needs the network then, write `# weft-ignore WEFT0573: reason` above it',
      };
    }
  },
};

function takesAllAtOnce(policy: OfedDriverSpec['upgradePolicy']): boolean {
  if (policy?.autoUpgrade !== true || policy.maxParallelUpgrades > 0) return false;
  const waits = (policy.waitForCompletion?.podSelector ?? '') !== '';
  return policy.drain?.enable !== true && !waits;
}

/** Whether settings of the Cluster limit how many nodes of a pool are out at once. The Maintenance Operator has a limit of its own. */
function hasLimit({ labels }: NodePool, { spec: { upgrade } }: Cluster): boolean {
  if (upgrade.drainer === 'MaintenanceOperator' || upgrade.topologyKey !== undefined) return true;
  return upgrade.pools.some(
    ({ nodeSelector, maxUnavailable, maxParallelUpgrades = 0 }) =>
      (maxUnavailable !== undefined || maxParallelUpgrades > 0) && hasEntries(labels, nodeSelector),
  );
}
