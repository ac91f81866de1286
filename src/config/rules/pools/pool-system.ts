import type { Config, Finding, NodePool, Rule } from '../../../model/config.js';
import { misspeltName, misspeltVersion } from '../../../model/misspelt-system.js';

/**
 * The name and the version of the OS are what the labels of the nodes hold. Where they look misspelt no node will have them,
 * and the driver would never run.
 */
export const poolSystemSpelt: Rule = {
  code: 'WEFT0275',
  check: (config) => ofPools(config, misspeltVersion),
};

/** A name that is almost a known one is an error; other names are those of systems that people build drivers for. */
export const poolSystemKnown: Rule = {
  code: 'WEFT0312',
  check: (config) => ofPools(config, misspeltName),
};

/** A pool with several kernels is several pools with one name. */
function* ofPools({ cluster }: Config, find: (pool: NodePool) => Finding | undefined): Iterable<Finding> {
  const seen = new Set<string>();
  for (const pool of cluster.pools) {
    const finding = seen.has(pool.name) ? undefined : find(pool);
    seen.add(pool.name);
    if (finding) yield finding;
  }
}
