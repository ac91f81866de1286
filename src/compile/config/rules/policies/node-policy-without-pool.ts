import { within, type Rule } from '../../../model/config.js';

/**
 * A policy that selects no node has no effect. Without this warning the user would notice only when a driver is
 * missing.
 */
export const nodePolicyWithoutPool: Rule = {
  code: 'WEFT0234',
  severity: 'warning',
  title: 'a NicNodePolicy selects no pool',
  *check({ policies, cluster }) {
    for (const { owner, origin, pools } of policies) {
      if (owner.kind !== 'NicNodePolicy' || pools.length > 0 || cluster.pools.length === 0) continue;
      yield {
        origin: within(origin, 'spec', 'nodeSelector'),
        message: `NicNodePolicy \`${owner.name}\` selects no node pool of the Cluster`,
        help: 'add the labels to `spec.nodePools[].labels` of the pools that have them',
      };
    }
  },
};
