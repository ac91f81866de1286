import { allComponents } from '../../components/registry.js';
import { within, type Config, type Instance, type NodePool, type Origin, type Rule } from '../config.js';

interface Offer {
  readonly componentId: string;
  readonly instance: Instance;
  readonly name: string;
  readonly origin: Origin;
}

function allOffers({ instances }: Config): readonly Offer[] {
  return allComponents.flatMap(({ id, offers }) =>
    (offers ? (instances.get(id) ?? []) : []).flatMap((instance) =>
      // The component's own schema has made the spec.
      (offers?.(instance.spec as never) ?? []).map(({ name, path }) => ({
        componentId: id,
        instance,
        name,
        origin: within(instance.origin, ...path),
      })),
    ),
  );
}

/** Where both offer; `undefined` where that is nowhere. Policies that clash in one section are the matter of other rules. */
function clash(a: Offer, b: Offer): { readonly pool?: NodePool } | undefined {
  if (a.instance === b.instance) return {};
  if (a.componentId === b.componentId) return undefined;
  const pool = a.instance.pools.find((one) => b.instance.pools.includes(one));
  return pool && { pool };
}

/** Both device plugins stop at a name that their list has twice, and the kubelet takes each resource from one plugin. */
export const resourceOfferedTwice: Rule = {
  code: 'WEFT0260',
  *check(config) {
    const offers = allOffers(config);
    for (const [index, offer] of offers.entries()) {
      for (const first of offers.slice(0, index)) {
        const where = first.name === offer.name ? clash(first, offer) : undefined;
        if (!where) continue;
        const nodes = where.pool ? `the nodes of pool \`${where.pool.name}\`` : 'the same nodes';
        yield {
          origin: offer.origin,
          message: `resource \`${offer.name}\` is offered twice on ${nodes}`,
          help: 'give one of the two another `resourceName` or another `resourcePrefix`',
          related: { origin: first.origin, message: 'it is offered here too' },
        };
        break;
      }
    }
  },
};
