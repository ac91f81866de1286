import * as z from 'zod';

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();
const cidrv4 = z.cidrv4();
const cidrv6 = z.cidrv6();

/** An IPv4 or IPv6 address. */
function isAddress(text: string): boolean {
  return ipv4.safeParse(text).success || ipv6.safeParse(text).success;
}

/** An address with a prefix length; host bits may be set. */
function isCidr(text: string): boolean {
  return cidrv4.safeParse(text).success || cidrv6.safeParse(text).success;
}

/** A CIDR, or `<first address>-<last address>/<prefix length>`, which whereabouts accepts. */
function isAddressRange(text: string): boolean {
  const dash = text.indexOf('-');
  return dash < 0 ? isCidr(text) : isAddress(text.slice(0, dash)) && isCidr(text.slice(dash + 1));
}

/** An address; empty text means none, as in the CNI plugins (Go's `net.IP`). */
export const address = z
  .string()
  .refine((text) => text === '' || isAddress(text), { error: 'must be an IP address such as `192.168.2.1`' });

/** An address with its prefix length. */
export const cidr = z
  .string()
  .refine(isCidr, { error: 'must be an IP address with a prefix length such as `192.168.2.1/24`' });

/** A range of addresses; empty text means none. */
export const addressRange = z.string().refine((text) => text === '' || isAddressRange(text), {
  error: 'must be a range such as `192.168.2.0/24` or `192.168.2.10-192.168.2.20/24`',
});

/** One address, or a range of them. */
export const addressOrCidr = z.string().refine((text) => isAddress(text) || isCidr(text), {
  error: 'must be an IP address or a range such as `192.168.2.0/30`',
});
