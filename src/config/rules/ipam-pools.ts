import { within, type Config, type Finding, type NetworkInstance, type Origin, type Rule } from '../config.js';
import { nvIpamOf } from './nv-ipam.js';

const KINDS: Readonly<Record<string, string>> = { ippool: 'IPPool', cidrpool: 'CIDRPool' };
const GROUP = 'nv-ipam.nvidia.com';

/** A pool that is nowhere leaves the pods of its network waiting for an address. */
export const ipamPoolDefined: Rule = {
  code: 'WEFT0263',
  needsAllDocuments: true,
  *check(config) {
    for (const network of config.networks) yield* missingPools(network, config);
  },
};

function* missingPools(network: NetworkInstance, config: Config): Iterable<Finding> {
  const ipam = nvIpamOf(network);
  if (!ipam) return;
  const kind = KINDS[ipam.poolType] ?? 'IPPool';
  // Without a name the plugin takes the network's (nvidia-k8s-ipam, pkg/cni/plugin/plugin.go).
  const names = ipam.poolName === '' ? [network.name] : ipam.poolName.split(',').map((name) => name.trim());
  for (const name of names) {
    const namespaces = namespacesOf(kind, name, config);
    if (namespaces.includes(config.cluster.namespace)) continue;
    const [elsewhere] = namespaces;
    yield {
      origin: placeOf(network),
      message: `network \`${network.name}\` takes addresses from ${kind} \`${name}\`, which no document defines`,
      help:
        elsewhere === undefined
          ? `add a document \`kind: ${kind}\` of that name; it may live elsewhere in the cluster`
          : `move the one in namespace \`${elsewhere}\` to \`${config.cluster.namespace}\`: NV-IPAM sees no other`,
    };
  }
}

function namespacesOf(kind: string, name: string, { passthrough }: Config): readonly string[] {
  return passthrough.flatMap(({ object }) => {
    const { apiVersion, kind: found, metadata } = object;
    const meta = metadata as { readonly name: string; readonly namespace: string };
    const isMeant = found === kind && String(apiVersion).startsWith(`${GROUP}/`) && meta.name === name;
    return isMeant ? [meta.namespace] : [];
  });
}

/** The name of the pool where it is written in a field of its own. */
function placeOf({ spec, origin }: NetworkInstance): Origin {
  const { ipam } = spec as { readonly ipam: unknown };
  const isField = typeof ipam === 'object' && ipam !== null && 'poolName' in ipam;
  return within(origin, 'spec', 'ipam', ...(isField ? ['poolName'] : []));
}
