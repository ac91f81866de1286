import { testRule } from '../../../../../test/golden/rule-table.js';

const macvlan = (fields: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: net}\nspec:\n  ${fields}\n`;
const definition = (config: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net}\nspec:\n  config: '${config}'\n`;
const policy = (fields: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkNodePolicy\nmetadata: {name: vfs}\n` +
  `spec:\n  resourceName: r\n  nodeSelector: {a: b}\n  numVfs: 4\n  ${fields}\n`;

testRule('WEFT0322', {
  valid: [
    { name: 'an interface', network: macvlan('master: enp200s0f0np0v1') },
    { name: 'a VLAN', network: macvlan('master: ens1f0.100') },
    { name: 'a VLAN of InfiniBand', network: macvlan('master: ib0').replace('Macvlan', 'IPoIB') },
    { name: 'no name', network: macvlan(`master: ''`) },
    { name: 'a policy', network: policy('nicSelector: {pfNames: ["ens1f0np0#0-3", ens2f0np0]}') },
    {
      name: 'a variable, which is reported as that',
      network: definition('{"type": "macvlan", "master": "${A_LONG_VARIABLE}"}'),
    },
  ],
  invalid: [
    {
      name: 'InfiniBand for macvlan, Ethernet for IPoIB',
      network: `${macvlan('master: ibs1f0')}---\n${macvlan('master: ens1f0').replace('Macvlan', 'IPoIB').replace('name: net', 'name: two')}`,
      expected: [
        'network.yaml:5:11 `master` of network `net` is `ibs1f0`, which is named as InfiniBand, and macvlan needs Ethernet',
        'network.yaml:11:11 `master` of network `two` is `ens1f0`, which is named as Ethernet, and IPoIB needs InfiniBand',
      ],
    },
    {
      name: 'too long a name',
      network: macvlan('master: enp200s0f0np0v1234567'),
      expected: [
        'network.yaml:5:11 `master` of network `net` is `enp200s0f0np0v1234567`, which has 21 characters, and the name of an interface at most 15',
      ],
    },
    {
      name: 'a list',
      network: macvlan('master: "ens1f0,ens2f0"'),
      expected: [
        'network.yaml:5:11 `master` of network `net` is `ens1f0,ens2f0`, which is a list, and one interface is wanted',
      ],
      help: 'name one interface',
    },
    {
      name: 'an RDMA device, in a definition',
      network: definition('{"plugins": [{"type": "macvlan", "master": "mlx5_0"}]}'),
      expected: ['network.yaml:5:55 `master` of network `net` is `mlx5_0`, which is an RDMA device, not an interface'],
    },
    {
      name: 'a policy',
      network: policy('nicSelector: {pfNames: ["mlx5_2#0-3"]}'),
      expected: [
        'network.yaml:8:27 `pfNames` of SriovNetworkNodePolicy `vfs` is `mlx5_2#0-3`, which is an RDMA device, not an interface',
      ],
    },
  ],
});

testRule('WEFT0323', {
  valid: [
    { name: 'jumbo frames', network: macvlan('mtu: 9000') },
    { name: 'that of the master', network: macvlan('mtu: 0') },
    { name: 'a bridge', network: definition('{"type": "bridge", "mtu": 65000}') },
    { name: 'a policy', network: policy('mtu: 1500\n  nicSelector: {vendor: "15b3"}') },
  ],
  invalid: [
    {
      name: 'too large',
      network: macvlan('mtu: 90000'),
      expected: ['network.yaml:5:8 `mtu` of network `net` is 90000, and a NIC takes 68 to 9978'],
    },
    {
      name: 'too small, of a policy',
      network: policy('mtu: 15\n  nicSelector: {vendor: "15b3"}'),
      expected: ['network.yaml:8:8 `mtu` of SriovNetworkNodePolicy `vfs` is 15, and a NIC takes 68 to 9978'],
    },
    {
      name: 'a definition',
      network: definition('{"type": "macvlan", "mtu": 90000}'),
      expected: ['network.yaml:5:39 `mtu` of network `net` is 90000, and an interface takes 68 to 65535'],
    },
  ],
});
