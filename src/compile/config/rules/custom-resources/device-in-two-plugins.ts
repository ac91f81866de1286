import type { DeviceSelector } from '../../../components/component.js';
import { isListWithin } from '../../../components/selector-values.js';
import { groupBy } from '../../../../shared/lib/group-by.js';
import type { NodePool, Rule, Violation } from '../../../model/config.js';
import { allOffers, type Offer } from '../networks/offered.js';
import { sharedWithPolicies } from './sriov-policy-devices.js';

/**
 * Device plugins look for NICs by themselves, and none asks what another offers: the SR-IOV plugin gives a NIC to one pod, whose network moves it
 * there, and the RDMA plugin shares it; the SR-IOV operator has an SR-IOV plugin of its own. Only certain cases are reported.
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
    {
      program: 'SR-IOV network device plugin',
      source: 'sriov-network-device-plugin v3.9.0, pkg/netdevice/netDeviceProvider.go',
      what: 'no resource of a policy has virtual functions of a SriovNetworkNodePolicy, which the plugin of the SR-IOV operator offers',
    },
  ],
  *check(config) {
    const { offers } = allOffers(config);
    yield* sharedWithPlugin(offers);
    yield* sharedWithPolicies(
      offers.filter(({ sharesDevices }) => !sharesDevices),
      config,
    );
  },
};

function* sharedWithPlugin(offers: readonly Offer[]): Generator<Violation> {
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
}

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

/** The drivers of NVIDIA's NICs. With another one, such as `vfio-pci`, a device has neither an interface nor RDMA. */
const NIC_DRIVERS = ['mlx5_core', 'mlx4_core'];

/** Whether one of the selectors of `inner` selects only devices that `outer` has, too. */
function hasAllOf(outer: Offer, inner: Offer): boolean {
  const ofNics = inner.selectors.filter(
    ({ drivers }) => drivers.length === 0 || drivers.some((name) => NIC_DRIVERS.includes(name)),
  );
  return ofNics.some((one) => outer.selectors.some((other) => isWithin(one, other)));
}

function isWithin(inner: DeviceSelector, outer: DeviceSelector): boolean {
  return (['vendors', 'ids', 'drivers', 'linkTypes'] as const).every((key) => isListWithin(inner[key], outer[key]));
}
