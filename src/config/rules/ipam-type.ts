import { didYouMean } from '../../diagnostics/suggest.js';
import { isObject } from '../../lib/json.js';
import { ipamData, KNOWN_IPAM_TYPES } from '../../networks/cni/ipam.js';
import { within, type Rule } from '../config.js';

/**
 * The type is the name of a program on the nodes, and there are more than are known here. One that is almost known is
 * probably misspelt: pods of its network would not start.
 */
export const ipamTypeSpelt: Rule = {
  code: 'WEFT0274',
  *check({ networks }) {
    for (const { name, spec, origin } of networks) {
      const { ipam } = spec as { readonly ipam?: Parameters<typeof ipamData>[0] };
      const data = ipamData(ipam);
      const type = isObject(data) ? data['type'] : undefined;
      if (typeof type !== 'string' || KNOWN_IPAM_TYPES.includes(type)) continue;
      const help = didYouMean(type, KNOWN_IPAM_TYPES);
      if (help === undefined) continue;
      yield {
        origin: within(origin, 'spec', 'ipam', ...(typeof ipam === 'string' ? [] : ['type'])),
        message: `network \`${name}\` takes addresses from the IPAM plugin \`${type}\`, which is not known here`,
        help,
      };
    }
  },
};
