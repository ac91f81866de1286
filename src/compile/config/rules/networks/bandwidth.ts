import { within, type Rule } from '../../../model/config.js';
import { isObject } from '../../../../shared/lib/json.js';
import { metaPluginsData } from '../../../networks/cni/meta-plugins.js';

/** Without a rate the plugin does nothing. */
const hasRate = (plugin: unknown): boolean =>
  isObject(plugin) &&
  plugin['type'] === 'bandwidth' &&
  ['ingressRate', 'egressRate'].some((key) => Number(plugin[key] ?? 0) > 0);

/**
 * The plugin shapes the traffic at the node's end of a veth device (containernetworking/plugins v1.9.1, plugins/meta/bandwidth
 * `getHostInterface`). Devices of macvlan and host-device have none, so the plugin fails, and with it the start of the pod.
 */
export const bandwidthWithoutVeth: Rule = {
  code: 'WEFT0317',
  severity: 'warning',
  title: 'bandwidth limits keep pods from starting',
  *check({ networks }) {
    for (const { kind, name, spec, origin } of networks) {
      const { metaPlugins } = spec as { readonly metaPlugins?: Parameters<typeof metaPluginsData>[0] };
      if (!metaPluginsData(metaPlugins).some(hasRate)) continue;
      yield {
        origin: within(origin, 'spec', 'metaPlugins'),
        at: 'key',
        message: `no pod on ${kind} \`${name}\` starts: the CNI plugin \`bandwidth\` needs a veth device, which the network does not make`,
        help: 'remove `bandwidth` from `metaPlugins`',
      };
    }
  },
};
