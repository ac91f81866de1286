/** An IP address as a number. */
interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A network: its first address and the length of its prefix. */
export interface IpNetwork extends IpAddress {
  readonly prefix: number;
  /** Whether the address that was given is not the first one. */
  readonly hasHostBits: boolean;
}

/** An IPv4 or IPv6 address as Go's `net.ParseIP` reads it; an IPv4 address written as IPv6 is an IPv4 address. */
export function parseAddress(text: string): IpAddress | undefined {
  const parsed = parseAnyAddress(text);
  const isMapped = parsed?.bits === 128 && parsed.value >> 32n === 0xffffn;
  return isMapped ? { bits: 32, value: parsed.value & 0xffffffffn } : parsed;
}

/** An address with the length of a prefix, as Go's `net.ParseCIDR` reads it. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const parsed = parseAnyAddress(address);
  const prefix = Number(length);
  if (!parsed || prefix > parsed.bits) return undefined;
  const hostBits = BigInt(parsed.bits - prefix);
  const value = (parsed.value >> hostBits) << hostBits;
  return { bits: parsed.bits, value, prefix, hasHostBits: value !== parsed.value };
}

/** Whether a network contains an address, or a whole network. */
export function isInNetwork(network: IpNetwork, inner: IpAddress & { readonly prefix?: number }): boolean {
  const hostBits = BigInt(network.bits - network.prefix);
  return (
    network.bits === inner.bits &&
    network.prefix <= (inner.prefix ?? inner.bits) &&
    network.value >> hostBits === inner.value >> hostBits
  );
}

/** How many addresses a network has. */
export function addressCount({ bits, prefix }: IpNetwork): bigint {
  return 1n << BigInt(bits - prefix);
}

function parseAnyAddress(text: string): IpAddress | undefined {
  const value = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  return value === undefined ? undefined : { bits: text.includes(':') ? 128 : 32, value };
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  const isAddress =
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isAddress ? parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) : undefined;
}

function parseIpv6(text: string): bigint | undefined {
  const sides = text.split('::').map(groupsOf);
  const [left = [], right] = sides;
  const groups = [...left, ...(right ?? [])];
  const missing = 8 - groups.length;
  const isComplete = sides.length === 2 ? missing > 0 : sides.length === 1 && missing === 0;
  if (!isComplete || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...(right ?? [])];
  return all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** The groups of a part of an IPv6 address; its end may be written as IPv4. */
function groupsOf(part: string): readonly string[] {
  if (part === '') return [];
  const groups = part.split(':');
  const last = parseIpv4(groups.at(-1) ?? '');
  if (last === undefined) return groups;
  return [...groups.slice(0, -1), (last >> 16n).toString(16), (last & 0xffffn).toString(16)];
}
