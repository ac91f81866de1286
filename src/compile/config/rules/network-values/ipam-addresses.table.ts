import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (ipam: string, kind = 'MacvlanNetwork'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata: {name: net}\nspec:\n  ipam: ${ipam}\n`;
const sriov = (ipam: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetwork\nmetadata: {name: net}\nspec:\n  resourceName: r\n  ipam: '${ipam}'\n`;
const definition = (config: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '${config}'\n`;

testRule('WEFT0320', {
  valid: [
    { name: 'a range', network: network('{type: whereabouts, range: 10.0.0.0/24}') },
    { name: 'several ranges', network: network('{type: whereabouts, ipRanges: [{range: 10.0.0.0/24}]}') },
    { name: 'a file of the node', network: network('{type: whereabouts, configuration_path: /etc/w.conf}') },
    { name: 'another plugin', network: network('{type: nv-ipam}') },
    { name: 'ranges of host-local', network: network('{type: host-local, ranges: [[{subnet: 10.0.0.0/24}]]}') },
    { name: 'no IPAM', network: network('{}') },
  ],
  invalid: [
    {
      name: 'no range of whereabouts',
      network: network('{type: whereabouts, gateway: 10.0.0.1}'),
      expected: [
        'network.yaml:5:16 network `net` gets no addresses: its IPAM `whereabouts` has neither `range` nor `ipRanges`',
      ],
      help: 'add one, such as `range: 192.168.2.0/24`',
    },
    {
      name: 'empty ones, of the SR-IOV operator',
      network: sriov('{"type": "whereabouts", "range": "", "ipRanges": []}'),
      expected: [
        'network.yaml:6:19 network `net` gets no addresses: its IPAM `whereabouts` has neither `range` nor `ipRanges`',
      ],
    },
    {
      name: 'no subnet of host-local',
      network: definition('{"type": "macvlan", "ipam": {"type": "host-local"}}'),
      expected: [
        'network.yaml:5:49 network `net` gets no addresses: its IPAM `host-local` has neither `ranges` nor `subnet`',
      ],
      help: 'add one, such as `subnet: 192.168.2.0/24`',
    },
  ],
});

const SAME = 'network `net` takes addresses from `host-local`, which gives the same ones to pods of every node';

testRule('WEFT0318', {
  valid: [{ name: 'another plugin', network: network('{type: whereabouts, range: 10.0.0.0/24}') }],
  invalid: [
    {
      name: 'a network of the operator',
      network: network('{type: host-local, subnet: 10.0.0.0/24}'),
      expected: [`network.yaml:5:16 ${SAME}`],
    },
    {
      name: 'a network of the SR-IOV operator',
      network: sriov('{"type": "host-local", "subnet": "10.0.0.0/24"}'),
      expected: [`network.yaml:6:19 ${SAME}`],
    },
    {
      name: 'one of several plugins',
      network: definition(
        '{"plugins": [{"type": "macvlan", "ipam": {"type": "host-local", "subnet": "10.0.0.0/24"}}]}',
      ),
      expected: [`network.yaml:5:62 ${SAME}`],
    },
  ],
});

const DHCP = 'network `net` takes addresses from `dhcp`, which the IPoIB CNI plugin does not support';

testRule('WEFT0319', {
  valid: [
    { name: 'dhcp on Ethernet', network: network('{type: dhcp}') },
    { name: 'another plugin on IPoIB', network: network('{type: nv-ipam}', 'IPoIBNetwork') },
    { name: 'dhcp beside another plugin', network: definition('{"type": "macvlan", "ipam": {"type": "dhcp"}}') },
  ],
  invalid: [
    {
      name: 'a network of the operator',
      network: network('{type: dhcp}', 'IPoIBNetwork'),
      expected: [`network.yaml:5:16 ${DHCP}`],
    },
    {
      name: 'a definition',
      network: definition('{"type": "ipoib", "ipam": {"type": "dhcp"}}'),
      expected: [`network.yaml:5:47 ${DHCP}`],
    },
  ],
});
