/** A kind of custom resource that is checked against its definition and goes to the output unchanged. */
export interface PassthroughKind {
  readonly kind: string;
  readonly group: string;
  readonly versions: readonly string[];
  /** What its objects are for. */
  readonly description: string;
  /** Whether users or controllers write its objects. There are input types only for users. */
  readonly writtenBy: 'people' | 'programs';
  /** Codes of the rules for its objects, in addition to those of its definition. */
  readonly rules: readonly string[];
}

/** Rules for the networks that an object creates, and for the addresses of their pods. */
const NETWORK = [
  'WEFT0239',
  'WEFT0263',
  'WEFT0265',
  'WEFT0274',
  'WEFT0318',
  'WEFT0319',
  'WEFT0320',
  'WEFT0321',
  'WEFT0322',
  'WEFT0323',
  'WEFT0324',
  'WEFT0500',
  'WEFT0501',
];
const SRIOV_NETWORK = [...NETWORK, 'WEFT0502', 'WEFT0534'];

const people = (description: string, rules: readonly string[] = []) =>
  ({ description, rules, writtenBy: 'people' }) as const;
const programs = (description: string) => ({ description, rules: [], writtenBy: 'programs' }) as const;

const NIC_CONFIGURATION = { group: 'configuration.net.nvidia.com', versions: ['v1alpha1'] };
const MAINTENANCE = { group: 'maintenance.nvidia.com', versions: ['v1alpha1'] };
const NFD = { group: 'nfd.k8s-sigs.io', versions: ['v1alpha1'] };
const NFD_OPENSHIFT = { group: 'nfd.openshift.io', versions: ['v1alpha1'] };
const NV_IPAM = { group: 'nv-ipam.nvidia.com', versions: ['v1alpha1'] };
const SRIOV = { group: 'sriovnetwork.openshift.io', versions: ['v1'] };
const SRIOV_DRA = { group: 'sriovnetwork.k8snetworkplumbingwg.io', versions: ['v1alpha1'] };
const WHEREABOUTS = { group: 'whereabouts.cni.cncf.io', versions: ['v1alpha1'] };

const NODE_FEATURE = 'Features of a node, as its worker found them.';
const NODE_FEATURE_RULE = 'Labels, taints and resources of nodes by their features.';

/**
 * All custom resources. Components and add-ons have the definitions; `kinds.ts` combines both. Types, schemas and
 * reference pages of the documents are generated from this table.
 */
export const passthroughKinds: readonly PassthroughKind[] = [
  { kind: 'NicConfigurationTemplate', ...NIC_CONFIGURATION, ...people('How NICs are configured.') },
  { kind: 'NicDevice', ...NIC_CONFIGURATION, ...programs('A NIC of a node, as its daemon found it.') },
  { kind: 'NicFirmwareSource', ...NIC_CONFIGURATION, ...people('Where firmware of NICs is downloaded from.') },
  { kind: 'NicFirmwareTemplate', ...NIC_CONFIGURATION, ...people('Which NICs get which firmware.') },
  { kind: 'NicInterfaceNameTemplate', ...NIC_CONFIGURATION, ...people('How the interfaces of NICs are named.') },
  {
    kind: 'NetworkAttachmentDefinition',
    group: 'k8s.cni.cncf.io',
    versions: ['v1'],
    ...people('A network of Multus, by its CNI configuration.', NETWORK),
  },
  { kind: 'MaintenanceOperatorConfig', ...MAINTENANCE, ...people('Settings of the Maintenance Operator.') },
  { kind: 'NodeMaintenance', ...MAINTENANCE, ...people('Asks for the maintenance of a node.') },
  { kind: 'NodeFeature', ...NFD, ...programs(NODE_FEATURE) },
  { kind: 'NodeFeatureGroup', ...NFD, ...people('Nodes with features in common.') },
  { kind: 'NodeFeatureRule', ...NFD, ...people(NODE_FEATURE_RULE) },
  { kind: 'NodeFeature', ...NFD_OPENSHIFT, ...programs(NODE_FEATURE) },
  { kind: 'NodeFeatureRule', ...NFD_OPENSHIFT, ...people(NODE_FEATURE_RULE) },
  {
    kind: 'CIDRPool',
    ...NV_IPAM,
    ...people('Addresses of pods for NV-IPAM: each node has a network of its own.', [
      'WEFT0263',
      'WEFT0500',
      'WEFT0503',
    ]),
  },
  {
    kind: 'IPPool',
    ...NV_IPAM,
    ...people('Addresses of pods for NV-IPAM: each node has a block of one network.', ['WEFT0263', 'WEFT0500']),
  },
  {
    kind: 'SpectrumXRailPoolConfig',
    group: 'spectrumx.nvidia.com',
    versions: ['v1alpha2'],
    ...people('The rails of the nodes of a Spectrum-X fabric.', ['WEFT0503']),
  },
  { kind: 'DeviceAttributes', ...SRIOV_DRA, ...people('Attributes of devices for dynamic resource allocation.') },
  { kind: 'SriovResourcePolicy', ...SRIOV_DRA, ...people('Which devices dynamic resource allocation offers.') },
  {
    kind: 'OVSNetwork',
    ...SRIOV,
    ...people('A network of virtual functions on a bridge of Open vSwitch.', SRIOV_NETWORK),
  },
  { kind: 'SriovIBNetwork', ...SRIOV, ...people('A network of InfiniBand virtual functions.', SRIOV_NETWORK) },
  { kind: 'SriovNetwork', ...SRIOV, ...people('A network of Ethernet virtual functions.', SRIOV_NETWORK) },
  {
    kind: 'SriovNetworkNodePolicy',
    ...SRIOV,
    ...people('How many virtual functions NICs have, and as which resource pods ask for them.', [
      'WEFT0322',
      'WEFT0323',
      'WEFT0502',
      'WEFT0505',
      'WEFT0531',
      'WEFT0532',
      'WEFT0533',
      'WEFT0535',
    ]),
  },
  { kind: 'SriovNetworkNodeState', ...SRIOV, ...programs('The virtual functions of a node.') },
  {
    kind: 'SriovNetworkPoolConfig',
    ...SRIOV,
    ...people('How many nodes of a pool the SR-IOV Network Operator drains at once.', [
      'WEFT0504',
      'WEFT0534',
      'WEFT0535',
      'WEFT0537',
    ]),
  },
  {
    kind: 'SriovOperatorConfig',
    ...SRIOV,
    ...people('Settings of the SR-IOV Network Operator.', ['WEFT0534', 'WEFT0535']),
  },
  {
    kind: 'NodeResourceTopology',
    group: 'topology.node.k8s.io',
    versions: ['v1alpha1', 'v1alpha2'],
    ...programs('The NUMA zones of a node and their resources.'),
  },
  { kind: 'IPPool', ...WHEREABOUTS, ...programs('Addresses that whereabouts gave away.') },
  { kind: 'NodeSlicePool', ...WHEREABOUTS, ...programs('Ranges of whereabouts that nodes have for themselves.') },
  {
    kind: 'OverlappingRangeIPReservation',
    ...WHEREABOUTS,
    ...programs('An address that whereabouts gave away in ranges that overlap.'),
  },
];
