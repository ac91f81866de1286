import * as z from 'zod';
import { address, addressOrCidr, addressRange, cidr } from './addresses.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const POOL_TYPES = ['', 'ippool', 'cidrpool'];

/** CNI configuration of nv-ipam (nvidia-k8s-ipam, pkg/cni/types/types.go `IPAMConf`). Empty text means the default. */
export const nvIpam = strictObject(() => ({
  type: z.literal('nv-ipam').describe('IPAM plugin.'),
  poolName: z
    .string()
    .regex(/^(?:[^,\s]+(?:,[^,\s]+)?)?$/, {
      error: 'must be the name of a pool, or two names with a comma between them and no blanks',
    })
    .optional()
    .describe('IPPool or CIDRPool that addresses come from; two for dual stack. Default: the name of the network.'),
  poolType: z
    .string()
    .refine((text) => POOL_TYPES.includes(text.toLowerCase()), { error: 'must be `ippool` or `cidrpool`' })
    .optional()
    .describe('Kind of the pool: `ippool` (default) or `cidrpool`.'),
  forcePoolName: z.boolean().optional().describe('Whether a missing pool name is an error.'),
  daemonSocket: z.string().optional().describe('Socket of the node daemon.'),
  daemonCallTimeoutSeconds: z.int().optional().describe('Seconds to wait for the node daemon. Default: 5.'),
  confDir: z.string().optional().describe("Folder of the plugin's own configuration on the node."),
  logFile: z.string().optional().describe('Log file on the node.'),
  logLevel: z.string().optional().describe('Log level.'),
})).describe("NVIDIA's IPAM plugin.");

/** A route (containernetworking/cni, pkg/types `Route`). */
const route = strictObject(() => ({
  dst: cidr.describe('Destination.'),
  gw: address.optional().describe('Next hop. Default: the gateway of the address.'),
  mtu: z.int().optional().describe('MTU along the path.'),
  advmss: z.int().optional().describe('Maximal segment size to advertise.'),
  priority: z.int().optional().describe('Priority; lower is preferred.'),
  table: z.int().optional().describe('Routing table.'),
  scope: z.int().optional().describe('Scope of the destinations.'),
})).describe('A route.');

/** Name resolution (containernetworking/cni, pkg/types `DNS`). */
const dns = strictObject(() => ({
  nameservers: z.array(z.string()).optional().describe('Name servers, in order.'),
  domain: z.string().optional().describe('Local domain for short names.'),
  search: z.array(z.string()).optional().describe('Search domains, in order.'),
  options: z.array(z.string()).optional().describe('Options of the resolver.'),
})).describe('Name resolution.');

const fixedAddress = strictObject(() => ({
  address: cidr.describe('Address with its prefix length.'),
  gateway: address.optional().describe('Gateway.'),
})).describe('An address.');

const addresses = z.array(fixedAddress).optional().describe('Addresses.');
const routes = z.array(route).optional().describe('Routes.');

/** CNI configuration of the static plugin (containernetworking/plugins, plugins/ipam/static). Addresses may come from the pod. */
export const staticIpam = strictObject(() => ({
  type: z.literal('static').describe('IPAM plugin.'),
  addresses,
  routes,
  dns: dns.optional(),
})).describe('Addresses that are written down here or in the annotation of the pod.');

const excludes = z.array(addressOrCidr).optional().describe('Addresses to leave out.');

const whereaboutsRange = strictObject(() => ({
  range: addressRange.describe('Range.'),
  range_start: address.optional().describe('First address to hand out.'),
  range_end: address.optional().describe('Last address to hand out.'),
  exclude: excludes,
})).describe('A range of addresses.');

/** CNI configuration of whereabouts (whereabouts v0.9.4, pkg/types/types.go `IPAMConfig`). */
export const whereabouts = strictObject(() => ({
  type: z.literal('whereabouts').describe('IPAM plugin.'),
  range: addressRange.optional().describe('Addresses to hand out.'),
  range_start: address.optional().describe('First address to hand out.'),
  range_end: address.optional().describe('Last address to hand out.'),
  exclude: excludes,
  ipRanges: z.array(whereaboutsRange).optional().describe('Further ranges, for instance for dual stack.'),
  gateway: address.optional().describe('Gateway.'),
  routes,
  addresses,
  dns: dns.optional(),
  network_name: z.string().optional().describe('Name of the pool, for networks that share a range.'),
  node_slice_size: z.string().optional().describe('Prefix length of the slice that each node gets, such as `/22`.'),
  enable_overlapping_ranges: z.boolean().optional().describe('Whether an address is unique over all ranges.'),
  sleep_for_race: z.int().optional().describe('Seconds to sleep, for tests.'),
  datastore: z.string().optional().describe('Where reservations are kept.'),
  etcd_host: z.string().optional().describe('etcd endpoint.'),
  etcd_username: z.string().optional().describe('etcd user.'),
  etcd_password: z.string().optional().describe('etcd password.'),
  etcd_key_file: z.string().optional().describe('Client key for etcd.'),
  etcd_cert_file: z.string().optional().describe('Client certificate for etcd.'),
  etcd_ca_cert_file: z.string().optional().describe('CA of etcd.'),
  leader_lease_duration: z.int().optional().describe('Duration of the leader lease, in milliseconds.'),
  leader_renew_deadline: z.int().optional().describe('Deadline for renewing the leader lease, in milliseconds.'),
  leader_retry_period: z.int().optional().describe('Pause between two tries to lead, in milliseconds.'),
  reconciler_cron_expression: z.string().optional().describe('When reservations are cleaned up.'),
  configuration_path: z
    .string()
    .optional()
    .describe('Configuration file on the node that fills in what is missing here.'),
  log_file: z.string().optional().describe('Log file on the node.'),
  log_level: z.string().optional().describe('Log level.'),
  kubernetes: strictObject(() => ({
    kubeconfig: z.string().optional().describe('kubeconfig on the node.'),
    k8s_api_root: z.string().optional().describe('Address of the API server.'),
  }))
    .optional()
    .describe('How the plugin reaches the API server.'),
})).describe('Addresses from a range that is shared by all nodes.');

const hostLocalRange = strictObject(() => ({
  subnet: z.string().describe('Network of the range.'),
  rangeStart: address.optional().describe('First address to hand out.'),
  rangeEnd: address.optional().describe('Last address to hand out.'),
  gateway: address.optional().describe('Gateway.'),
})).describe('A range of addresses.');

/** CNI configuration of the host-local plugin (containernetworking/plugins v1.9.1, plugins/ipam/host-local/backend/allocator/config.go). */
export const hostLocal = strictObject(() => ({
  type: z.literal('host-local').describe('IPAM plugin.'),
  ranges: z
    .array(z.array(hostLocalRange).min(1, { error: 'must have a range' }))
    .optional()
    .describe('Lists of ranges; a pod gets an address of each list.'),
  subnet: z.string().optional().describe('Network of the only range.'),
  rangeStart: address.optional().describe('First address to hand out of `subnet`.'),
  rangeEnd: address.optional().describe('Last address to hand out of `subnet`.'),
  gateway: address.optional().describe('Gateway of `subnet`.'),
  routes,
  dataDir: z.string().optional().describe('Folder on the node for addresses in use.'),
  resolvConf: z.string().optional().describe('File on the node with the name servers of pods.'),
})).describe('Addresses from ranges of each node.');

const provide = strictObject(() => ({
  option: z.string().describe('DHCP option, by name or number.'),
  value: z.string().optional().describe('Its value.'),
  fromArg: z.string().optional().describe('CNI argument that holds its value.'),
})).describe('An option for the server.');

const request = strictObject(() => ({
  option: z.string().optional().describe('DHCP option, by name or number.'),
  skipDefault: z.boolean().optional().describe('Whether the default requests are left out.'),
})).describe('An option to ask for.');

/** CNI configuration of the dhcp plugin (containernetworking/plugins, plugins/ipam/dhcp). */
export const dhcp = strictObject(() => ({
  type: z.literal('dhcp').describe('IPAM plugin.'),
  daemonSocketPath: z.string().optional().describe('Socket of the DHCP daemon on the node.'),
  provide: z.array(provide).optional().describe('Options to send to the server.'),
  request: z.array(request).optional().describe('Options to ask the server for.'),
  priority: z.int().optional().describe('Metric of the routes.'),
})).describe('Addresses from a DHCP server; the daemon of the plugin must run on the nodes.');
