import type { Ipam } from './attachment-ipams.js';

/** The fields of NV-IPAM in a network; empty text when the plugin chooses the value. */
interface NvIpam {
  readonly poolName: string;
  /** In lower case. */
  readonly poolType: string;
}

/** `undefined` if another plugin allocates the addresses. */
export function nvIpamOf({ data }: Ipam): NvIpam | undefined {
  if (data['type'] !== 'nv-ipam') return undefined;
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  return { poolName: text('poolName'), poolType: text('poolType').toLowerCase() };
}
