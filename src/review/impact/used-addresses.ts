import { namespacedName } from '../../shared/kubernetes/identity.js';
import { listAt, parsedJson, textAt } from '../../shared/lib/json.js';
import type { AddressRange } from '../../shared/lib/address-ranges.js';
import { parseAddress } from '../../shared/lib/ip-address.js';
import { listed } from '../../shared/lib/listed.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { textsAt } from '../../cluster/changes/data.js';
import type { FindReferrers } from './references.js';

/** An address of a secondary interface that a running pod has. */
export interface UsedAddress {
  readonly text: string;
  readonly bits: 32 | 128;
  readonly value: bigint;
  /** `namespace/name` of the NetworkAttachmentDefinition. */
  readonly network: string;
  /** `namespace/name`. */
  readonly pod: string;
}

/** Finds the addresses in some ranges that pods have from a network, or from the networks of an IP pool. */
export type FindUsed = (object: KubernetesObject, ranges: readonly AddressRange[]) => readonly UsedAddress[];

/** The annotation in which Multus writes the interfaces of a pod, for any IPAM plugin (multi-net-spec v1.3, 3.4). */
const STATUS_ANNOTATION = 'k8s.v1.cni.cncf.io/network-status';

const SHOWN = 3;

/** The addresses of a pod on the networks that it names; those of the cluster's own network are left out. */
export function addressesOfPod(pod: unknown): readonly UsedAddress[] {
  const text = textsAt(pod, 'metadata', 'annotations').get(STATUS_ANNOTATION);
  if (text === undefined) return [];
  const name = `${textAt(pod, 'metadata', 'namespace') ?? ''}/${textAt(pod, 'metadata', 'name') ?? ''}`;
  return statusesIn(text).flatMap((status) => {
    const network = textAt(status, 'name');
    if (network?.includes('/') !== true) return [];
    return listAt(status, 'ips').flatMap((ip) => {
      const address = typeof ip === 'string' ? parseAddress(ip) : undefined;
      return address === undefined ? [] : [{ ...address, text: String(ip), network, pod: name }];
    });
  });
}

function statusesIn(text: string): readonly unknown[] {
  const parsed = parsedJson(text);
  return Array.isArray(parsed) ? (parsed as readonly unknown[]) : [];
}

/**
 * Looks up addresses in use. Addresses of an IP pool are on networks that refer to it, and may be on networks that are
 * not in the output, because their IPAM is not known.
 */
export function findUsed(
  used: readonly UsedAddress[],
  objects: readonly KubernetesObject[],
  findReferrers: FindReferrers,
): FindUsed {
  const known = new Set(objects.filter(({ kind }) => kind === NETWORK).map(namespacedName));
  return (object, ranges) => {
    const referrers = new Set(findReferrers(object).map(({ namespace, name }) => `${namespace}/${name}`));
    const isOn = (network: string) =>
      object.kind === NETWORK ? network === namespacedName(object) : referrers.has(network) || !known.has(network);
    return used.filter(({ network, ...address }) => ranges.some((range) => contains(range, address)) && isOn(network));
  };
}

const NETWORK = 'NetworkAttachmentDefinition';

function contains(range: AddressRange, { bits, value }: Pick<UsedAddress, 'bits' | 'value'>): boolean {
  return range.bits === bits && range.first <= value && value <= range.last;
}

/** `10.0.0.9 (pod a/b), 10.0.0.10 (pod a/c) and 2 more`, sorted by address. */
export function usedText(used: readonly UsedAddress[]): string {
  const sorted = [...used].sort((a, b) => a.bits - b.bits || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
  return listed(
    sorted.map(({ text, pod }) => `${text} (pod ${pod})`),
    SHOWN,
  );
}
