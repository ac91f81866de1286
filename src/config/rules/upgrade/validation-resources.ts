import { askWhether, suggest } from '../../../diagnostics/suggest.js';
import { within, type Rule } from '../../../model/config.js';
import { allOffers, bareName } from '../networks/offered.js';

const prefixOf = (resource: string) => resource.slice(0, resource.indexOf('/'));

/**
 * A node whose resource never comes fails its validation, and every node does. Nothing is said about a resource with a prefix
 * that no device plugin of the input uses: it is somebody else's, a GPU's for instance.
 */
export const validationResourceOffered: Rule = {
  code: 'WEFT0276',
  needsAllDocuments: true,
  *check(config) {
    const { offers, isComplete } = allOffers(config);
    if (!isComplete) return;
    const names = offers.map(({ name }) => name);
    const wanted = config.cluster.spec.upgrade?.validation?.resources ?? [];
    for (const [index, resource] of wanted.entries()) {
      if (names.includes(resource)) continue;
      const sameName = names.find((name) => bareName(name) === bareName(resource));
      const meant = sameName ?? suggest(resource, names);
      if (meant === undefined && !names.some((name) => prefixOf(name) === prefixOf(resource))) continue;
      yield {
        origin: within(config.cluster.origin, 'spec', 'upgrade', 'validation', 'resources', index),
        message: `no device plugin of the input offers \`${resource}\`, for which every upgraded node would wait`,
        help: meant === undefined ? `offered: ${names.join(', ')}` : askWhether(meant),
      };
    }
  },
};
