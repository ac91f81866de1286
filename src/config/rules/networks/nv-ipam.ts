import type { Ipam } from './attachment-ipams.js';

/** What a network tells NV-IPAM; empty text where it leaves a field to the plugin. */
interface NvIpam {
  readonly poolName: string;
  /** In lower case. */
  readonly poolType: string;
}

/** `undefined` where another plugin gives the addresses. */
export function nvIpamOf({ data }: Ipam): NvIpam | undefined {
  if (data['type'] !== 'nv-ipam') return undefined;
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  return { poolName: text('poolName'), poolType: text('poolType').toLowerCase() };
}
