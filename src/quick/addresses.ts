const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = new RegExp(`^(?:${BYTE}\\.){3}${BYTE}$`);
const IPV6_ALPHABET = /^[0-9a-fA-F:.]+$/;

export const isIpv4 = (text: string): boolean => IPV4.test(text);

/** As zod asks it (4.6, core/schemas.ts `isValidIPv6`): whether a URL may have it as its host. */
export const isIpv6 = (text: string): boolean => IPV6_ALPHABET.test(text) && URL.canParse(`http://[${text}]`);

/** An address and how many of its bits are the network's, written without leading zeros. */
export const isCidr =
  (isAddress: (text: string) => boolean, bits: number) =>
  (text: string): boolean => {
    const [address = '', length = '', ...rest] = text.split('/');
    const isLength = /^(?:0|[1-9][0-9]{0,2})$/.test(length) && Number(length) <= bits;
    return rest.length === 0 && isLength && isAddress(address);
  };
