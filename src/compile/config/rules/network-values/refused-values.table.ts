import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (ipam: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: net}\nspec:\n  ipam: ${ipam}\n`;
const sriov = (ipam: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetwork\nmetadata: {name: net}\nspec:\n  resourceName: r\n  ipam: '${ipam}'\n`;
const definition = (config: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '${config}'\n`;
const found = (place: string, message: string): string => `network.yaml:${place} network \`net\`: ${message}`;

testRule('WEFT0346', {
  valid: [
    { name: 'a plugin', network: definition('{"type": "macvlan", "ipam": {}}') },
    { name: 'a list of plugins', network: definition('{"plugins": [{"type": "macvlan", "ipam": null}]}') },
    { name: 'a configuration on the nodes', network: definition('') },
    { name: 'keys of newer versions', network: sriov('{"type": "whereabouts", "range": "10.0.0.0/24", "new": 1}') },
    {
      name: 'keys in another case',
      network: definition('{"Type": "macvlan", "MTU": 9000, "Mode": "bridge", "IPAM": {}}'),
    },
    {
      name: 'numbers that libcni writes anew',
      network: definition('{"type": "macvlan", "mtu": 9e3, "bcqueuelen": 10.0}'),
    },
    {
      name: 'nulls',
      network: definition('{"type": "macvlan", "mtu": null, "capabilities": null, "cniVersion": null}'),
    },
    {
      name: 'ports of Open vSwitch',
      network: definition(
        '{"type": "ovs", "bridge": "br0", "vlan": 4095, "trunk": [{"minID": 10, "maxID": 20}, {"id": 0}, {"minID": 0}], "ofport_request": 1}',
      ),
    },
    { name: 'a plugin that is not known here', network: definition('{"type": "mine", "mtu": "9000"}') },
    {
      name: 'devices of a resource',
      network: definition('{"type": "sriov", "vlan": 5}').replace(
        'name: net',
        'name: net, annotations: {k8s.v1.cni.cncf.io/resourceName: a/b}',
      ),
    },
    {
      name: 'a device',
      network: definition('{"plugins": [{"type": "host-device", "device": "eth0"}, {"type": "rdma"}]}'),
    },
    {
      name: 'a virtual function',
      network: sriov('{}').replace('resourceName: r', 'resourceName: r\n  vlan: 5\n  vlanQoS: 3\n  minTxRate: 100'),
    },
    { name: 'four addresses', network: network('{type: whereabouts, range: 10.0.0.0/30}') },
    { name: 'a pool', network: network('{type: nv-ipam, forcePoolName: true, poolName: a}') },
    {
      name: 'ranges of host-local',
      network: network(
        '{type: host-local, ranges: [[{subnet: 10.0.0.0/24, rangeStart: 10.0.0.5, gateway: 10.0.0.1}], [{subnet: "fd00::/64"}]]}',
      ),
    },
    { name: 'a variable that was not filled in', network: sriov('{"type": "whereabouts", "range": "${RANGE}"}') },
  ],
  invalid: [
    {
      name: 'ports of Open vSwitch',
      network: definition(
        '{"type": "ovs", "bridge": ["br0"], "vlan": 4096, "mtu": "9000", "trunk": [{"minID": 20, "maxID": 10}]}',
      ),
      expected: [
        found('5:38', '`ovs`: `bridge` must be a string'),
        found('5:55', '`ovs`: `vlan` must be at most 4095'),
        found('5:68', '`ovs`: `mtu` must be a number'),
        found('5:96', '`ovs`: `trunk[0].minID` must be at most `maxID`'),
      ],
    },
    {
      name: 'a trunk without a VLAN',
      network: definition('{"type": "ovs", "bridge": "br0", "trunk": [{"minID": 0, "maxID": 10}]}'),
      expected: [found('5:54', '`ovs`: `trunk` must have an `id`, or `minID` and `maxID` above 0')],
    },
    {
      name: 'neither a type nor plugins',
      network: definition('{"cniVersion": "0.3.1", "plugins": []}'),
      expected: [found('5:13', 'its `config` has neither `type` nor `plugins`')],
      help: 'add the CNI plugin, such as `"type": "macvlan"`',
    },
    ...[
      {
        plugin: '"type": "macvlan", "mtu": "9000"',
        place: '5:39',
        message: '`macvlan`: `mtu` must be a number',
        help: 'write it without quotation marks: `9000`',
      },
      { plugin: '"type": "macvlan", "mtu": 1.5', place: '5:39', message: '`macvlan`: `mtu` must be a whole number' },
      {
        plugin: '"type": "macvlan", "Mode": "brige"',
        place: '5:40',
        message: '`macvlan`: `mode` must be `bridge`, `private`, `vepa` or `passthru`',
        help: 'did you mean `bridge`?',
      },
      {
        plugin: '"type": "ipvlan", "mode": "bridge"',
        place: '5:39',
        message: '`ipvlan`: `mode` must be `l2`, `l3` or `l3s`',
      },
      {
        plugin: '"type": "sriov", "deviceID": "a", "vlanQoS": 3',
        place: '5:58',
        message: '`sriov`: `vlanQoS` needs `vlan` beside it',
      },
      {
        plugin: '"type": "sriov", "deviceID": "a", "spoofchk": true',
        place: '5:59',
        message: '`sriov`: `spoofchk` must be a string',
        help: 'write it in double quotes: `"true"`',
      },
      {
        plugin: '"type": "mine", "capabilities": {"ips": "true"}',
        place: '5:53',
        message: '`mine`: `capabilities.ips` must be `true` or `false`',
        help: 'write it without quotation marks: `true`',
      },
      {
        plugin: '"type": "mine", "cniVersion": 0.4',
        place: '5:43',
        message: '`mine`: `cniVersion` must be a string',
        help: 'write it in double quotes: `"0.4"`',
      },
      {
        plugin: '"type": "mine", "cniVersion": "0.5.0"',
        place: '5:43',
        message: '`cniVersion` `0.5.0` is no version of the CNI specification that plugins know',
      },
      { plugin: '"type": "mine", "ipam": {"type": 1}', place: '5:46', message: '`mine`: `ipam.type` must be a string' },
      {
        plugin: '"plugins": [{"type": "macvlan"}, {"type": "tuning", "sysctl": {"net.core.somaxconn": 500}}]',
        place: '5:98',
        message: '`tuning`: `sysctl["net.core.somaxconn"]` must be a string',
        help: 'write it in double quotes: `"500"`',
      },
    ].map(({ plugin, place, message, help }) => ({
      name: plugin,
      network: definition(`{${plugin}}`),
      expected: [found(place, message)],
      ...(help !== undefined && { help }),
    })),
    {
      name: 'a VLAN without an interface',
      network: definition('{"type": "vlan", "vlanId": 5000}'),
      expected: [found('5:13', '`vlan`: `master` is missing'), found('5:39', '`vlan`: `vlanId` must be at most 4094')],
    },
    ...[
      {
        plugin: '"type": "macvlan", "mac": "zz"',
        place: '5:39',
        message: '`macvlan`: `mac` must be an address such as `02:00:00:00:00:01`',
      },
      {
        plugin: '"type": "macvlan", "name": "a b/c"',
        place: '5:40',
        message: '`macvlan`: `name` must be letters, digits, `_`, `.` and `-`',
      },
      ...['bandwidth', 'firewall', 'portmap', 'sbr', 'tuning', 'vrf'].map((type) => ({
        plugin: `"plugins": [{"type": "${type}", "vrfname": "a"}, {"type": "macvlan"}]`,
        place: '5:34',
        message: `\`${type}\` needs a plugin before it, which makes an interface`,
      })),
      { plugin: '"type": "rdma"', place: '5:21', message: '`rdma` needs a plugin before it, which makes an interface' },
      {
        plugin: '"type": "sriov"',
        place: '5:21',
        message: '`sriov` gets no device: there is no `deviceID`, and no annotation `k8s.v1.cni.cncf.io/resourceName`',
      },
      {
        plugin: '"type": "host-device", "mtu": 1',
        place: '5:21',
        message:
          '`host-device` gets no device: there is no `device`, `hwaddr`, `kernelpath`, `pciBusID`, and no annotation `k8s.v1.cni.cncf.io/resourceName`',
      },
    ].map(({ plugin, place, message }) => ({
      name: plugin,
      network: definition(`{${plugin}}`),
      expected: [found(place, message)],
    })),
    {
      name: 'a limit without its burst',
      network: definition('{"plugins": [{"type": "ptp"}, {"type": "bandwidth", "ingressRate": 1000}]}'),
      expected: [found('5:79', '`bandwidth`: `ingressRate` needs `ingressBurst` beside it')],
    },
    {
      name: 'values of virtual functions',
      network: sriov('{}').replace(
        'resourceName: r',
        'resourceName: r\n  vlanQoS: 3\n  vlanProto: 802.1ad\n  minTxRate: 100\n  maxTxRate: 50',
      ),
      expected: [
        found('6:12', '`vlanQoS` needs a `vlan`'),
        found('7:14', '`vlanProto` needs a `vlan`'),
        found('8:14', '`minTxRate` must be at most `maxTxRate`'),
      ],
    },
    {
      name: 'a list whose key is in another case',
      network: definition('{"Plugins": [{"type": "macvlan"}]}'),
      expected: [found('5:13', 'its `config` has neither `type` nor `plugins`')],
      help: 'write `plugins` for `Plugins`: this key is read in lower case only',
    },
    {
      name: 'the modes of a bond',
      network: definition(
        '{"plugins": [{"type": "bond", "mode": "1", "links": [{"name": "net1"}, {"name": "net2"}]}]}',
      ),
      expected: [
        found(
          '5:50',
          '`bond`: `mode` must be `balance-rr`, `active-backup`, `balance-xor`, `broadcast`, `802.3ad`, `balance-tlb` or `balance-alb`',
        ),
      ],
    },
    {
      name: 'further plugins of a network',
      network: network('{}').replace('ipam: {}', `metaPlugins: '{"type": "tuning", "mtu": "1500"}'`),
      expected: [found('5:43', '`tuning`: `mtu` must be a number')],
    },
    {
      name: 'a further plugin as data, and those of the SR-IOV operator',
      network: `${network('{}').replace('ipam: {}', 'metaPlugins: {type: tuning, promisc: "true"}')}---\n${sriov('')
        .replace(
          /ipam:.*/,
          `metaPlugins: '{"type": "rdma"}, {"type": "sbr", "table": "a"}'\n  capabilities: '{"mac": "true"}'`,
        )
        .replace('name: net', 'name: two')}`,
      expected: [
        found('5:40', '`tuning`: `promisc` must be `true` or `false`'),
        'network.yaml:12:60 network `two`: `sbr`: `table` must be a number',
        'network.yaml:13:26 network `two`: `capabilities.mac` must be `true` or `false`',
      ],
    },
    {
      name: 'a plugin of a list without a type, and an IPAM as text',
      network: definition('{"plugins": [{"type": "macvlan", "ipam": "{}"}, {"mtu": 9000}]}'),
      expected: [
        found('5:53', '`macvlan`: `ipam` must be a mapping'),
        found('5:60', 'the plugin `{"mtu":9000}` has no `type`'),
      ],
    },
    {
      name: 'a range of a network of the SR-IOV operator',
      network: sriov('{"type": "whereabouts", "range": "10.0.0.0/33"}'),
      expected: [
        found('6:43', 'in `ipam`, `range` must be a range such as `192.168.2.0/24` or `192.168.2.10-192.168.2.20/24`'),
      ],
    },
    {
      name: 'ranges without addresses for pods',
      network: network('{type: whereabouts, range: 10.0.0.0/31, ipRanges: [{range: "fd00::/127"}]}'),
      expected: [
        found('5:36', 'whereabouts has no address for pods in `10.0.0.0/31`'),
        found('5:59', 'whereabouts has no address for pods in `fd00::/127`'),
      ],
      help: 'give it at least four addresses: a prefix of at most /30',
    },
    {
      name: 'a range of which all is excluded',
      network: network('{type: whereabouts, range: 10.0.0.0/24, exclude: [10.0.0.0/25, 10.0.0.128/25]}'),
      expected: [found('5:36', 'whereabouts has no address for pods in `10.0.0.0/24`: all are excluded')],
    },
    {
      name: 'a pool that has to be named',
      network: network('{type: nv-ipam, forcePoolName: true}'),
      expected: [found('5:40', '`forcePoolName: true` needs a `poolName`')],
    },
    ...[
      { range: '10.0.0.0/33', message: '`10.0.0.0/33` is no network' },
      { range: '10.0.0.9/24', message: '`10.0.0.9/24` does not begin with the first address of its network' },
      { range: '10.0.0.0/31', message: '`10.0.0.0/31` has no address for pods' },
      {
        range: '10.0.0.0/24, gateway: 10.0.1.1',
        message: '`gateway` `10.0.1.1` is no address of `10.0.0.0/24`',
      },
    ].map(({ range, message }) => ({
      name: `host-local: ${range}`,
      network: network(`{type: host-local, subnet: ${range}}`),
      expected: [found('5:36', message)],
    })),
    {
      name: 'a range of host-local',
      network: network('{type: host-local, ranges: [[{subnet: 10.0.0.0/24, rangeStart: 10.0.1.5}]]}'),
      expected: [found('5:36', '`rangeStart` `10.0.1.5` is no address of `10.0.0.0/24`')],
    },
  ],
});
