import * as z from 'zod';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import {
  addressCount,
  isInNetwork,
  type IpNetwork,
  parseAddress,
  parseNetwork,
} from '../../../shared/lib/ip-address.js';
import { nodeAffinity } from '../../model/shapes/pod.js';

type Path = readonly PathStep[];

/**
 * The rules of NV-IPAM for pools, in addition to their definitions (nvidia-k8s-ipam v0.4.0, api/v1alpha1/ippool_validate.go and
 * cidrpool_validate.go). Its webhook is off by default; its controller gives no node addresses of a pool that breaks them
 * (pkg/ipam-controller/controllers).
 */
type Issues = Iterable<{ readonly path: Path; readonly message: string }>;

/** The fields that the rules read, as the definitions have them. A run without pools does not create the schemas. */
const common = () => ({
  exclusions: z.array(z.object({ startIP: z.string(), endIP: z.string() })).optional(),
  perNodeExclusions: z.array(z.object({ startIndex: z.number(), endIndex: z.number() })).optional(),
  defaultGateway: z.boolean().optional(),
  routes: z.array(z.object({ dst: z.string() })).optional(),
});

const ipPool = () =>
  z.object({
    ...common(),
    subnet: z.string(),
    perNodeBlockSize: z.number(),
    gateway: z.string().optional(),
  });

const cidrPool = () =>
  z.object({
    ...common(),
    cidr: z.string(),
    perNodeNetworkPrefix: z.number(),
    gatewayIndex: z.number().optional(),
    staticAllocations: z.array(allocation()).optional(),
  });

const allocation = () =>
  z.object({
    prefix: z.string(),
    gateway: z.string().optional(),
    nodeName: z.string().optional(),
  });

type IpPoolSpec = z.output<ReturnType<typeof ipPool>>;
type CidrPoolSpec = z.output<ReturnType<typeof cidrPool>>;
type CommonSpec = Pick<IpPoolSpec & CidrPoolSpec, keyof IpPoolSpec & keyof CidrPoolSpec>;

const NOT_AN_ADDRESS = 'must be an IP address such as `192.168.0.1`';
const NOT_A_NETWORK = 'must be an IP address with a prefix length such as `192.168.0.0/16`';

/** The schema of the `spec` of an IPPool, with these rules. */
export const ipPoolSpec = (spec: z.ZodType): z.ZodType => poolSpec(spec, ipPool(), ipPoolIssues);

/** The schema of the `spec` of a CIDRPool, with these rules. */
export const cidrPoolSpec = (spec: z.ZodType): z.ZodType => poolSpec(spec, cidrPool(), cidrPoolIssues);

function poolSpec<Pool>(spec: z.ZodType, pool: z.ZodType<Pool>, check: (value: Pool) => Issues): z.ZodType {
  if (!(spec instanceof z.ZodObject)) return spec;
  const nodeSelector = nodeAffinity.shape.requiredDuringSchedulingIgnoredDuringExecution;
  return spec.extend({ nodeSelector }).superRefine((value, context) => {
    if (context.issues.length > 0) return;
    for (const { path, message } of check(pool.parse(value))) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });
}

function* ipPoolIssues(spec: IpPoolSpec): Issues {
  const { perNodeBlockSize, perNodeExclusions = [] } = spec;
  const subnet = parseNetwork(spec.subnet);
  if (!subnet) yield { path: ['subnet'], message: NOT_A_NETWORK };
  if (perNodeBlockSize < 1) yield { path: ['perNodeBlockSize'], message: 'must be at least 1' };
  else if (subnet && BigInt(perNodeBlockSize) > hostCount(subnet)) {
    yield {
      path: ['perNodeBlockSize'],
      message: `must be at most ${hostCount(subnet)}, the number of addresses for pods in \`${spec.subnet}\``,
    };
  }
  if (subnet) yield* exclusionIssues(spec, subnet, spec.subnet);
  yield* indexIssues(perNodeExclusions, BigInt(perNodeBlockSize) - 1n, 'block');
  if (spec.gateway) yield* addressIssues(spec.gateway, subnet, spec.subnet, ['gateway']);
  yield* routeIssues(spec, subnet, spec.gateway ? undefined : 'gateway');
}

/** An address that must be in a network, if the network is known; `text` is the address as written. */
function* addressIssues(address: string, network: IpNetwork | undefined, text: string, path: Path): Issues {
  const parsed = parseAddress(address);
  if (!parsed) yield { path, message: NOT_AN_ADDRESS };
  else if (network && !isInNetwork(network, parsed)) yield { path, message: `must lie in \`${text}\`` };
}

function* cidrPoolIssues(spec: CidrPoolSpec): Issues {
  const { cidr, gatewayIndex } = spec;
  const network = parseNetwork(cidr);
  if (!network) yield { path: ['cidr'], message: NOT_A_NETWORK };
  else if (network.hasHostBits) {
    yield {
      path: ['cidr'],
      message: `must begin with the first address of the network: its bits after ${network.prefix} are 0`,
    };
  } else yield* nodePrefixIssues(spec, network);
  yield* routeIssues(spec, network, gatewayIndex === undefined ? 'gatewayIndex' : undefined);
}

function* nodePrefixIssues(spec: CidrPoolSpec, network: IpNetwork): Issues {
  const { cidr, perNodeNetworkPrefix: prefix, gatewayIndex, perNodeExclusions = [] } = spec;
  if (prefix < 1 || prefix < network.prefix || prefix > network.bits) {
    const least = Math.max(network.prefix, 1);
    yield { path: ['perNodeNetworkPrefix'], message: `must be ${least} to ${network.bits}: a part of \`${cidr}\`` };
    return;
  }
  const node: IpNetwork = { ...network, prefix };
  const [first, last] = gatewayIndexes(node);
  if (gatewayIndex !== undefined && (gatewayIndex < first || BigInt(gatewayIndex) > last)) {
    yield { path: ['gatewayIndex'], message: `must be ${first} to ${last}, with a /${prefix} for each node` };
  }
  yield* exclusionIssues(spec, network, cidr);
  yield* indexIssues(perNodeExclusions, addressCount(node) - 1n, 'network');
  yield* allocationIssues(spec, network);
}

/** How many pods can have an address (api/v1alpha1/helpers.go `GetPossibleIPCount`). */
function hostCount(network: IpNetwork): bigint {
  const all = addressCount(network);
  return all <= 2n ? all : all - (network.bits === 32 ? 2n : 1n);
}

/** Which addresses of a node's network can be its gateway (api/v1alpha1/helpers.go `GetGatewayForSubnet`). */
function gatewayIndexes(network: IpNetwork): readonly [first: number, last: bigint] {
  return network.bits - network.prefix <= 1 ? [0, hostCount(network) - 1n] : [1, hostCount(network)];
}

function* exclusionIssues({ exclusions = [] }: CommonSpec, network: IpNetwork, text: string): Issues {
  for (const [index, exclusion] of exclusions.entries()) {
    const path = ['exclusions', index];
    for (const key of ['startIP', 'endIP'] as const) {
      yield* addressIssues(exclusion[key], network, text, [...path, key]);
    }
    const [start, end] = [parseAddress(exclusion.startIP), parseAddress(exclusion.endIP)];
    if (start?.bits === end?.bits && start && end && end.value < start.value) {
      yield { path: [...path, 'endIP'], message: `must not be before \`startIP\`, ${exclusion.startIP}` };
    }
  }
}

function* indexIssues(ranges: NonNullable<CommonSpec['perNodeExclusions']>, last: bigint, what: string): Issues {
  for (const [index, range] of ranges.entries()) {
    for (const key of ['startIndex', 'endIndex'] as const) {
      if (last < 0n || BigInt(range[key]) <= last) continue;
      yield {
        path: ['perNodeExclusions', index, key],
        message: `must be at most ${last}, the last of a node's ${what}`,
      };
    }
  }
}

function* routeIssues(spec: CommonSpec, network: IpNetwork | undefined, missing: string | undefined): Issues {
  const { defaultGateway = false, routes = [] } = spec;
  if (missing !== undefined && defaultGateway) {
    yield { path: ['defaultGateway'], message: `must not be \`true\` without \`${missing}\`` };
  }
  if (missing !== undefined && routes.length > 0) yield { path: ['routes'], message: `needs \`${missing}\`` };
  for (const [index, { dst }] of routes.entries()) {
    const path = ['routes', index, 'dst'];
    const route = parseNetwork(dst);
    if (!route) yield { path, message: NOT_A_NETWORK };
    else if (network && route.bits !== network.bits) {
      yield { path, message: `must be an IPv${network.bits === 32 ? 4 : 6} network, as those of the pool are` };
    } else if (defaultGateway && route.prefix === 0) {
      yield { path, message: 'must not be the default route with `defaultGateway: true`' };
    }
  }
}

function* allocationIssues(
  { cidr, perNodeNetworkPrefix, staticAllocations = [] }: CidrPoolSpec,
  pool: IpNetwork,
): Issues {
  const seen = new Set<string>();
  for (const [index, { prefix, gateway, nodeName }] of staticAllocations.entries()) {
    const path = ['staticAllocations', index];
    const network = parseNetwork(prefix);
    const message = prefixProblem(network, pool, { cidr, perNodeNetworkPrefix });
    if (message !== undefined) yield { path: [...path, 'prefix'], message };
    else if (network && gateway) yield* addressIssues(gateway, network, prefix, [...path, 'gateway']);
    const keys = {
      prefix: network && `prefix ${network.value}/${network.prefix}`,
      nodeName: nodeName && `node ${nodeName}`,
    };
    for (const [key, text] of Object.entries(keys)) {
      if (text && seen.has(text)) yield { path: [...path, key], message: 'is there in another entry, too' };
      if (text) seen.add(text);
    }
  }
}

function prefixProblem(
  network: IpNetwork | undefined,
  pool: IpNetwork,
  { cidr, perNodeNetworkPrefix }: Pick<CidrPoolSpec, 'cidr' | 'perNodeNetworkPrefix'>,
): string | undefined {
  if (!network) return NOT_A_NETWORK;
  if (network.hasHostBits) return 'must begin with the first address of the network';
  if (network.prefix !== perNodeNetworkPrefix)
    return `must be a /${perNodeNetworkPrefix}, as \`perNodeNetworkPrefix\` says`;
  return isInNetwork(pool, network) ? undefined : `must lie in \`${cidr}\``;
}
