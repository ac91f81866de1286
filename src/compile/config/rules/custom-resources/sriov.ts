import { virtualFunctionsOf } from '../../../addons/all.js';
import { didYouMean } from '../../../../shared/diagnostics/suggest.js';
import { groupBy } from '../../../../shared/lib/group-by.js';
import { hasEntries } from '../../../../shared/lib/has-entries.js';
import { isObject, textAt } from '../../../../shared/lib/json.js';
import { fromStructured, matchesSelector } from '../../../../shared/kubernetes/selection/label-selector.js';
import { within, type Config, type Rule, type Violation } from '../../../model/config.js';
import { allOffers, bareName, type Offer } from '../networks/offered.js';
import { SRIOV_GROUP } from '../../../../shared/contract/labels.js';
import { NV_IPAM_GROUP, objectsOf, type InputObject } from '../../../model/input-objects.js';

const policiesOf = (config: Config) => objectsOf(config, SRIOV_GROUP, 'SriovNetworkNodePolicy');
const resourceOf = ({ spec: { resourceName } }: InputObject): string =>
  typeof resourceName === 'string' ? resourceName : '';

/** The operator adds its prefix to the resource of a network, and only policies create resources. */
export const sriovResourceMade: Rule = {
  code: 'WEFT0502',
  severity: 'warning',
  title: 'no SriovNetworkNodePolicy makes the resource of a network',
  needsAllDocuments: true,
  *check(config) {
    const policiesOfResource = groupBy(policiesOf(config), resourceOf);
    const names = [...policiesOfResource.keys()];
    const networks = ['SriovNetwork', 'SriovIBNetwork', 'OVSNetwork'].flatMap((kind) =>
      objectsOf(config, SRIOV_GROUP, kind).map((network) => ({ kind, network })),
    );
    for (const { kind, network } of networks) {
      const resource = resourceOf(network);
      if (names.includes(resource)) yield* ofOtherLink(kind, network, policiesOfResource.get(resource) ?? []);
      if (resource === '' || names.includes(resource)) continue;
      yield {
        origin: within(network.origin, 'spec', 'resourceName'),
        message: `${kind} \`${network.name}\` uses resource \`${resource}\`, which no SriovNetworkNodePolicy of the input makes`,
        help:
          didYouMean(resource, names) ?? 'add a SriovNetworkNodePolicy with it; it may live elsewhere in the cluster',
      };
    }
  },
};

/** The links of a kind of network, as `linkType` names them in lower case. A bridge of Open vSwitch has Ethernet. */
const linkOf = (kind: string): string => (kind === 'SriovIBNetwork' ? 'ib' : 'eth');
const LINK_NAMES: Readonly<Record<string, string>> = { ib: 'InfiniBand', eth: 'Ethernet' };

/** A policy without `linkType` takes NICs of both. */
function* ofOtherLink(kind: string, network: InputObject, policies: readonly InputObject[]): Iterable<Violation> {
  const linkTypes = policies.map(({ spec }) => textAt(spec, 'linkType') ?? '');
  const links = linkTypes.map((text) => text.toLowerCase());
  const [link = ''] = links;
  if (links.some((one) => one === linkOf(kind) || one !== link) || LINK_NAMES[link] === undefined) return;
  yield {
    origin: within(network.origin, 'spec', 'resourceName'),
    message: `${kind} \`${network.name}\` is for ${LINK_NAMES[linkOf(kind)] ?? ''}, and the virtual functions of its resource \`${resourceOf(network)}\` are ${LINK_NAMES[link]}`,
    help: `use the other kind of network, or correct \`linkType: ${linkTypes[0] ?? ''}\` of SriovNetworkNodePolicy \`${policies[0]?.name ?? ''}\``,
  };
}

/** If the pool of a rail does not exist, its pods get no address. */
export const railPoolDefined: Rule = {
  code: 'WEFT0503',
  severity: 'warning',
  title: 'a rail names a pool that no document defines',
  needsAllDocuments: true,
  *check(config) {
    const names = objectsOf(config, NV_IPAM_GROUP, 'CIDRPool').map(({ name }) => name);
    for (const { name, spec, origin } of objectsOf(config, 'spectrumx.nvidia.com', 'SpectrumXRailPoolConfig')) {
      const rails = Array.isArray(spec['railTopology']) ? (spec['railTopology'] as readonly unknown[]) : [];
      for (const [index, rail] of rails.entries()) {
        const pool = isObject(rail) ? rail['cidrPoolRef'] : undefined;
        if (typeof pool !== 'string' || pool === '' || names.includes(pool)) continue;
        yield {
          origin: within(origin, 'spec', 'railTopology', index, 'cidrPoolRef'),
          message: `SpectrumXRailPoolConfig \`${name}\` names CIDRPool \`${pool}\`, which no document defines`,
          help:
            didYouMean(pool, names) ??
            'add a document `kind: CIDRPool` of that name; it may live elsewhere in the cluster',
        };
      }
    }
  },
};

/** Where the operator reads its objects; `undefined` if it is deployed elsewhere, in a namespace that is not known. */
function sriovNamespace(config: Config): string | undefined {
  return virtualFunctionsOf(config) === undefined ? undefined : config.cluster.namespace;
}

/**
 * The operator reads them in its own namespace alone (sriov-network-operator 249e2001, main.go `DefaultNamespaces`), and no policy `default`
 * (controllers/sriovnetworknodepolicy_controller.go, `syncSriovNetworkNodeState`).
 */
export const sriovObjectsRead: Rule = {
  code: 'WEFT0535',
  severity: 'warning',
  title: 'the SR-IOV operator does not read an object',
  *check(config) {
    for (const { name, origin } of policiesOf(config)) {
      if (name !== 'default') continue;
      yield {
        origin: within(origin, 'metadata', 'name'),
        message: 'SriovNetworkNodePolicy `default` has no effect: the SR-IOV operator ignores a policy of that name',
        help: 'give it another name',
      };
    }
    const readIn = sriovNamespace(config);
    if (readIn === undefined) return;
    for (const kind of ['SriovNetworkNodePolicy', 'SriovNetworkPoolConfig', 'SriovOperatorConfig']) {
      for (const { name, namespace, origin } of objectsOf(config, SRIOV_GROUP, kind)) {
        if (namespace === readIn) continue;
        yield {
          origin: within(origin, 'metadata', 'namespace'),
          message: `${kind} \`${name}\` has no effect: the SR-IOV operator reads those in \`${readIn}\` alone`,
          help: `remove \`metadata.namespace\`: without it the object is in \`${readIn}\``,
        };
      }
    }
  },
};

/**
 * The operator drains no node that two of them select: one without a selector selects all nodes, and one for the offload of Open
 * vSwitch is no pool (sriov-network-operator 249e2001, controllers/drain_controller_helper.go, findNodePoolConfig).
 */
export const sriovPoolOnce: Rule = {
  code: 'WEFT0504',
  severity: 'error',
  title: 'a node pool is in two SriovNetworkPoolConfigs',
  *check(config) {
    const readIn = sriovNamespace(config);
    const pools = objectsOf(config, SRIOV_GROUP, 'SriovNetworkPoolConfig').flatMap((one) => {
      const { nodeSelector = {}, ovsHardwareOffloadConfig: offload } = one.spec;
      if (readIn !== undefined && one.namespace !== readIn) return [];
      const isOfOffload = isObject(offload) && typeof offload['name'] === 'string' && offload['name'] !== '';
      return isObject(nodeSelector) && !isOfOffload ? [{ ...one, selector: fromStructured(nodeSelector) }] : [];
    });
    /** The number of the first that selects a node pool, by namespace and the number of the node pool. */
    const firsts = new Map<string, number>();
    for (const [index, pool] of pools.entries()) {
      const selected = config.cluster.pools.flatMap(({ labels, name }, at) =>
        matchesSelector(pool.selector, labels) ? [{ name, key: `${pool.namespace} ${at}` }] : [],
      );
      const known = selected.flatMap(({ name, key }) => {
        const number = firsts.get(key);
        return number === undefined ? [] : [{ name, number }];
      });
      for (const { key } of selected) if (!firsts.has(key)) firsts.set(key, index);
      const [both] = known.sort((a, b) => a.number - b.number);
      const first = pools[both?.number ?? -1];
      if (both === undefined || first === undefined) continue;
      yield {
        origin: within(pool.origin, 'spec', 'nodeSelector'),
        message: `SriovNetworkPoolConfigs \`${first.name}\` and \`${pool.name}\` both select the nodes of pool \`${both.name}\``,
        help: 'let each node belong to one of them: narrow one of the selectors',
        related: { origin: within(first.origin, 'spec', 'nodeSelector'), message: 'the first is here' },
      };
    }
  },
};

/** The webhook accepts it, and the operator drains so many nodes at a time (sriov-network-operator 249e2001, api/v1/helper.go `MaxUnavailable`). */
export const sriovPoolNeverDrained: Rule = {
  code: 'WEFT0537',
  severity: 'warning',
  title: 'a SriovNetworkPoolConfig lets no node be drained',
  *check(config) {
    for (const { name, spec, origin } of objectsOf(config, SRIOV_GROUP, 'SriovNetworkPoolConfig'))
      if (spec['maxUnavailable'] === 0)
        yield {
          origin: within(origin, 'spec', 'maxUnavailable'),
          message: `SriovNetworkPoolConfig \`${name}\` has \`maxUnavailable: 0\`, so none of its nodes is ever drained`,
          label: 'what needs a drain is applied to none of them',
          help: 'write 1 or more, or a share of the nodes',
        };
  },
};

/**
 * The kubelet takes each resource from one plugin. If the operator is deployed elsewhere, its prefix is not known, and
 * any prefix counts.
 */
export const sriovResourceTwice: Rule = {
  code: 'WEFT0505',
  severity: 'warning',
  title: 'a resource is made by a SriovNetworkNodePolicy and by a device plugin',
  *check(config) {
    const { offers } = allOffers(config);
    const prefix = virtualFunctionsOf(config)?.resourcePrefix;
    const isSame = ({ name }: Offer, resource: string) =>
      prefix === undefined ? bareName(name) === resource : name === `${prefix}/${resource}`;
    for (const policy of policiesOf(config)) {
      const offer = offers.find((one) => isSame(one, resourceOf(policy)) && meets(policy, one));
      if (!offer) continue;
      yield {
        origin: within(policy.origin, 'spec', 'resourceName'),
        message: `\`${resourceOf(policy)}\` is a resource of SriovNetworkNodePolicy \`${policy.name}\` and of a device plugin, \`${offer.name}\``,
        label: 'on a node that has both, pods get devices of one of them only',
        help: 'give one of them another name, or another prefix, or keep them on different nodes',
        related: { origin: offer.origin, message: 'the other is here' },
      };
    }
  },
};

/**
 * Whether a pool of the plugin's nodes is selected by the policy; labels that the input does not declare count as
 * missing.
 */
function meets({ spec }: InputObject, { instance }: Offer): boolean {
  const selector = isObject(spec['nodeSelector']) ? spec['nodeSelector'] : {};
  return instance.pools.some(({ labels }) => hasEntries(labels, selector));
}
