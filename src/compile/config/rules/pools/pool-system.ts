import type { Config, Violation, NodePool, Rule } from '../../../model/config.js';
import { misspeltName, misspeltVersion } from '../../../model/misspelt-system.js';

/**
 * The name and the version of the OS are compared with node labels. If they are misspelt, no node matches, and the
 * driver never runs.
 */
export const poolSystemSpelt: Rule = {
  code: 'WEFT0275',
  severity: 'warning',
  title: 'the OS version of a node pool looks misspelt',
  check: (config) => ofPools(config, misspeltVersion),
};

/**
 * A name close to a known one is an error. Other unknown names are allowed, because users build drivers for other
 * systems.
 */
export const poolSystemKnown: Rule = {
  code: 'WEFT0312',
  severity: 'error',
  title: 'the OS of a node pool is misspelt',
  check: (config) => ofPools(config, misspeltName),
};

/** A pool with several kernels becomes several pools with the same name. */
function* ofPools({ cluster }: Config, find: (pool: NodePool) => Violation | undefined): Iterable<Violation> {
  const seen = new Set<string>();
  for (const pool of cluster.pools) {
    const violation = seen.has(pool.name) ? undefined : find(pool);
    seen.add(pool.name);
    if (violation) yield violation;
  }
}
