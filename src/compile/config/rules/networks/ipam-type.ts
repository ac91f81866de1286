import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { KNOWN_IPAM_TYPES } from '../../../networks/cni/ipam.js';
import { KNOWN_PLUGINS } from '../../../networks/cni/plugin-names.js';
import type { Rule } from '../../../model/config.js';
import { ipamsOf } from './attachment-ipams.js';
import { pluginsOf } from './attachment-plugins.js';
import { attachmentsOf } from './attachments.js';

/**
 * The type is the name of a program on the nodes, so unknown ones are allowed. A name close to a known one is probably
 * misspelt, and the pods of its network would not start.
 */
export const ipamTypeSpelt: Rule = {
  code: 'WEFT0274',
  severity: 'warning',
  title: 'the type of a CNI or IPAM plugin is almost one that is known',
  *check(config) {
    for (const network of attachmentsOf(config)) {
      for (const { data, placeOf } of ipamsOf(network)) {
        const { type } = data;
        if (typeof type !== 'string' || KNOWN_IPAM_TYPES.includes(type)) continue;
        const help = didYouMean(type, KNOWN_IPAM_TYPES);
        if (help === undefined) continue;
        const message = `network \`${network.name}\` takes addresses from the IPAM plugin \`${type}\`, which is not known here`;
        yield { ...placeOf('type'), message, help };
      }
    }
  },
};

/** As with the type of an IPAM. */
export const pluginTypeSpelt: Rule = {
  code: 'WEFT0274',
  severity: 'warning',
  title: 'the type of a CNI or IPAM plugin is almost one that is known',
  *check(config) {
    for (const network of attachmentsOf(config).filter(({ ipamField }) => ipamField === 'config')) {
      for (const { plugin, placeOf } of pluginsOf(network)) {
        const { type } = plugin;
        if (typeof type !== 'string' || KNOWN_PLUGINS.includes(type)) continue;
        const help = didYouMean(type, KNOWN_PLUGINS);
        if (help === undefined) continue;
        const message = `network \`${network.name}\` has the CNI plugin \`${type}\`, which is not known here`;
        yield { ...placeOf(['type']), message, help };
      }
    }
  },
};
