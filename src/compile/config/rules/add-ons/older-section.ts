import { allAddOns } from '../../../addons/all.js';
import { valueAt } from '../../../../shared/lib/json.js';
import { within, type Rule } from '../../../model/config.js';

/** Warns about a removed policy section, which enables the add-on that replaced it. */
export const olderPolicySection: Rule = {
  code: 'WEFT0483',
  severity: 'warning',
  title: 'a section of an older policy turns on an add-on',
  *check({ policies }) {
    for (const { origin } of policies) {
      for (const { id, source, policySection } of allAddOns) {
        if (!policySection || valueAt(origin.document.value, ['spec', ...policySection.path]) === undefined) continue;
        yield {
          origin: within(origin, 'spec', ...policySection.path),
          at: 'key',
          message: `\`${policySection.path.join('.')}\` is of an older release, and turns on the add-on ${id}`,
          label: 'its image is that of the add-on',
          help: `remove it, and write \`${source.path[0]}: {deploy: true}\` in the \`spec\` of the Cluster document`,
        };
      }
    }
  },
};
