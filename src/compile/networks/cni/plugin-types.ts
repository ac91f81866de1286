import * as z from 'zod';
import { strictObject } from '../../../shared/lib/strict-object.js';

/**
 * The keys of CNI plugins with the types of Go that they are read into. libcni reads a configuration into a map and writes it again before
 * it starts the plugin (containernetworking/cni v1.3.0, libcni/conf.go `InjectConf`): `9e3` and `9000.0` come out as `9000`, and of a key
 * that is there twice the last value counts. So only the values matter here, not how they are spelt. A pointer and a value are the same.
 */
const int = z.int().optional();
const uint = z.int().min(0).optional();
const uint32 = z.int().min(0).max(0xffff_ffff).optional();
const bool = z.boolean().optional();
const text = z.string().optional();
const texts = z.array(z.string()).optional();
const mac = z
  .string()
  .regex(/^(?:|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})$/i, {
    error: 'must be an address such as `02:00:00:00:00:01`',
  })
  .optional();
/** libcni takes no other name (containernetworking/cni v1.3.0, pkg/utils/utils.go `ValidateNetworkName`). */
const networkName = z
  .string()
  .regex(/^(?:|[a-zA-Z0-9][a-zA-Z0-9_.-]*)$/, { error: 'must be letters, digits, `_`, `.` and `-`' })
  .optional();
const vlan = z.int().min(0).max(4094).optional();
/** What the runtime fills in, or hands on to other programs. */
const any = z.unknown().optional();

/** One of some words; empty text is the default. */
const word = (...words: readonly string[]) => z.enum(['', ...words]).optional();

/** What Multus and libcni read of each plugin (containernetworking/cni v1.3.0, pkg/types/types.go `PluginConf`). */
const common = () => ({
  cniVersion: text,
  name: networkName,
  type: text,
  capabilities: z.record(z.string(), z.boolean()).optional(),
  /** Its keys are those of the IPAM plugin. */
  ipam: z.looseObject({ type: text }).optional(),
  dns: z.looseObject({ nameservers: texts, domain: text, search: texts, options: texts }).optional(),
  prevResult: any,
  runtimeConfig: any,
  args: any,
  cniVersions: texts,
  disableCheck: any,
  disableGC: any,
  loadOnlyInlinedPlugins: any,
  /** Multus puts them into each plugin of a network with a resource. */
  deviceID: text,
  pciBusID: text,
});

function plugin<Keys extends Readonly<Record<string, z.ZodType>>>(keys: () => Keys) {
  return strictObject(() => ({ ...common(), ...keys() }));
}

/** A plugin without keys of its own. */
const plain = strictObject(common);

/** What is read of a list of plugins (libcni/conf.go `NetworkConfFromBytes`), with these keys in this case only. */
export const pluginList = strictObject(() => ({
  cniVersion: text,
  cniVersions: texts,
  name: networkName,
  disableCheck: any,
  disableGC: any,
  loadOnlyInlinedPlugins: any,
  plugins: z.array(z.looseObject({})),
}));

/** The versions that plugins take (containernetworking/cni v1.3.0, pkg/version/version.go `All`); none is the first. */
export const CNI_VERSIONS: readonly string[] = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];

/** What is read of any plugin. */
const OTHER = z.looseObject(common());

const SWITCH = { master: text, mtu: int, linkInContainer: bool } as const;

const isSet = (value: unknown): boolean => value !== undefined && value !== 0;

const bandwidth = plugin(() => ({
  ingressRate: uint,
  ingressBurst: uint,
  egressRate: uint,
  egressBurst: uint,
})).superRefine((given, context) => {
  const values = given as Readonly<Record<string, unknown>>;
  for (const way of ['ingress', 'egress']) {
    const [rate, burst] = [`${way}Rate`, `${way}Burst`];
    if (isSet(values[rate]) === isSet(values[burst])) continue;
    const [there, missing] = isSet(values[rate]) ? [rate, burst] : [burst, rate];
    context.addIssue({ code: 'custom', message: `needs \`${missing}\` beside it`, path: [there] });
  }
});

/** Modes and policies of the bond (vishvananda/netlink v1.3.1, link.go `StringToBondModeMap`, `StringToBondXmitHashPolicyMap`). */
const BOND_MODES = ['balance-rr', 'active-backup', 'balance-xor', 'broadcast', '802.3ad', 'balance-tlb', 'balance-alb'];
const BOND_POLICIES = ['layer2', 'layer3+4', 'layer2+3', 'encap2+3', 'encap3+4', 'vlan+srcmac'];

const sriov = plugin(() => ({
  master: text,
  mac,
  mtu: int,
  vlan,
  vlanQoS: z.int().min(0).max(7).optional(),
  vlanProto: z
    .string()
    .regex(/^802\.1(?:q|ad)$/i, { error: 'must be `802.1q` or `802.1ad`' })
    .optional(),
  vfid: int,
  min_tx_rate: int,
  max_tx_rate: int,
  spoofchk: text,
  trust: text,
  link_state: word('auto', 'enable', 'disable'),
  origVfState: any,
  logLevel: text,
  logFile: text,
})).superRefine(({ vlan: id, vlanQoS, vlanProto, min_tx_rate: min = 0, max_tx_rate: max = 0 }, context) => {
  if (max > 0 && min > max)
    context.addIssue({ code: 'custom', message: 'must be at most `max_tx_rate`', path: ['min_tx_rate'] });
  for (const [key, value] of Object.entries({ vlanQoS, vlanProto })) {
    if (value !== undefined && id === undefined)
      context.addIssue({ code: 'custom', message: 'needs `vlan` beside it', path: [key] });
  }
});

/** Open vSwitch takes no other ids (its database's column `tag`), and neither does ovs-cni (pkg/common/common.go `SplitVlanIds`). */
const ovsVlan = z.int().min(0).max(4095).optional();

const ovsTrunk = strictObject(() => ({ minID: ovsVlan, maxID: ovsVlan, id: ovsVlan })).superRefine(
  ({ minID = 0, maxID }, context) => {
    if (maxID !== undefined && minID > maxID)
      context.addIssue({ code: 'custom', message: 'must be at most `maxID`', path: ['minID'] });
  },
);

/** A list without a VLAN is refused: a range counts where both of its ends are above 0. */
const ovsTrunks = z
  .array(ovsTrunk)
  .refine(
    (trunks) => trunks.length === 0 || trunks.some(({ minID, maxID, id }) => id !== undefined || (minID && maxID)),
    {
      error: 'must have an `id`, or `minID` and `maxID` above 0',
    },
  )
  .optional();

/**
 * By type: containernetworking/plugins v1.9.1 (plugins/main and plugins/meta), sriov-cni v2.9.0, ib-sriov-cni v1.3.0, rdma-cni v1.6.0,
 * ipoib-cni v1.2.2, ovs-cni 19262a0 (pkg/types), bond-cni 258926a (bond/bond.go).
 */
const PLUGINS: Readonly<Record<string, z.ZodType>> = {
  macvlan: plugin(() => ({
    ...SWITCH,
    mode: word('bridge', 'private', 'vepa', 'passthru'),
    mac,
    bcqueuelen: uint32,
  })),
  ipvlan: plugin(() => ({ ...SWITCH, mode: word('l2', 'l3', 'l3s') })),
  vlan: plugin(() => ({ ...SWITCH, master: z.string().min(1), vlanId: vlan })),
  'host-device': plugin(() => ({ device: text, hwaddr: text, kernelpath: text, dpdkMode: bool })),
  bridge: plugin(() => ({
    ...Object.fromEntries(
      ['isGateway', 'isDefaultGateway', 'forceAddress', 'ipMasq', 'hairpinMode', 'promiscMode', 'preserveDefaultVlan']
        .concat('macspoofchk', 'enabledad', 'disableContainerInterface', 'portIsolation')
        .map((key) => [key, bool]),
    ),
    bridge: text,
    ipMasqBackend: text,
    mtu: int,
    vlan,
    vlanTrunk: z.array(strictObject(() => ({ minID: int, maxID: int, id: int }))).optional(),
  })),
  ptp: plugin(() => ({ ipMasq: bool, ipMasqBackend: text, mtu: int })),
  dummy: plain,
  loopback: plain,
  tap: plugin(() => ({
    multiQueue: bool,
    mtu: int,
    mac,
    owner: uint32,
    group: uint32,
    selinuxContext: text,
    bridge: text,
  })),
  tuning: plugin(() => ({
    dataDir: text,
    sysctl: z.record(z.string(), z.string()).optional(),
    mac,
    promisc: bool,
    mtu: int,
    txQLen: int,
    allmulti: bool,
  })),
  bandwidth,
  portmap: plugin(() => ({
    backend: text,
    snat: bool,
    conditionsV4: texts,
    conditionsV6: texts,
    masqAll: bool,
    markMasqBit: int,
    externalSetMarkChain: text,
  })),
  sbr: plugin(() => ({ table: int })),
  vrf: plugin(() => ({ vrfname: z.string().min(1), table: uint32 })),
  firewall: plugin(() => ({
    backend: text,
    iptablesAdminChainName: text,
    firewalldZone: text,
    ingressPolicy: word('open', 'same-bridge', 'isolated'),
  })),
  sriov,
  'ib-sriov': plugin(() => ({
    master: text,
    vfid: int,
    hostIFNames: text,
    hostIFGUID: text,
    contIFNames: text,
    pkey: text,
    link_state: word('auto', 'enable', 'disable'),
    rdmaIsolation: bool,
    ibKubernetesEnabled: bool,
    rdmaNetState: any,
  })),
  rdma: plain,
  ipoib: plugin(() => ({ master: text })),
  ovs: plugin(() => ({
    bridge: text,
    vlan: ovsVlan,
    mtu: int,
    trunk: ovsTrunks,
    ofport_request: uint,
    interface_type: text,
    configuration_path: text,
    socket_file: text,
    link_state_check_retries: int,
    link_state_check_interval: int,
  })),
  bond: plugin(() => ({
    mode: z.enum(BOND_MODES),
    linksInContainer: bool,
    failOverMac: z.int().min(0).max(2).optional(),
    miimon: text,
    links: z.array(z.looseObject({ name: z.string() })).min(2),
    mtu: int,
    allSlavesActive: z.int().min(0).max(1).optional(),
    tlbDynamicLb: z.int().min(0).max(1).optional(),
    xmitHashPolicy: z.enum(BOND_POLICIES).optional(),
  })),
};

/** What a CNI plugin reads of its configuration. The keys of a plugin that is not known here may be any. */
export function schemaOfPlugin(type: unknown): z.ZodType {
  return typeof type === 'string' && Object.hasOwn(PLUGINS, type) ? (PLUGINS[type] ?? OTHER) : OTHER;
}

/** The keys that a plugin reads, as it spells them. */
export function keysOfPlugin(type: unknown): readonly string[] {
  return Object.keys((schemaOfPlugin(type) as z.ZodObject).shape);
}
