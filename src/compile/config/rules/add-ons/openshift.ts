import { allAddOns } from '../../../addons/all.js';
import { within, type Rule } from '../../../model/config.js';

/** Add-ons that OpenShift installs itself must not be installed twice. */
export const addOnOnOpenshift: Rule = {
  code: 'WEFT0481',
  severity: 'error',
  title: 'an add-on is deployed that OpenShift brings',
  *check({ cluster, addOns }) {
    if (!cluster.isOpenshift) return;
    for (const { id, source, inOpenshift } of allAddOns) {
      const { deploy } = (addOns.get(id) ?? {}) as { readonly deploy?: boolean };
      if (inOpenshift === undefined || deploy !== true) continue;
      yield {
        origin: within(cluster.origin, 'spec', source.path[0], 'deploy'),
        message: `on OpenShift ${inOpenshift} installs this`,
        label: 'this would be a second one',
        help: 'remove `deploy`',
      };
    }
  },
};
