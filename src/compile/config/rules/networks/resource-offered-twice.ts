import { groupBy } from '../../../../shared/lib/group-by.js';
import { hasEntries } from '../../../../shared/lib/has-entries.js';
import type { Config, Violation, Instance, NodePool, Rule } from '../../../model/config.js';
import { allOffers, bareName, type Offer } from './offered.js';

/**
 * Whether, by their selectors, every node of one is a node of the other. False if an affinity may separate them, or if
 * the two selectors differ.
 */
function mustMeet(a: Instance, b: Instance): boolean {
  if (a.owner.label === b.owner.label) return true;
  const hasAffinity = ({ affinity }: Instance) =>
    affinity?.requiredDuringSchedulingIgnoredDuringExecution !== undefined;
  if (hasAffinity(a) || hasAffinity(b)) return false;
  const isWithin = (one: Instance, other: Instance) => hasEntries(one.nodeSelector, other.nodeSelector);
  return isWithin(a, b) || isWithin(b, a);
}

/** The nodes of both; `undefined` if no node has both. Other rules check policies that conflict in one section. */
function clash(a: Offer, b: Offer, pools: readonly NodePool[]): { readonly pool?: NodePool } | undefined {
  if (a.instance === b.instance) return a.name === b.name || a.hasUniqueBareNames ? {} : undefined;
  if (a.name !== b.name) return undefined;
  if (a.componentId === b.componentId) return undefined;
  if (pools.length === 0) return mustMeet(a.instance, b.instance) ? {} : undefined;
  const pool = a.instance.pools.find((one) => b.instance.pools.includes(one));
  return pool && { pool };
}

/**
 * Both device plugins fail on a duplicate name in their list, the RDMA plugin without regard to prefixes, and the kubelet takes
 * each resource from one plugin.
 */
export const resourceOfferedTwice: Rule = {
  code: 'WEFT0260',
  severity: 'error',
  title: 'a resource is offered twice on one node',
  checks: [
    {
      program: 'RDMA shared device plugin',
      source: 'k8s-rdma-shared-dev-plugin 410b0f3, pkg/resources/resources_manager.go `ValidateConfigs`',
      what: 'names are unique without their prefixes',
    },
    {
      program: 'SR-IOV network device plugin',
      source: 'sriov-network-device-plugin v3.9.0, cmd/sriovdp/manager.go `validConfigs`',
      what: 'names are unique with their prefixes',
    },
  ],
  *check(config) {
    const { offers } = allOffers(config);
    for (const sameName of groupBy(offers, ({ name }) => bareName(name)).values()) {
      for (const [index, offer] of sameName.entries()) yield* firstClash(offer, sameName.slice(0, index), config);
    }
  },
};

function* firstClash(offer: Offer, before: readonly Offer[], { cluster }: Config): Iterable<Violation> {
  for (const first of before) {
    const where = clash(first, offer, cluster.pools);
    if (!where) continue;
    if (first.name !== offer.name) {
      yield {
        origin: offer.origin,
        message: `resources \`${first.name}\` and \`${offer.name}\` have the same name without their prefixes, with which the device plugin ends`,
        help: 'give one of the two another `resourceName`',
        related: { origin: first.origin, message: 'the other is here' },
      };
      return;
    }
    const nodes = where.pool ? `the nodes of pool \`${where.pool.name}\`` : 'the same nodes';
    yield {
      origin: offer.origin,
      message: `resource \`${offer.name}\` is offered twice on ${nodes}`,
      help: 'give one of the two another `resourceName` or another `resourcePrefix`',
      related: { origin: first.origin, message: 'it is offered here too' },
    };
    return;
  }
}
