import { askWhether, suggest } from '../../../../shared/diagnostics/suggest.js';
import { within, type Rule } from '../../../model/config.js';
import { bareName, offeredNames } from '../networks/offered.js';

const prefixOf = (resource: string) => resource.slice(0, resource.indexOf('/'));

/**
 * A node whose resource never appears fails its validation, and so does every other node. The rule leaves out resources with a
 * prefix that no device plugin of the input uses: another program offers them, for instance the GPU operator.
 */
export const validationResourceOffered: Rule = {
  code: 'WEFT0276',
  severity: 'warning',
  title: 'the validation waits for a resource that no device plugin offers',
  needsAllDocuments: true,
  *check(config) {
    const names = offeredNames(config);
    if (names === undefined) return;
    const wanted = config.cluster.spec.upgrade.validation?.resources ?? [];
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
