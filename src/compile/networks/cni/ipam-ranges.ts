import { type AddressRange, addressRange, networkRange, withoutRanges } from '../../../shared/lib/address-ranges.js';
import { isObject } from '../../../shared/lib/json.js';

/** A range of an IPAM that keeps addresses for the whole cluster. */
interface IpamRange {
  /** The key of the IPAM that it is in. */
  readonly key: string;
  /** As it is written. */
  readonly text: string;
  /** Its network. */
  readonly network: AddressRange;
  /** The addresses that pods may get. */
  readonly addresses: readonly AddressRange[];
  /** Addresses of the range that lie outside of its network: their keys, and what is written. */
  readonly outside: readonly { readonly key: string; readonly text: string }[];
  /** Whether its end is before its start: whereabouts then ignores the end. */
  readonly isReversed: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const textAt = (fields: Fields, key: string): string => (typeof fields[key] === 'string' ? fields[key] : '');

/**
 * The ranges of an IPAM with `type: whereabouts` (whereabouts v0.9.4, pkg/config/config.go): `range` and each entry of `ipRanges`.
 * None for other plugins, and none for what cannot be read.
 */
export function ipamRanges(data: Fields): readonly IpamRange[] {
  if (data['type'] !== 'whereabouts') return [];
  const further = Array.isArray(data['ipRanges']) ? (data['ipRanges'] as readonly unknown[]).filter(isObject) : [];
  return [...rangeOf(data, 'range'), ...further.flatMap((entry) => rangeOf(entry, 'ipRanges'))];
}

/** `10.0.0.0/24`, or `10.0.0.10-10.0.0.20/24`: the network is that of the second address. */
function rangeOf(fields: Fields, key: string): readonly IpamRange[] {
  const text = textAt(fields, 'range');
  const [, first = '', rest = text] = /^([^-]*)-(.*)$/.exec(text) ?? [];
  const network = networkRange(rest);
  if (!network) return [];
  const outside = outsideOf(fields, network).map((one) => ({ ...one, key: key === 'range' ? one.key : key }));
  const end = rest.replace(/\/.*/, '');
  const isReversed =
    isBefore(end, first) || isBefore(textAt(fields, 'range_end'), textAt(fields, 'range_start') || first);
  const whole = first === '' ? network : (addressRange(first, end) ?? network);
  return [{ key, text, network, addresses: handedOut(fields, whole), outside, isReversed }];
}

/** Whether both are addresses of one family, and the first is lower. */
function isBefore(text: string, other: string): boolean {
  const [address, from] = [one(text), one(other)];
  return address !== undefined && address.bits === from?.bits && address.first < from.first;
}

const one = (address: string): AddressRange | undefined => addressRange(address, address);

function excluded(fields: Fields): readonly string[] {
  const { exclude } = fields;
  return Array.isArray(exclude) ? exclude.filter((entry): entry is string => typeof entry === 'string') : [];
}

function handedOut(fields: Fields, whole: AddressRange): readonly AddressRange[] {
  const start = one(textAt(fields, 'range_start'))?.first ?? whole.first;
  const end = one(textAt(fields, 'range_end'))?.last ?? whole.last;
  const left = excluded(fields).flatMap((entry) => networkRange(entry) ?? one(entry) ?? []);
  const last = start <= end ? end : whole.last;
  return start <= last ? withoutRanges([{ ...whole, first: start, last }], left) : [];
}

function outsideOf(fields: Fields, network: AddressRange): IpamRange['outside'] {
  const isOutside = (range: AddressRange | undefined) =>
    range !== undefined && (range.bits !== network.bits || range.first < network.first || range.last > network.last);
  const single = ['range_start', 'range_end', 'gateway'].map((key) => ({ key, text: textAt(fields, key) }));
  return [
    ...single.filter(({ text }) => isOutside(one(text))),
    ...excluded(fields)
      .filter((text) => isOutside(networkRange(text) ?? one(text)))
      .map((text) => ({ key: 'exclude', text })),
  ];
}
