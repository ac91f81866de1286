import { allComponents } from '../../../components/all.js';
import type { Capability } from '../../../model/capability.js';
import { within, type Rule } from '../../../model/config.js';
import { ipamsOf } from './attachment-ipams.js';
import { attachmentsOf, type Attachment } from './attachments.js';

/** Every program that a component installs, with the section that does. */
const programs = allComponents.flatMap(({ id: component, provides = [], source }) =>
  provides.map((capability) => ({ capability, component, section: source.path.join('.') })),
);

function isNeeded({ id }: Capability, network: Attachment): boolean {
  return network.requires.includes(id) || ipamsOf(network).some(({ data }) => data['type'] === id);
}

/** A network without its programs on the nodes keeps pods from starting. Said once, however many networks there are. */
export const networkCapabilities: Rule = {
  code: 'WEFT0265',
  needsAllDocuments: true,
  *check(config) {
    const { cluster, instances } = config;
    const attachments = attachmentsOf(config);
    for (const { capability, component, section } of programs) {
      if ((capability.isInOpenshift && cluster.isOpenshift) || instances.has(component)) continue;
      const networks = attachments.filter((network) => isNeeded(capability, network));
      const [first] = networks;
      if (!first) continue;
      const many = networks.length === 1 ? `network \`${first.name}\` needs` : `${networks.length} networks need`;
      yield {
        origin: within(first.origin, 'metadata', 'name'),
        message: `${many} ${capability.name}, which the input does not install`,
        help: `add \`${section}\` to the NicClusterPolicy; it may live elsewhere in the cluster`,
      };
    }
  },
};
