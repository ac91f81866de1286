import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const object = (apiVersion: string, kind: string, name: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const sriov = (name: string): string =>
  object(
    'sriovnetwork.openshift.io/v1',
    'SriovNetworkNodePolicy',
    name,
    `{resourceName: ${name}, numVfs: 4, nodeSelector: {}, nicSelector: {pfNames: [ens1f0]}}`,
  );
const pool = object(
  'nv-ipam.nvidia.com/v1alpha1',
  'IPPool',
  'pool',
  '{subnet: 10.0.0.0/24, perNodeBlockSize: 8, gateway: 10.0.0.1}',
);
const template = object(
  'configuration.net.nvidia.com/v1alpha1',
  'NicConfigurationTemplate',
  'nics',
  '{nodeSelector: {}, nicSelector: {nicType: "1021"}, template: {numVfs: 0, linkType: Ethernet}}',
);
const rule = object('nfd.k8s-sigs.io/v1alpha1', 'NodeFeatureRule', 'rule', '{rules: [{name: a, labels: {a: b}}]}');
const cluster = (spec: string): string => clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}${spec}`);
const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${spec}\n`);
const definition = (group: string, kind: string): string =>
  object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'a.b', `{group: ${group}, names: {kind: ${kind}}}`);
const said = (place: string, what: string, program: string): string =>
  `network.yaml:${place} nothing of the input reads ${what}: \`${program}\` does, which it does not install`;

testRule('WEFT0351', {
  valid: [
    { name: 'a component', policy: policy('nvIpam: {}'), network: pool },
    {
      name: 'a component of a release',
      cluster: cluster(''),
      policy: policy('nicConfigurationOperator: {}'),
      network: template,
    },
    { name: 'an add-on', cluster: cluster('  sriovNetworkOperator: {deploy: true}\n'), network: sriov('a') },
    {
      name: 'a chart among the documents',
      network: `${sriov('a')}---\n${object('helm.cattle.io/v1', 'HelmChart', 'a', '{chart: x/sriov-network-operator}')}`,
    },
    {
      name: 'a package of the Operator Lifecycle Manager among the documents',
      network: `${sriov('a')}---\n${object('operators.coreos.com/v1alpha1', 'Subscription', 'a', '{name: sriov-network-operator}')}`,
    },
    {
      name: 'its definition among the documents',
      network: `${pool}---\n${definition('nv-ipam.nvidia.com', 'IPPool')}`,
    },
    { name: 'rules of Node Feature Discovery, which each cluster has', network: rule },
    {
      name: 'a pool beside a network that needs the program, which WEFT0265 says',
      network: `${pool}---\n${object('mellanox.com/v1alpha1', 'MacvlanNetwork', 'net', '{ipam: {type: nv-ipam, poolName: pool}}')}`,
    },
  ],
  invalid: [
    {
      name: 'objects of an add-on, once',
      network: `${sriov('a')}---\n${sriov('b')}`,
      expected: [said('3:18', 'SriovNetworkNodePolicy `a` and 1 more', 'sriov-network-operator')],
      help: 'write `sriovNetworkOperator: {deploy: true}` in the `spec` of the Cluster document; if it is installed by something else, write `# weft-ignore WEFT0351: reason` above it',
    },
    {
      name: 'objects of two components',
      network: `${pool}---\n${template}`,
      expected: [
        said('3:18', 'IPPool `pool`', 'nv-ipam-cni'),
        said('8:18', 'NicConfigurationTemplate `nics`', 'nic-configuration-operator'),
      ],
      help: 'add `nvIpam` to the NicClusterPolicy; if it is installed by something else, write `# weft-ignore WEFT0351: reason` above it',
    },
  ],
});
