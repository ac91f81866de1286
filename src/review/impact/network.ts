import {
  addressRange,
  networkRange,
  rangeText,
  withoutRanges,
  type AddressRange,
} from '../../shared/lib/address-ranges.js';
import { listed } from '../../shared/lib/listed.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { listAt, textAt, valueAt } from '../../shared/lib/json.js';
import { cniParts } from '../../cluster/changes/data.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';
import { touches } from './refused.js';
import { usedText, type FindUsed } from './used-addresses.js';

type Changed = Extract<ObjectChange, { readonly kind: 'changed' }>;

/** Kinds whose settings apply when pods start; a change does not restart pods. */
const NETWORKS: ReadonlySet<string> = new Set([
  'NetworkAttachmentDefinition',
  'SriovNetwork',
  'SriovIBNetwork',
  'OVSNetwork',
]);
const POOLS: ReadonlySet<string> = new Set(['IPPool', 'CIDRPool']);

const SHOWN_RANGES = 4;

/**
 * Sentences about a changed network or IP pool; `undefined` for every other change.
 *
 * @param findUsed absent if the addresses of pods are not known
 */
export function networkNotes(change: Changed, findUsed?: FindUsed): readonly string[] | undefined {
  const { from, to, fields } = change;
  if (!touches(fields, 'spec') && !(NETWORKS.has(to.kind) && touches(fields, 'metadata.annotations'))) return undefined;
  if (NETWORKS.has(to.kind)) return [ATTACHED, ...lostRanges(from, to, findUsed)];
  if (!POOLS.has(to.kind)) return undefined;
  const blocks = ['spec.perNodeBlockSize', 'spec.perNodeNetworkPrefix'].some((field) => touches(fields, field));
  return [ALLOCATED, ...(blocks ? [NEW_BLOCKS] : []), ...lostRanges(from, to, findUsed)];
}

const ATTACHED = 'new pods get the changed network; running pods keep their interfaces until they are made anew';
const ALLOCATED = 'new pods get addresses of the changed pool; running pods keep theirs until they end';
const NEW_BLOCKS =
  'each node gets a block of another size: addresses of running pods may lie in the blocks of other nodes';

/** Addresses that pods may have and that the new side no longer allocates. */
function lostRanges(from: KubernetesObject, to: KubernetesObject, findUsed?: FindUsed): readonly string[] {
  const lost = withoutRanges(rangesOf(from), rangesOf(to));
  if (lost.length === 0) return [];
  const ranges = listed(lost.map(rangeText), SHOWN_RANGES);
  const used = findUsed?.(from, lost);
  const KEPT = 'outside of what is allocated now';
  if (used === undefined) {
    return [`no longer given out: ${ranges}; pods that run with such an address keep it, ${KEPT}`];
  }
  if (used.length === 0) return [`no longer given out: ${ranges}; no running pod has such an address`];
  return [`no longer given out: ${ranges}`, `in use: ${usedText(used)}; these pods keep their addresses, ${KEPT}`];
}

/**
 * A sentence about the addresses in use of a removed network or IP pool; empty if there are none or they are not known.
 */
export function removedNotes(from: KubernetesObject, findUsed: FindUsed | undefined): readonly string[] {
  if (!NETWORKS.has(from.kind) && !POOLS.has(from.kind)) return [];
  const used = findUsed?.(from, rangesOf(from)) ?? [];
  return used.length === 0 ? [] : [`in use: ${usedText(used)}; these pods keep their addresses until they end`];
}

function rangesOf(object: KubernetesObject): readonly AddressRange[] {
  switch (object.kind) {
    case 'IPPool':
      return withoutRanges(present(networkRange(textAt(object, 'spec', 'subnet') ?? '')), exclusionsOf(object));
    case 'CIDRPool':
      return withoutRanges(present(networkRange(textAt(object, 'spec', 'cidr') ?? '')), exclusionsOf(object));
    default:
      return configRanges(textAt(object, 'spec', 'config') ?? '');
  }
}

function exclusionsOf(pool: KubernetesObject): readonly AddressRange[] {
  return listAt(pool, 'spec', 'exclusions').flatMap((one) =>
    present(addressRange(textAt(one, 'startIP') ?? '', textAt(one, 'endIP') ?? '')),
  );
}

function present(range: AddressRange | undefined): readonly AddressRange[] {
  return range === undefined ? [] : [range];
}

/** The addresses that the IPAM plugins of a CNI configuration allocate: `whereabouts` and `host-local`. */
function configRanges(config: string): readonly AddressRange[] {
  return cniParts(config).flatMap((plugin) => {
    const ipam = valueAt(plugin, ['ipam']);
    const sets = listAt(ipam, 'ranges').flatMap((set) => (Array.isArray(set) ? (set as readonly unknown[]) : [set]));
    return [ipam, ...listAt(ipam, 'ipRanges'), ...sets].flatMap(ipamRanges);
  });
}

/** One range: `range` with `range_start` and `range_end` (whereabouts), `subnet` with `rangeStart` and `rangeEnd` (host-local). */
function ipamRanges(ipam: unknown): readonly AddressRange[] {
  const network = networkRange(textAt(ipam, 'range') ?? textAt(ipam, 'subnet') ?? '');
  if (network === undefined) return [];
  const first = textAt(ipam, 'range_start') ?? textAt(ipam, 'rangeStart');
  const last = textAt(ipam, 'range_end') ?? textAt(ipam, 'rangeEnd');
  const start = first === undefined ? network.first : (addressRange(first, first)?.first ?? network.first);
  const end = last === undefined ? network.last : (addressRange(last, last)?.last ?? network.last);
  const excluded = listAt(ipam, 'exclude').flatMap((one) => present(networkRange(typeof one === 'string' ? one : '')));
  return withoutRanges([{ ...network, first: start, last: end }], excluded);
}
