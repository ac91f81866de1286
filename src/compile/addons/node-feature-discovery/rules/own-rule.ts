import type { Rule } from '../../../model/config.js';
import { nicLabelPath } from '../own-rule.js';
import type { NodeFeatureDiscoverySpec } from '../schema.js';

/** Two rules for one label would label the nodes of both. */
export const nicRuleReplaced: Rule = {
  code: 'WEFT0339',
  severity: 'warning',
  title: 'a NodeFeatureRule of the input replaces that of Weft',
  *check({ addOns, passthrough }) {
    const { rules } = addOns.get('node-feature-discovery') as NodeFeatureDiscoverySpec;
    for (const { object, origin } of rules ? passthrough : []) {
      const path = nicLabelPath(object);
      if (path === undefined) continue;
      yield {
        origin: { document: origin.document, path },
        at: 'key',
        message:
          'this rule says which nodes have a NIC, so Weft leaves out its own, which labels every node with a NIC of NVIDIA',
        help: 'write `nodeFeatureDiscovery: {rules: false}` in the `spec` of the Cluster, which says the same; or remove the label here',
      };
    }
  },
};
