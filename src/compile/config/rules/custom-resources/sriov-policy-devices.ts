import { SRIOV_GROUP } from '../../../../shared/contract/labels.js';
import { groupBy } from '../../../../shared/lib/group-by.js';
import { isObject, listAt, textAt, valueAt } from '../../../../shared/lib/json.js';
import type { DeviceSelector } from '../../../components/component.js';
import { within, type Config, type NodePool, type Violation } from '../../../model/config.js';
import { objectsOf, type InputObject } from '../../../model/input-objects.js';
import type { Offer } from '../networks/offered.js';

/** A selector of an offer. */
interface Candidate {
  readonly offer: Offer;
  readonly selector: DeviceSelector;
}

/** The physical functions of a selector, each as a key, without their ranges. */
function keysOf(pfNames: readonly string[], devices: readonly string[]): readonly string[] {
  return [
    ...pfNames.map((text) => `interface ${functionsOf(text).name}`),
    ...devices.map((text) => `device ${functionsOf(text).name}`),
  ];
}

/** Selectors that only name vendors, or nothing. */
function vendorKeys({ vendors }: DeviceSelector): readonly string[] {
  return vendors.length === 0 ? ['all'] : vendors.map((vendor) => `vendor ${vendor}`);
}

/** Selectors by the pools that have them, and by key. */
type ByPool = ReadonlyMap<NodePool, ReadonlyMap<string, readonly Candidate[]>>;

function candidatesOf(offers: readonly Offer[]): ByPool {
  const entries = offers.flatMap((offer) =>
    offer.selectors
      .filter(({ hasMore }) => !hasMore)
      .flatMap((selector) => {
        const named = keysOf(selector.pfNames, [...selector.rootDevices, ...selector.pciAddresses]);
        const ofVendor = selector.ids.length > 0 ? [] : vendorKeys(selector);
        const keys = named.length > 0 ? named : ofVendor;
        return offer.instance.pools.flatMap((pool) => keys.map((key) => ({ pool, key, offer, selector })));
      }),
  );
  return new Map(
    [...groupBy(entries, ({ pool }) => pool)].map(([pool, ofPool]) => [pool, groupBy(ofPool, ({ key }) => key)]),
  );
}

/**
 * The SriovNetworkNodePolicies with virtual functions that an SR-IOV plugin of an operator policy offers, too: both give them to pods, each without
 * asking the other. Reported are NICs of the same name, or of the same vendor where the resource has no names and no ids.
 */
export function* sharedWithPolicies(offers: readonly Offer[], config: Config): Generator<Violation> {
  const candidates = candidatesOf(offers);
  if (candidates.size === 0) return;
  const poolsOf = poolFinder([...candidates.keys()]);
  for (const policy of objectsOf(config, SRIOV_GROUP, 'SriovNetworkNodePolicy')) {
    const found = firstOf(policy, poolsOf(policy), candidates);
    if (found === undefined) continue;
    yield {
      origin: within(policy.origin, 'spec', 'nicSelector'),
      message: `SriovNetworkNodePolicy \`${policy.name}\` and \`${found.offer.name}\` offer the same NICs on the nodes of pool \`${found.pool.name}\``,
      help: 'select NICs of its own for each, by `pfNames` or `rootDevices` of both, or remove one of them',
      related: { origin: found.offer.origin, message: 'the same NICs are offered here' },
    };
  }
}

function firstOf(
  policy: InputObject,
  pools: readonly NodePool[],
  candidates: ByPool,
): { readonly offer: Offer; readonly pool: NodePool } | undefined {
  const { pfNames, rootDevices, vendor } = nicsOf(policy);
  const keys = [...keysOf(pfNames, rootDevices), ...(vendor === undefined ? [] : [`vendor ${vendor}`]), 'all'];
  for (const pool of pools) {
    for (const key of keys) {
      const found = candidates
        .get(pool)
        ?.get(key)
        ?.find(({ selector }) => hasSame(selector, policy));
      if (found) return { offer: found.offer, pool };
    }
  }
  return undefined;
}

interface Nics {
  readonly pfNames: readonly string[];
  readonly rootDevices: readonly string[];
  readonly vendor: string | undefined;
}

const textsAt = (value: unknown, key: string) => listAt(value, key).filter((one) => typeof one === 'string');

function nicsOf({ spec }: InputObject): Nics {
  const { nicSelector } = spec;
  const vendor = textAt(nicSelector, 'vendor');
  return {
    pfNames: textsAt(nicSelector, 'pfNames'),
    rootDevices: textsAt(nicSelector, 'rootDevices'),
    vendor: vendor === '' ? undefined : vendor,
  };
}

/** Labels of Node Feature Discovery, and the role of workers, need not be listed in a pool. */
const FOUND_LABEL = /^(?:feature\.node\.kubernetes\.io\/|node-role\.kubernetes\.io\/worker$)/;

/** Finds the pools whose nodes a policy selects, by its first label that pools must list. */
function poolFinder(pools: readonly NodePool[]): (policy: InputObject) => readonly NodePool[] {
  const textOf = (entry: readonly [string, unknown]) => JSON.stringify(entry);
  const labeled = pools.flatMap((pool) => Object.entries(pool.labels).map((entry) => ({ pool, label: textOf(entry) })));
  const byLabel = groupBy(labeled, ({ label }) => label);
  return ({ spec: { nodeSelector } }) => {
    const wanted = Object.entries(isObject(nodeSelector) ? nodeSelector : {});
    const listed = wanted.find(([key]) => !FOUND_LABEL.test(key));
    const candidates = listed ? (byLabel.get(textOf(listed)) ?? []).map(({ pool }) => pool) : pools;
    return candidates.filter(({ labels }) =>
      wanted.every(([key, value]) => (Object.hasOwn(labels, key) ? labels[key] === value : FOUND_LABEL.test(key))),
    );
  };
}

const LINK_TYPES: Readonly<Record<string, string>> = { eth: 'ether', ib: 'infiniband' };

/** Whether the selector certainly has virtual functions of the policy. */
function hasSame(selector: DeviceSelector, policy: InputObject): boolean {
  const { pfNames, rootDevices, vendor } = nicsOf(policy);
  const { spec } = policy;
  const linkType = LINK_TYPES[(textAt(spec, 'linkType') ?? '').toLowerCase()];
  const isUserspace = textAt(spec, 'deviceType') === 'vfio-pci';
  const { drivers, linkTypes, vendors } = selector;
  return (
    (vendor === undefined || vendors.length === 0 || vendors.includes(vendor)) &&
    (linkTypes.length === 0 || (linkType !== undefined && linkTypes.includes(linkType))) &&
    (drivers.length === 0 || drivers.some((name) => (name === 'vfio-pci') === isUserspace)) &&
    !(selector.isRdma && isUserspace) &&
    meets(selector.pfNames, pfNames) &&
    meets(selector.rootDevices, rootDevices) &&
    meets(selector.pciAddresses, rootDevices) &&
    valueAt(spec, ['numVfs']) !== 0
  );
}

interface Functions {
  readonly name: string;
  /** First and last number; all virtual functions if there is none. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** `ens1f0#0-3,5` is an interface with some of its virtual functions. */
function functionsOf(text: string): Functions {
  const [name = '', ranges] = text.split('#');
  return {
    name,
    ranges: (ranges === undefined ? [] : ranges.split(',')).map((range) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number);
      return [first, last];
    }),
  };
}

/** Whether all devices are wanted, or one is in both. */
function meets(wanted: readonly string[], given: readonly string[]): boolean {
  const others = given.map(functionsOf);
  return (
    wanted.length === 0 ||
    wanted.map(functionsOf).some((one) => others.some((other) => one.name === other.name && overlap(one, other)))
  );
}

function overlap(a: Functions, b: Functions): boolean {
  if (a.ranges.length === 0 || b.ranges.length === 0) return true;
  return a.ranges.some(([first, last]) => b.ranges.some(([from, to]) => first <= to && from <= last));
}
