/** Plugins that the standard CNI plugins have, without those for addresses (containernetworking/plugins v1.9.1). */
export const STANDARD_PLUGINS: readonly string[] = [
  ...['bandwidth', 'bridge', 'dummy', 'firewall', 'host-device', 'ipvlan', 'loopback', 'macvlan', 'portmap', 'ptp'],
  ...['sbr', 'tap', 'tuning', 'vlan', 'vrf'],
];

/** The standard ones, and those that components and the SR-IOV operator install. */
export const KNOWN_PLUGINS: readonly string[] = [
  ...STANDARD_PLUGINS,
  'sriov',
  'ib-sriov',
  'ipoib',
  'ovs',
  'rdma',
  'bond',
];
