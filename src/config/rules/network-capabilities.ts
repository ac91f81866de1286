import { allComponents } from '../../components/registry.js';
import type { AnyNetworkKind } from '../../networks/network.js';
import { networkKinds } from '../../networks/registry.js';
import type { Capability } from '../capability.js';
import { within, type Cluster, type Config, type NetworkInstance, type Rule } from '../config.js';
import { nvIpamOf } from './nv-ipam.js';

const NAMES: Readonly<Record<Capability, string>> = {
  multus: 'Multus',
  'cni-plugins': 'the standard CNI plugins',
  ipoib: 'the IPoIB CNI plugin',
  'nv-ipam': 'NV-IPAM',
};

/** What a platform brings (openshift/cluster-network-operator, bindata/network/multus). */
function ofPlatform({ isOpenshift }: Cluster): readonly Capability[] {
  return isOpenshift ? ['multus', 'cni-plugins'] : [];
}

function needs(network: NetworkInstance): readonly Capability[] {
  const kinds: readonly AnyNetworkKind[] = networkKinds;
  const required = kinds.find(({ kind }) => kind === network.kind)?.requires ?? [];
  return nvIpamOf(network) ? [...required, 'nv-ipam'] : required;
}

function isProvided(capability: Capability, { cluster, instances }: Config): boolean {
  return (
    ofPlatform(cluster).includes(capability) ||
    allComponents.some(({ id, provides }) => provides?.includes(capability) && (instances.get(id) ?? []).length > 0)
  );
}

/** A network without its programs on the nodes keeps pods from starting. Said once, however many networks there are. */
export const networkCapabilities: Rule = {
  code: 'WEFT0265',
  needsAllDocuments: true,
  *check(config) {
    for (const capability of Object.keys(NAMES) as Capability[]) {
      const networks = config.networks.filter((network) => needs(network).includes(capability));
      const [first] = networks;
      if (!first || isProvided(capability, config)) continue;
      const section = allComponents.find(({ provides }) => provides?.includes(capability))?.source.path.join('.') ?? '';
      const many = networks.length === 1 ? `network \`${first.name}\` needs` : `${networks.length} networks need`;
      yield {
        origin: within(first.origin, 'metadata', 'name'),
        message: `${many} ${NAMES[capability]}, which the input does not install`,
        help: `add \`${section}\` to the NicClusterPolicy; it may live elsewhere in the cluster`,
      };
    }
  },
};
