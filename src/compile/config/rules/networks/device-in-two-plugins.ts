import type { DeviceSelector } from '../../../components/component.js';
import { groupBy } from '../../../../shared/lib/group-by.js';
import type { NodePool, Rule } from '../../../model/config.js';
import { allOffers, type Offer } from './offered.js';

/**
 * Both device plugins look for NICs by themselves, and none asks what the other offers: the SR-IOV plugin gives a NIC to one
 * pod, whose network moves it there, and the RDMA plugin shares it. Only certain cases are reported: where every NIC of the one is one of the
 * other.
 */
export const deviceInTwoPlugins: Rule = {
  code: 'WEFT0575',
  severity: 'warning',
  title: 'two device plugins offer the same NICs',
  checks: [
    {
      program: 'RDMA shared device plugin',
      source: 'k8s-rdma-shared-dev-plugin 410b0f3, pkg/resources/resources_manager.go `GetFilteredDevices`',
      what: 'its selectors take no NICs that the SR-IOV network device plugin gives to one pod',
    },
  ],
  *check(config) {
    const { offers } = allOffers(config);
    const placed = offers
      .filter(({ sharesDevices }) => sharesDevices)
      .flatMap((offer) => offer.instance.pools.map((pool) => ({ pool, offer })));
    const shared = groupBy(placed, ({ pool }) => pool);
    for (const offer of offers.filter(({ sharesDevices }) => !sharesDevices)) {
      const found = firstShared(offer, shared);
      if (found === undefined) continue;
      yield {
        origin: offer.origin,
        message: `\`${offer.name}\` gives a NIC to one pod, and \`${found.offer.name}\` shares the same NICs on the nodes of pool \`${found.pool.name}\``,
        help: 'separate them in the `selectors` of both, for instance by device ids or link types, or by `ifNames` of the shared ones; where pods of a node never ask for both, write `# weft-ignore WEFT0575: reason` above it',
        related: { origin: found.offer.origin, message: 'the same NICs are shared here' },
      };
    }
  },
};

interface PlacedOffer {
  readonly pool: NodePool;
  readonly offer: Offer;
}

function firstShared(offer: Offer, shared: ReadonlyMap<NodePool, readonly PlacedOffer[]>): PlacedOffer | undefined {
  for (const pool of offer.instance.pools) {
    const found = shared.get(pool)?.find((one) => hasAllOf(one.offer, offer));
    if (found) return found;
  }
  return undefined;
}

/** Whether one of the selectors of `inner` selects only devices that `outer` has, too. */
function hasAllOf(outer: Offer, inner: Offer): boolean {
  return inner.selectors.some((one) => outer.selectors.some((other) => isWithin(one, other)));
}

function isWithin(inner: DeviceSelector, outer: DeviceSelector): boolean {
  return (['vendors', 'ids', 'drivers', 'linkTypes'] as const).every((key) => {
    const given = outer[key];
    return given.length === 0 || (inner[key].length > 0 && inner[key].every((value) => given.includes(value)));
  });
}
