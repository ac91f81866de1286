import { within, type Policy, type Rule } from '../../../model/config.js';

/** A node belongs to one NicNodePolicy at most (network-operator b06827e0, pkg/policyoverlap/overlap.go). */
export const nodePolicyOverlap: Rule = {
  code: 'WEFT0232',
  severity: 'error',
  title: 'two NicNodePolicies select the same nodes',
  *check({ policies }) {
    const nodePolicies = policies.filter(({ owner }) => owner.kind === 'NicNodePolicy');
    for (const [index, second] of nodePolicies.entries()) {
      for (const first of nodePolicies.slice(0, index)) {
        const shared = first.pools.filter((pool) => second.pools.includes(pool)).map(({ name }) => `\`${name}\``);
        if (shared.length === 0) continue;
        yield {
          origin: selectorOf(second),
          at: 'key',
          message:
            `NicNodePolicy \`${second.owner.name}\` and NicNodePolicy \`${first.owner.name}\` both select ` +
            `${shared.length === 1 ? 'node pool' : 'node pools'} ${[...new Set(shared)].join(', ')}`,
          help: 'narrow one `nodeSelector`, so that each node belongs to one policy at most',
          related: { origin: selectorOf(first), message: `\`${first.owner.name}\` selects them here` },
        };
      }
    }
  },
};

function selectorOf({ origin, nodeSelector }: Policy) {
  return Object.keys(nodeSelector).length > 0
    ? within(origin, 'spec', 'nodeSelector')
    : within(origin, 'metadata', 'name');
}
