import { parseAddress, parseNetwork } from './ip-address.js';

/** Addresses from the first to the last, both included. */
export interface AddressRange {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
}

/** The addresses of a network such as `10.0.0.0/24`, or of `10.0.0.0/24` from its host part on; `undefined` for other text. */
export function networkRange(text: string): AddressRange | undefined {
  const network = parseNetwork(text);
  if (network === undefined) return undefined;
  const size = 1n << BigInt(network.bits - network.prefix);
  return { bits: network.bits, first: network.value, last: network.value + size - 1n };
}

/** The addresses between two; `undefined` if one is invalid or they are of two families. */
export function addressRange(first: string, last: string): AddressRange | undefined {
  const [from, to] = [parseAddress(first), parseAddress(last)];
  if (from === undefined || to?.bits !== from.bits || to.value < from.value) return undefined;
  return { bits: from.bits, first: from.value, last: to.value };
}

/** The parts of the first ranges that are in none of the others, sorted. */
export function withoutRanges(
  ranges: readonly AddressRange[],
  others: readonly AddressRange[],
): readonly AddressRange[] {
  const left = others.reduce<readonly AddressRange[]>((rest, other) => rest.flatMap((one) => cut(one, other)), ranges);
  return [...left].sort((a, b) => a.bits - b.bits || (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
}

function cut(range: AddressRange, other: AddressRange): readonly AddressRange[] {
  if (range.bits !== other.bits || other.last < range.first || other.first > range.last) return [range];
  return [
    ...(range.first < other.first ? [{ ...range, last: other.first - 1n }] : []),
    ...(range.last > other.last ? [{ ...range, first: other.last + 1n }] : []),
  ];
}

/** `10.0.0.1-10.0.0.9`, or one address. */
export function rangeText({ bits, first, last }: AddressRange): string {
  return first === last ? addressText(bits, first) : `${addressText(bits, first)}-${addressText(bits, last)}`;
}

function addressText(bits: 32 | 128, value: bigint): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  // The longest run of zeros is left out (RFC 5952, 4.2); the first of several.
  const text = groups.join(':');
  const runs = [...text.matchAll(/(?:^|:)(?:0(?::|$)){2,}/g)].map(([run]) => run);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === '' ? text : text.replace(longest, '::');
}
