import { addressCount, parseNetwork } from '../../../../shared/lib/ip-address.js';
import { counted } from '../../../../shared/lib/listed.js';
import type { PlacementNode } from '../../../../shared/kubernetes/selection/node-placement.js';
import { within, type Config, type Rule, type Violation } from '../../../model/config.js';
import { poolNode } from '../../../model/pool-node.js';
import { NV_IPAM_GROUP, objectsOf } from '../../../model/input-objects.js';
import { placementOf } from './selected-pools.js';

/** How many nodes can have a block. */
interface Kind {
  readonly kind: string;
  readonly field: string;
  readonly sizeField: string;
  readonly blocksOf: (spec: Readonly<Record<string, unknown>>) => bigint | undefined;
}

const KINDS: readonly Kind[] = [
  { kind: 'IPPool', field: 'subnet', sizeField: 'perNodeBlockSize', blocksOf: blocksOfSubnet },
  { kind: 'CIDRPool', field: 'cidr', sizeField: 'perNodeNetworkPrefix', blocksOf: networksOfCidr },
];

/** The first address and, of IPv4, the last one are in no block. */
function blocksOfSubnet({ subnet, perNodeBlockSize: size }: Readonly<Record<string, unknown>>): bigint | undefined {
  const network = parseNetwork(String(subnet));
  if (!network || typeof size !== 'number' || !Number.isInteger(size) || size < 1) return undefined;
  // Networks of one and two addresses are used as they are.
  const unused = network.bits - network.prefix < 2 ? 0n : network.bits === 32 ? 2n : 1n;
  return (addressCount(network) - unused) / BigInt(size);
}

function networksOfCidr({ cidr, perNodeNetworkPrefix: prefix }: Readonly<Record<string, unknown>>): bigint | undefined {
  const network = parseNetwork(String(cidr));
  if (!network || typeof prefix !== 'number' || prefix < network.prefix || prefix > network.bits) return undefined;
  return 1n << BigInt(prefix - network.prefix);
}

/**
 * Pools of NV-IPAM that have fewer blocks than nodes.
 *
 * @param nodes those that certainly exist
 * @param textOf how many of them a pool selects, as text
 */
export function* blockShortages(
  config: Config,
  nodes: readonly PlacementNode[],
  textOf: (count: number) => string,
): Iterable<Violation> {
  for (const { kind, field, sizeField, blocksOf } of KINDS) {
    for (const { name, spec, origin } of objectsOf(config, NV_IPAM_GROUP, kind)) {
      const placement = placementOf(spec['nodeSelector']);
      const blocks = blocksOf(spec);
      // The controller looks at labels alone.
      const selected = nodes.filter(
        (node) => placement === undefined || placement.accepts({ ...node, taints: [] }),
      ).length;
      if (blocks === undefined || blocks >= BigInt(selected)) continue;
      yield {
        origin: within(origin, 'spec', sizeField in spec ? sizeField : field),
        message: `${kind} \`${name}\` has ${counted(Number(blocks), 'block')} of addresses, each for one node, and there are ${textOf(selected)}`,
        label: 'pods of the other nodes get no address',
        help: `widen \`${field}\`, or make the blocks smaller`,
      };
    }
  }
}

/** How many nodes there are the input does not say, but each node pool has one at least. `weft pools --check` counts them. */
export const blocksForNodes: Rule = {
  code: 'WEFT0506',
  severity: 'warning',
  title: 'a pool of addresses has fewer blocks than there are nodes',
  checks: [
    {
      program: 'NV-IPAM',
      source: 'nvidia-k8s-ipam v0.4.0, pkg/ipam-controller/allocator/allocator.go `AllocateFromPool`',
      what: 'a block for each node, after the first address of the subnet and without its last one',
    },
  ],
  check: (config) =>
    blockShortages(
      config,
      // A label that a pool does not list may be missing.
      config.cluster.pools.map((pool) => ({ labels: poolNode(pool).labels, taints: [] })),
      (count) => `at least ${counted(count, 'node')}, one in each node pool`,
    ),
};
