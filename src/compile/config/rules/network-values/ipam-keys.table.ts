import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (ipam: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: net}\nspec:\n  ipam: '${ipam}'\n`;
const sriov = (ipam: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetwork\nmetadata: {name: net}\nspec:\n  resourceName: r\n  ipam: '${ipam}'\n`;
const definition = (ipam: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '{"type": "macvlan", "ipam": ${ipam}}'\n`;
const plugin = (config: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '${config}'\n`;
const found = (place: string, key: string, plugin: string, parent = 'ipam'): string =>
  `network.yaml:${place} network \`net\`: \`${parent}\` has no key \`${key}\`, so \`${plugin}\` ignores it`;

testRule('WEFT0341', {
  valid: [
    { name: 'known keys', network: network('{"type": "whereabouts", "range": "10.0.0.0/24", "network_name": "a"}') },
    { name: 'keys in another case', network: sriov('{"Type": "nv-ipam", "poolname": "a", "pooltype": "cidrpool"}') },
    {
      name: 'a name',
      network: definition('{"type": "static", "name": "a", "addresses": [{"address": "10.0.0.1/24"}]}'),
    },
    {
      name: 'ranges of host-local',
      network: definition('{"type": "host-local", "ranges": [[{"subnet": "10.0.0.0/24"}]], "dataDir": "/run/a"}'),
    },
    { name: 'keys of a plugin that is not known here', network: plugin('{"type": "own", "bla": 1, "ipam": {}}') },
    { name: 'what Multus adds', network: plugin('{"type": "sriov", "deviceID": "0000:03:00.2", "vlan": 5}') },
    { name: 'another plugin', network: sriov('{"type": "own", "bla": 1}') },
  ],
  invalid: [
    {
      name: 'a misspelt key of a plugin',
      network: plugin('{"type": "macvlan", "mastre": "ens1f0", "isGateway": true, "_note": "a", "MTU": 9000}'),
      expected: [
        'network.yaml:5:42 network `net`: the CNI plugin `macvlan` has no key `mastre`, so it is ignored',
        'network.yaml:5:65 network `net`: the CNI plugin `macvlan` has no key `isGateway`, so it is ignored',
      ],
      help: 'did you mean `master`?',
    },
    {
      name: 'a misspelt key of ovs',
      network: plugin('{"type": "ovs", "bridge": "br0", "trunks": [{"id": 5}]}'),
      expected: ['network.yaml:5:55 network `net`: the CNI plugin `ovs` has no key `trunks`, so it is ignored'],
      help: 'did you mean `trunk`?',
    },
    {
      name: 'keys beside a list of plugins, and in it',
      network: plugin('{"plugins": [{"type": "vlan", "master": "eth0", "vlan": 5}], "mtu": 9000}'),
      expected: [
        'network.yaml:5:68 network `net`: the CNI plugin `vlan` has no key `vlan`, so it is ignored',
        'network.yaml:5:80 network `net`: a list of plugins has no key `mtu`, so it is ignored',
      ],
      help: 'did you mean `vlanId`?',
    },
    {
      name: 'a list beside a type, and a further plugin',
      network: `${plugin('{"type": "macvlan", "plugins": [{"type": "tuning"}]}')}---\n${network('{}')
        .replace(/ipam:.*/, 'metaPlugins: \'{"type": "tuning", "sysctls": {}}\'')
        .replace('name: net', 'name: two')}`,
      expected: [
        'network.yaml:5:43 network `net`: the CNI plugin `macvlan` has no key `plugins`, so it is ignored',
        'network.yaml:11:47 network `two`: the CNI plugin `tuning` has no key `sysctls`, so it is ignored',
      ],
      help: 'did you mean `sysctl`?',
    },
    {
      name: 'an IPAM without a type',
      network: definition('{"range": "10.0.0.0/24"}'),
      expected: [
        'network.yaml:5:50 network `net`: `ipam` has no `type`, so its keys are ignored and pods get no address',
      ],
      help: 'add the IPAM plugin, such as `"type": "nv-ipam"`',
    },
    {
      name: 'keys of a newer version',
      network: network('{"type": "whereabouts", "range": "10.0.0.0/24", "enable_l3": true, "optimistic_ipam": true}'),
      expected: [found('5:71', 'enable_l3', 'whereabouts'), found('5:96', 'optimistic_ipam', 'whereabouts')],
    },
    {
      name: 'a key of another plugin',
      network: sriov('{"type": "host-local", "subnet": "10.0.0.0/24", "range_start": "10.0.0.9"}'),
      expected: [found('6:73', 'range_start', 'host-local')],
      help: 'did you mean `rangeStart`?',
    },
    {
      name: 'a key of nv-ipam',
      network: definition('{"type": "nv-ipam", "pool": "a"}'),
      expected: [found('5:68', 'pool', 'nv-ipam')],
      help: 'did you mean `poolName`?',
    },
    {
      name: 'a misspelt key, and one of a list',
      network: network(
        '{"type": "whereabouts", "range": "10.0.0.0/24", "exlude": [], "ipRanges": [{"range": "fd00::/64", "gateway": "fd00::1"}]}',
      ),
      expected: [found('5:68', 'exlude', 'whereabouts'), found('5:84', 'gateway', 'whereabouts', 'ipam.ipRanges[0]')],
      help: 'did you mean `exclude`?',
    },
    {
      name: 'keys of dhcp and static',
      network: `${definition('{"type": "dhcp", "daemonSocket": "/run/a"}')}---\n${definition('{"type": "static", "address": "10.0.0.1/24"}').replace('{name: net}', '{name: net, namespace: a}')}`,
      expected: [found('5:73', 'daemonSocket', 'dhcp'), found('11:70', 'address', 'static')],
      help: 'did you mean `addresses`?',
    },
  ],
});
