import { allAddOns } from '../../../addons/all.js';
import { allComponents } from '../../../components/all.js';
import type { Capability } from '../../../model/capability.js';
import { within, type Config, type Rule } from '../../../model/config.js';
import { listAt } from '../../../../shared/lib/json.js';
import { STANDARD_PLUGINS } from '../../../networks/cni/plugin-names.js';
import { ipamsOf } from './attachment-ipams.js';
import { pluginsOf } from './attachment-plugins.js';
import { attachmentsOf, type Attachment } from './attachments.js';

/** Every program that a component installs, with the section that does. */
const programs = allComponents.flatMap(({ id: component, provides = [], source }) =>
  provides.map((capability) => ({
    capability,
    isInstalled: ({ instances }: Config) => instances.has(component),
    help: `add \`${source.path.join('.')}\` to the NicClusterPolicy`,
  })),
);

const ofAddOns = allAddOns.flatMap(({ id, provides = [], source }) =>
  provides.map((capability) => ({
    capability,
    isInstalled: ({ addOns }: Config) => (addOns.get(id) as { readonly deploy?: boolean } | undefined)?.deploy === true,
    help: `write \`${source.path[0]}: {deploy: true}\` in the \`spec\` of the Cluster document`,
  })),
);

/** What the standard plugin `dhcp` asks for addresses: its own daemon, which no component runs. */
const dhcpDaemon = {
  capability: { id: 'dhcp', name: 'the daemon of the dhcp plugin', isInOpenshift: true },
  isInstalled: ({ passthrough }: Config) => passthrough.some(({ object }) => runsDhcpDaemon(object)),
  help: 'run `dhcp daemon` of the CNI plugins on each node, by a DaemonSet or a systemd unit',
};

function runsDhcpDaemon(object: Readonly<Record<string, unknown>>): boolean {
  return listAt(object, 'spec', 'template', 'spec', 'containers').some((container) => {
    const words = [...listAt(container, 'command'), ...listAt(container, 'args')].map(String).join(' ');
    return /(?:^|[/\s])dhcp\s+daemon\b/.test(words);
  });
}

function isNeeded({ id }: Capability, network: Attachment): boolean {
  return (
    network.requires.includes(id) || ipamsOf(network).some(({ data }) => data['type'] === id) || calls(network, id)
  );
}

/** Whether the configuration of a NetworkAttachmentDefinition names a plugin of the capability. */
function calls(network: Attachment, id: string): boolean {
  if (network.ipamField !== 'config') return false;
  const types = pluginsOf(network).map(({ plugin }) => String(plugin['type']));
  return types.some((type) => (id === 'cni-plugins' ? STANDARD_PLUGINS.includes(type) : type === id));
}

/** The networks that need one of the capabilities. */
export function networksThatNeed(config: Config, capabilities: readonly Capability[]): readonly Attachment[] {
  return attachmentsOf(config).filter((network) => capabilities.some((one) => isNeeded(one, network)));
}

/** Pods of a network do not start if its CNI programs are not installed. Reported once for all networks. */
export const networkCapabilities: Rule = {
  code: 'WEFT0265',
  severity: 'warning',
  title: 'networks need a CNI program that the input does not install',
  needsAllDocuments: true,
  *check(config) {
    const { cluster } = config;
    const attachments = attachmentsOf(config);
    for (const { capability, isInstalled, help } of [...programs, ...ofAddOns, dhcpDaemon]) {
      if ((capability.isInOpenshift && cluster.isOpenshift) || isInstalled(config)) continue;
      const networks = attachments.filter((network) => isNeeded(capability, network));
      const [first] = networks;
      if (!first) continue;
      const many = networks.length === 1 ? `network \`${first.name}\` needs` : `${networks.length} networks need`;
      yield {
        origin: within(first.origin, 'metadata', 'name'),
        message: `${many} ${capability.name}, which the input does not install`,
        help: `${help}; it may live elsewhere in the cluster`,
      };
    }
  },
};
