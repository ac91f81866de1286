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
      name: 'neither a type nor plugins',
      network: definition('{"cniVersion": "0.3.1", "plugins": []}'),
      expected: [found('5:13', 'its `config` has neither `type` nor `plugins`')],
      help: 'add the CNI plugin, such as `"type": "macvlan"`',
    },
    {
      name: 'a plugin of a list without a type, and an IPAM as text',
      network: definition('{"plugins": [{"type": "macvlan", "ipam": "{}"}, {"mtu": 9000}]}'),
      expected: [found('5:53', '`ipam` must be an object'), found('5:60', 'the plugin `{"mtu":9000}` has no `type`')],
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
