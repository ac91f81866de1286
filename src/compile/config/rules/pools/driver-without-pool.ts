import { allComponents } from '../../../components/all.js';
import type { Rule } from '../../../model/config.js';

/** Finds a driver that no node gets; neither the API server nor a controller would report it. */
export const driverWithoutPool: Rule = {
  code: 'WEFT0238',
  severity: 'warning',
  title: 'a driver has no pool to run on',
  *check({ instances, policies }) {
    // Where a taint keeps the driver away, WEFT0302 names the pool.
    const selecting = new Set(policies.filter(({ pools }) => pools.length > 0).map(({ owner }) => owner.label));
    for (const { id, providesDriver } of allComponents) {
      for (const { owner, origin, pools } of providesDriver ? (instances.get(id) ?? []) : []) {
        if (pools.length > 0 || selecting.has(owner.label)) continue;
        yield {
          origin,
          at: 'key',
          message: `the driver of ${owner.kind} \`${owner.name}\` has no node pool to run on`,
          help:
            'add pools to `spec.nodePools` of the Cluster (`kubectl get nodes -o json | weft pools`), ' +
            'with the labels that the policy selects',
        };
      }
    }
  },
};
