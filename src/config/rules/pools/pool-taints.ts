import { allComponents } from '../../../components/all.js';
import { nodePlacement } from '../../../kubernetes/selection/node-placement.js';
import { DAEMON_SET_TOLERATIONS, taintText } from '../../../kubernetes/selection/taints.js';
import { listedNames } from '../../../lib/listed.js';
import { within, type NodePool, type Rule } from '../../../model/config.js';
import { isUninstalled } from '../../../model/uninstall.js';

/** Finds pools that a policy selects, and whose nodes get no driver because of their taints. The driver of its other pools is rendered. */
export const poolTaintsTolerated: Rule = {
  code: 'WEFT0302',
  needsAllDocuments: true,
  *check({ cluster, policies, instances }) {
    const drivers = allComponents.filter(({ providesDriver }) => providesDriver);
    for (const { owner, pools, tolerations } of drivers.flatMap(({ id }) => instances.get(id) ?? [])) {
      // WEFT0238 names a driver that no pool gets.
      if (pools.length === 0) continue;
      const placement = nodePlacement({ nodeSelector: {}, tolerations: [...tolerations, ...DAEMON_SET_TOLERATIONS] });
      const selected = policies.find((policy) => policy.owner.label === owner.label)?.pools ?? [];
      const repelled = new Map<string, NodePool>();
      for (const pool of selected) {
        if (!placement.accepts(pool) && !isUninstalled(cluster, owner, pool)) repelled.set(pool.name, pool);
      }
      for (const pool of repelled.values()) {
        const taints = placement.misfitsOf(pool).flatMap((one) => (one.kind === 'taint' ? [taintText(one.taint)] : []));
        yield {
          origin: within(pool.origin, 'taints'),
          message: `the nodes of pool \`${pool.name}\` get no driver: ${owner.kind} \`${owner.name}\` does not tolerate ${listedNames(taints, 5)}`,
          help: `add \`tolerations\` to ${owner.kind} \`${owner.name}\`; or take the driver off them: \`driver: {uninstall: {nodePools: [${pool.name}]}}\``,
        };
      }
    }
  },
};
