import { type AddressRange, addressRange, networkRange, withoutRanges } from '../../../../shared/lib/address-ranges.js';
import { isObject } from '../../../../shared/lib/json.js';
import { within, type Config, type Violation, type Rule } from '../../../model/config.js';
import { ipamRanges } from '../../../networks/cni/ipam-ranges.js';
import { ipamsOf } from '../networks/attachment-ipams.js';
import { attachmentsOf } from '../networks/attachments.js';
import { NV_IPAM_GROUP, objectsOf } from '../../../model/input-objects.js';

/** Addresses that one IPAM gives to pods. */
interface Source {
  /** In messages. */
  readonly name: string;
  readonly addresses: readonly AddressRange[];
  readonly place: Pick<Violation, 'origin' | 'at'>;
  /** For whereabouts; undefined for the pools of NV-IPAM, which check only their own allocations. */
  readonly reservations?: Reservations;
}

/** Where whereabouts looks up allocated addresses (v0.9.4, pkg/storage/kubernetes/ipam.go). */
interface Reservations {
  /** `network_name`: networks with different names are separate on purpose. */
  readonly networkName: string;
  /** As it is written: networks with the same one share an `IPPool` of whereabouts. */
  readonly range: string;
  /** In the reservations of all ranges too, unless `enable_overlapping_ranges` is false. */
  readonly isOfAllRanges: boolean;
}

function excludedOf(spec: Readonly<Record<string, unknown>>): readonly AddressRange[] {
  const exclusions = Array.isArray(spec['exclusions']) ? (spec['exclusions'] as readonly unknown[]) : [];
  return exclusions
    .filter(isObject)
    .flatMap(({ startIP, endIP }) => addressRange(String(startIP), String(endIP)) ?? []);
}

function poolsOf(config: Config): readonly Source[] {
  return [
    { kind: 'IPPool', field: 'subnet' },
    { kind: 'CIDRPool', field: 'cidr' },
  ].flatMap(({ kind, field }) =>
    objectsOf(config, NV_IPAM_GROUP, kind).flatMap(({ name, spec, origin }) => {
      const range = networkRange(String(spec[field]));
      if (!range) return [];
      const addresses = withoutRanges([range], excludedOf(spec));
      return [{ name: `${kind} \`${name}\``, addresses, place: { origin: within(origin, 'spec', field) } }];
    }),
  );
}

function rangesOfNetworks(config: Config): readonly Source[] {
  return attachmentsOf(config).flatMap((network) =>
    ipamsOf(network).flatMap(({ data, placeOf }) =>
      ipamRanges(data).map(({ key, addresses, text }) => ({
        name: `network \`${network.name}\``,
        addresses,
        place: placeOf(key),
        reservations: {
          networkName: typeof data['network_name'] === 'string' ? data['network_name'] : '',
          range: text,
          isOfAllRanges: data['enable_overlapping_ranges'] !== false,
        },
      })),
    ),
  );
}

/** Whether the two never allocate the same address, or are meant to. */
function knowsOf({ reservations: one }: Source, { reservations: other }: Source): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.networkName !== other.networkName || one.range === other.range) return true;
  return one.isOfAllRanges && other.isOfAllRanges;
}

const overlaps = (a: AddressRange, b: AddressRange) => a.bits === b.bits && a.first <= b.last && b.first <= a.last;

/** No IPAM plugin knows which addresses another one has allocated. */
export const addressesOverlap: Rule = {
  code: 'WEFT0500',
  severity: 'warning',
  title: 'two IPAMs give the same addresses to pods',
  *check(config) {
    const sources = [...poolsOf(config), ...rangesOfNetworks(config)];
    for (const [index, source] of sources.entries()) {
      const first = sources
        .slice(0, index)
        .filter((other) => !knowsOf(other, source))
        .find((other) => other.addresses.some((one) => source.addresses.some((two) => overlaps(one, two))));
      if (!first) continue;
      yield {
        ...source.place,
        message: `${source.name} and ${first.name} give the same addresses to pods`,
        help: 'give them ranges of their own, or exclude from each the addresses of the other',
        related: { origin: first.place.origin, message: 'the other is here' },
      };
    }
  },
};

/** The plugin takes such an address, and pods cannot reach it, or the exclusion has no effect. */
export const addressOutsideRange: Rule = {
  code: 'WEFT0501',
  severity: 'warning',
  title: 'an address of an IPAM lies outside of its range, or its end before its start',
  *check(config) {
    for (const network of attachmentsOf(config)) {
      for (const { data, placeOf } of ipamsOf(network)) {
        for (const { key: keyOfRange, text: range, outside, isReversed } of ipamRanges(data)) {
          if (isReversed) {
            yield {
              ...placeOf(keyOfRange),
              message: `the range of network \`${network.name}\` ends before it begins, and the plugin ignores its end`,
              help: 'exchange the two addresses',
            };
          }
          for (const { key, text } of outside) {
            yield {
              ...placeOf(key),
              message: `\`${text}\` of network \`${network.name}\` lies outside of its range \`${range}\``,
              help: 'correct the address or the range',
            };
          }
        }
      }
    }
  },
};
