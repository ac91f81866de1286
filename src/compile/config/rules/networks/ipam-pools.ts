import type { Config, Violation, Rule } from '../../../model/config.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { ipamsOf, type Ipam } from './attachment-ipams.js';
import { attachmentsOf } from './attachments.js';
import { nvIpamOf } from './nv-ipam.js';

const KINDS: Readonly<Record<string, string>> = { ippool: 'IPPool', cidrpool: 'CIDRPool' };
const GROUP = 'nv-ipam.nvidia.com';

/** If an IP pool does not exist, the pods of its network get no address. */
export const ipamPoolDefined: Rule = {
  code: 'WEFT0263',
  severity: 'warning',
  title: 'an IPAM names a pool that no document defines',
  needsAllDocuments: true,
  *check(config) {
    const namespaces = namespacesOfPools(config);
    for (const network of attachmentsOf(config)) {
      for (const ipam of ipamsOf(network)) yield* missingPools(network.name, ipam, config, namespaces);
    }
  },
};

function* missingPools(
  network: string,
  given: Ipam,
  config: Config,
  namespacesOf: ReadonlyMap<string, readonly string[]>,
): Iterable<Violation> {
  const ipam = nvIpamOf(given);
  if (!ipam) return;
  const kind = KINDS[ipam.poolType] ?? 'IPPool';
  // Without a name the plugin uses the network's name (nvidia-k8s-ipam v0.4.0, pkg/cni/types/types.go).
  const names = ipam.poolName === '' ? [given.networkName] : ipam.poolName.split(',');
  for (const name of names) {
    const namespaces = namespacesOf.get(`${kind} ${name}`) ?? [];
    if (namespaces.includes(config.cluster.namespace)) continue;
    const [elsewhere] = namespaces;
    yield {
      ...given.placeOf('poolName'),
      message: `network \`${network}\` takes addresses from ${kind} \`${name}\`, which no document defines`,
      help:
        elsewhere === undefined
          ? (otherKind(name, kind, namespacesOf) ??
            didYouMean(name, namesOf(kind, namespacesOf)) ??
            `add a document \`kind: ${kind}\` of that name; it may live elsewhere in the cluster`)
          : `move the one in namespace \`${elsewhere}\` to \`${config.cluster.namespace}\`: NV-IPAM sees no other`,
    };
  }
}

/** What to write for a pool of the other kind, which has this name. */
function otherKind(
  name: string,
  kind: string,
  namespacesOf: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const other = Object.entries(KINDS).find(([, one]) => one !== kind && namespacesOf.has(`${one} ${name}`));
  return other && `the ${other[1]} of that name needs \`poolType: ${other[0]}\` beside \`poolName\``;
}

function namesOf(kind: string, namespacesOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const before = `${kind} `;
  return [...namespacesOf.keys()].flatMap((key) => (key.startsWith(before) ? [key.slice(before.length)] : []));
}

/** The namespaces of the IP pools by kind and name. */
function namespacesOfPools({ passthrough }: Config): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { object } of passthrough) {
    const { apiVersion, kind, metadata } = object;
    if (!String(apiVersion).startsWith(`${GROUP}/`)) continue;
    const { name, namespace } = metadata as { readonly name: string; readonly namespace: string };
    const key = `${String(kind)} ${name}`;
    found.set(key, [...(found.get(key) ?? []), namespace]);
  }
  return found;
}
