import { allAddOns } from '../../../addons/all.js';
import { allComponents } from '../../../components/all.js';
import type { Capability } from '../../../model/capability.js';
import { within, type Config, type Rule } from '../../../model/config.js';
import { ipamsOf } from './attachment-ipams.js';
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

function isNeeded({ id }: Capability, network: Attachment): boolean {
  return network.requires.includes(id) || ipamsOf(network).some(({ data }) => data['type'] === id);
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
    for (const { capability, isInstalled, help } of [...programs, ...ofAddOns]) {
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
