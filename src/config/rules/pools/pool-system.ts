import type { Rule } from '../../../model/config.js';
import { misspeltSystem } from '../../../model/misspelt-system.js';

/**
 * The name and the version of the OS are what the labels of the nodes hold. Where they look misspelt no node will have them,
 * and the driver would never run.
 */
export const poolSystemSpelt: Rule = {
  code: 'WEFT0275',
  *check({ cluster }) {
    const seen = new Set<string>();
    for (const pool of cluster.pools) {
      const finding = seen.has(pool.name) ? undefined : misspeltSystem(pool);
      seen.add(pool.name);
      if (finding) yield finding;
    }
  },
};
