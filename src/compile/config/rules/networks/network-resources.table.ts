import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (kind = 'HostDeviceNetwork', spec = '{resourceName: hostdev}'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata:\n  name: net\nspec: ${spec}\n`;
const plugin = (resource: string): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  sriovDevicePlugin:\n    config:\n      resourceList: [{${resource}, selectors: {vendors: ["15b3"]}}]\n`,
  );
const operatorPolicy = (name: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkNodePolicy\nmetadata: {name: a}\n` +
  `spec: {resourceName: ${name}, nicSelector: {vendor: 15b3}, nodeSelector: {a: b}, numVfs: 1}\n`;
const withoutConfig = policyText('NicClusterPolicy', 'nic-cluster-policy', '  sriovDevicePlugin: {}\n');
const configMap = (name: string): string =>
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: network-operator-sriovdp-config}\n' +
  `data: {config.json: '{"resourceList": [{"resourceName": "${name}", "resourcePrefix": "nvidia.com", "selectors": {"isRdma": true}}]}'}\n`;
const MESSAGE = 'network `net` uses resource `nvidia.com/hostdev`, which no device plugin of the input offers';
const definition = (resource: string): string =>
  `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: net, namespace: default, annotations: {k8s.v1.cni.cncf.io/resourceName: ${resource}}}\nspec: {config: '{"type": "sriov"}'}\n`;

testRule('WEFT0264', {
  valid: [
    {
      name: 'the resource of a NetworkAttachmentDefinition',
      network: definition('nvidia.com/hostdev'),
      policy: plugin('resourceName: hostdev, resourcePrefix: nvidia.com'),
    },
    { name: 'a resource of other device plugins', network: definition('intel.com/sriov') },
    { name: 'the resource', network: network(), policy: plugin('resourceName: hostdev, resourcePrefix: nvidia.com') },
    { name: 'a resource of the SR-IOV operator', network: network(), policy: operatorPolicy('hostdev') },
    { name: 'a network without resources', network: network('MacvlanNetwork', '{}') },
    {
      name: 'a resource of a ConfigMap',
      network: `${network()}---\n${configMap('hostdev')}`,
      policy: withoutConfig,
    },
    { name: 'a ConfigMap that lies elsewhere', network: network(), policy: withoutConfig },
    {
      name: 'a ConfigMap that cannot be read',
      network: `${network()}---\n${configMap('hostdev').replace('}]}', '')}`,
      policy: withoutConfig,
    },
  ],
  invalid: [
    {
      name: 'another one of a NetworkAttachmentDefinition',
      network: definition('nvidia.com/hostdevs'),
      policy: plugin('resourceName: hostdev, resourcePrefix: nvidia.com'),
      expected: [
        'network.yaml:3:90 network `net` uses resource `nvidia.com/hostdevs`, which no device plugin of the input offers',
      ],
      help: 'did you mean `nvidia.com/hostdev`?',
    },
    {
      name: 'another resource of a ConfigMap',
      network: `${network()}---\n${configMap('dev')}`,
      policy: withoutConfig,
      expected: [`network.yaml:5:22 ${MESSAGE}`],
    },
    {
      name: 'no plugin',
      network: network(),
      expected: [`network.yaml:5:22 ${MESSAGE}`],
      help: 'add it to the configuration of a device plugin; it may live elsewhere in the cluster',
    },
    {
      name: 'another resource of the operator',
      network: network(),
      policy: operatorPolicy('dev'),
      expected: [`network.yaml:5:22 ${MESSAGE}`],
    },
    {
      name: 'another prefix',
      network: network(),
      policy: plugin('resourceName: hostdev'),
      expected: [`network.yaml:5:22 ${MESSAGE}`],
      help: '`intel.com/hostdev` is offered: give it `resourcePrefix: nvidia.com`',
    },
  ],
});
