import { within, type NetworkInstance, type Rule } from '../config.js';

/** Networks of all kinds become NetworkAttachmentDefinitions, of which a namespace has one by each name. */
export const networkNames: Rule = {
  code: 'WEFT0239',
  *check({ networks }) {
    const first = new Map<string, NetworkInstance>();
    for (const network of networks) {
      const { networkNamespace } = network.spec as { readonly networkNamespace?: string };
      const namespace = networkNamespace || 'default';
      const known = first.get(`${namespace}/${network.name}`);
      // Two of one kind are one document twice, which has been said.
      if (known?.kind === network.kind) continue;
      if (!known) {
        first.set(`${namespace}/${network.name}`, network);
        continue;
      }
      yield {
        origin: within(network.origin, 'metadata', 'name'),
        message: `${network.kind} and ${known.kind} \`${network.name}\` both become a network of that name in namespace \`${namespace}\``,
        help: 'give one of them another name, or another `networkNamespace`',
        related: { origin: within(known.origin, 'metadata', 'name'), message: `the ${known.kind} is here` },
      };
    }
  },
};
