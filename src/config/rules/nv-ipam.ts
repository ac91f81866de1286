import { ipamData } from '../../networks/cni/ipam.js';
import { isObject } from '../../lib/json.js';
import type { NetworkInstance } from '../config.js';

/** What a network tells NV-IPAM; empty text where it leaves a field to the plugin. */
interface NvIpam {
  readonly poolName: string;
  /** In lower case. */
  readonly poolType: string;
}

/** `undefined` where another plugin gives the addresses, or none. */
export function nvIpamOf({ spec }: NetworkInstance): NvIpam | undefined {
  const { ipam } = spec as { readonly ipam?: Parameters<typeof ipamData>[0] };
  const data = ipamData(ipam);
  if (!isObject(data) || data['type'] !== 'nv-ipam') return undefined;
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  return { poolName: text('poolName'), poolType: text('poolType').toLowerCase() };
}
