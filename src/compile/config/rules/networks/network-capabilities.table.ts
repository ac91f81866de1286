import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (sections: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', sections);
const network = (kind: string, name = 'net', spec = '{}'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;
const openshift = clusterText('  release: v26.4\n  platform: openshift\n  nodePools: []\n');
const sriov = (ipam: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetwork\nmetadata:\n  name: vf\nspec: {resourceName: a, ipam: '${ipam}'}\n`;
const DEFINITION =
  "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata:\n  name: own\nspec: {config: '{}'}\n";
const DHCP_DAEMON =
  'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: dhcp, namespace: kube-system}\nspec:\n  selector: {matchLabels: {a: b}}\n' +
  '  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: a, image: a, command: [/opt/cni/bin/dhcp], args: [daemon]}]}\n';
const NV_IPAM = '{ipam: {type: nv-ipam}}';

testRule('WEFT0265', {
  valid: [
    { name: 'no network', policy: policy('  {}\n') },
    {
      name: 'everything',
      policy: policy('  secondaryNetwork: {multus: {}, cniPlugins: {}, ipoib: {}}\n  nvIpam: {}\n'),
      network: [network('MacvlanNetwork', 'a', NV_IPAM), network('IPoIBNetwork', 'b', NV_IPAM)].join('---\n'),
    },
    {
      name: 'Multus for other kinds of networks, which bring their own plugins',
      policy: policy('  secondaryNetwork: {multus: {}}\n'),
      network: [sriov('{type: a}'), DEFINITION].join('---\n'),
    },
    {
      name: 'a daemon for DHCP',
      policy: policy('  secondaryNetwork: {multus: {}, cniPlugins: {}}\n'),
      network: [network('MacvlanNetwork', 'net', '{ipam: {type: dhcp}}'), DHCP_DAEMON].join('---\n'),
    },
    { name: 'OpenShift, which has Multus and the plugins', cluster: openshift, network: network('MacvlanNetwork') },
  ],
  invalid: [
    {
      name: 'a definition whose plugin nothing installs',
      policy: policy('  secondaryNetwork: {multus: {}}\n'),
      network: [DEFINITION.replace("'{}'", `'{"type": "macvlan"}'`), DEFINITION.replace('own', 'other')].join('---\n'),
      expected: ['network.yaml:4:9 network `own` needs the standard CNI plugins, which the input does not install'],
      help: 'add `secondaryNetwork.cniPlugins` to the NicClusterPolicy; it may live elsewhere in the cluster',
    },
    {
      name: 'addresses by DHCP',
      policy: policy('  secondaryNetwork: {multus: {}, cniPlugins: {}}\n'),
      network: network('MacvlanNetwork', 'net', '{ipam: {type: dhcp}}'),
      expected: [
        'network.yaml:4:9 network `net` needs the daemon of the dhcp plugin, which the input does not install',
      ],
      help: 'run `dhcp daemon` of the CNI plugins on each node, by a DaemonSet or a systemd unit; it may live elsewhere in the cluster',
    },
    {
      name: 'a network of the SR-IOV operator',
      network: sriov('{"type": "nv-ipam"}'),
      expected: [
        'network.yaml:4:9 network `vf` needs Multus, which the input does not install',
        'network.yaml:4:9 network `vf` needs NV-IPAM, which the input does not install',
      ],
    },
    {
      name: 'a definition, and a network',
      network: [DEFINITION, network('IPoIBNetwork')].join('---\n'),
      policy: policy('  secondaryNetwork: {ipoib: {}}\n'),
      expected: ['network.yaml:10:9 2 networks need Multus, which the input does not install'],
    },
    {
      name: 'nothing',
      network: network('MacvlanNetwork', 'net', NV_IPAM),
      expected: [
        'network.yaml:4:9 network `net` needs Multus, which the input does not install',
        'network.yaml:4:9 network `net` needs NV-IPAM, which the input does not install',
        'network.yaml:4:9 network `net` needs the standard CNI plugins, which the input does not install',
      ],
      help: 'add `secondaryNetwork.multus` to the NicClusterPolicy; it may live elsewhere in the cluster',
    },
    {
      name: 'one warning for several networks',
      policy: policy('  secondaryNetwork: {cniPlugins: {}, ipoib: {}}\n'),
      network: [network('IPoIBNetwork', 'b'), network('MacvlanNetwork', 'a'), network('MacvlanNetwork', 'c')].join(
        '---\n',
      ),
      expected: ['network.yaml:4:9 3 networks need Multus, which the input does not install'],
    },
    {
      name: 'the plugin of one kind of network, on OpenShift too',
      cluster: openshift,
      network: [network('IPoIBNetwork', 'b'), network('MacvlanNetwork', 'a')].join('---\n'),
      expected: ['network.yaml:4:9 network `b` needs the IPoIB CNI plugin, which the input does not install'],
      help: 'add `secondaryNetwork.ipoib` to the NicClusterPolicy; it may live elsewhere in the cluster',
    },
  ],
});
