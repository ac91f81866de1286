import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const plugin = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  rdmaSharedDevicePlugin:\n    config: {configList: [{resourceName: nics, rdmaHcaMax: 1, devices: [ens1f0]}]}\n',
);
const pod = (resource: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: test, namespace: default}\nspec:\n  containers:\n    - name: a\n      image: a\n      resources: {limits: {${resource}: 1}}\n`;
const deployment = (resource: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: test, namespace: default}\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers:\n        - name: a\n          image: a\n          resources: {limits: {${resource}: 1}}\n`;
const rayCluster = (resource: string): string =>
  `apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: test, namespace: default}\nspec:\n  workerGroupSpecs:\n    - template:\n        spec: {containers: [{name: a, image: a, resources: {limits: {${resource}: 1}}}]}\n`;

testRule('WEFT0338', {
  valid: [
    { name: 'what is offered', policy: plugin, network: pod('rdma/nics') },
    {
      name: 'one in an init container, and one in another',
      policy: plugin,
      network: `${deployment('rdma/nics')}      initContainers:\n        - {name: b, image: b, resources: {limits: {rdma/nics: 1}}}\n`,
    },
    {
      name: 'several of what is as many as the node has',
      policy: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        '  sriovDevicePlugin: {config: {resourceList: [{resourceName: nics, resourcePrefix: rdma, selectors: {vendors: ["15b3"]}}]}}\n',
      ),
      network: pod('rdma/nics').replace(': 1}}', ': 8}}'),
    },
    { name: 'memory and a GPU', policy: plugin, network: pod('nvidia.com/gpu') },
    { name: 'a resource of other programs', policy: plugin, network: pod('example.com/fpga') },
    { name: 'a GPU, and no device plugin', network: pod('nvidia.com/gpu') },
    {
      name: 'a device plugin whose configuration is not known',
      policy: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        '  sriovDevicePlugin: {config: {name: elsewhere}}\n',
      ),
      network: pod('rdma/nics'),
    },
  ],
  invalid: [
    {
      name: 'a worker of a cluster of another kind',
      policy: plugin,
      network: rayCluster('rdma/nic'),
      expected: [
        'network.yaml:7:70 the pods of RayCluster `test` ask for `rdma/nic`, which no device plugin of the input offers',
      ],
      help: 'did you mean `rdma/nics`?',
    },
    {
      name: 'more than a node offers',
      policy: plugin,
      network: pod('rdma/nics').replace(': 1}}', ': "2"}}'),
      expected: ['network.yaml:8:39 the pods of Pod `test` ask for 2 of `rdma/nics`, and a node offers 1'],
      help: 'ask for one, which gives access to all devices of the resource, or raise `rdmaHcaMax` of the device plugin',
    },
    {
      name: 'more than a node offers, in several containers',
      policy: plugin,
      network: `${deployment('rdma/nics')}        - {name: b, image: b, resources: {limits: {rdma/nics: 1}}}\n`,
      expected: ['network.yaml:13:63 the pods of Deployment `test` ask for 2 of `rdma/nics`, and a node offers 1'],
    },
    {
      name: 'a resource of none',
      policy: plugin.replace('rdmaHcaMax: 1', 'rdmaHcaMax: 0'),
      network: pod('rdma/nics'),
      expected: ['network.yaml:8:39 the pods of Pod `test` ask for 1 of `rdma/nics`, and a node offers 0'],
    },
    {
      name: 'a request without a limit',
      policy: plugin,
      network: pod('rdma/nics').replace('limits:', 'requests:'),
      expected: [
        'network.yaml:8:30 the pods of Pod `test` request `rdma/nics` and have no limit of it, which the API server refuses',
      ],
      help: 'write it below `limits`, with the same amount',
    },
    {
      name: 'a name that is misspelt',
      policy: plugin,
      network: pod('rdma/nic'),
      expected: [
        'network.yaml:8:28 the pods of Pod `test` ask for `rdma/nic`, which no device plugin of the input offers',
      ],
      help: 'did you mean `rdma/nics`?',
    },
    {
      name: 'another name of the prefix, in a template',
      policy: plugin,
      network: deployment('rdma/shared_ib'),
      expected: [
        'network.yaml:12:32 the pods of Deployment `test` ask for `rdma/shared_ib`, which no device plugin of the input offers',
      ],
      help: 'the input offers `rdma/nics`; if something else offers it, write `# weft-ignore WEFT0338: reason` above it',
    },
    {
      name: 'no device plugin',
      network: pod('rdma/nics') + '---\n' + deployment('nvidia.com/hostdev'),
      expected: [
        'network.yaml:8:28 the pods of Pod `test` ask for `rdma/nics`, which no device plugin of the input offers',
        'network.yaml:21:32 the pods of Deployment `test` ask for `nvidia.com/hostdev`, which no device plugin of the input offers',
      ],
      help: 'no device plugin of the input offers anything: add one to a policy; if something else offers it, write `# weft-ignore WEFT0338: reason` above it',
    },
  ],
});
