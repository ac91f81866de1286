import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (entry: string, section = 'ofedDriver'): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ${section}:\n    containerResources:\n      - ${entry.replaceAll('\n', '\n        ')}\n`,
  );

testRule('WEFT0202', {
  valid: [
    { name: 'the driver', policy: policy('name: mofed-container') },
    { name: 'the plugin', policy: policy('name: rdma-shared-dp', 'rdmaSharedDevicePlugin') },
    {
      name: 'the toolkit on OpenShift',
      cluster: clusterText(`  release: v26.4\n  platform: openshift\n  nodePools: []\n`),
      policy: policy('name: openshift-driver-toolkit-ctr'),
    },
    {
      name: 'a container of an image that is handed on, which no pod of the component runs',
      policy: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        '  spectrumXOperator: {xPlane: {containerResources: [{name: xplane, limits: {cpu: 0}}]}}\n',
      ),
    },
  ],
  invalid: [
    {
      name: 'a near miss',
      policy: policy('name: mofed-contaner'),
      expected: [
        'policy.yaml:8:15 `spec.ofedDriver.containerResources` names a container `mofed-contaner` that does not exist',
      ],
      help: 'did you mean `mofed-container`?',
    },
    {
      name: 'the toolkit elsewhere',
      policy: policy('name: openshift-driver-toolkit-ctr'),
      expected: [
        'policy.yaml:8:15 `spec.ofedDriver.containerResources` names a container `openshift-driver-toolkit-ctr` that does not exist',
      ],
      help: 'known containers: `mofed-container`',
    },
    {
      name: "another component's container",
      policy: policy('name: mofed-container', 'rdmaSharedDevicePlugin'),
      expected: [
        'policy.yaml:8:15 `spec.rdmaSharedDevicePlugin.containerResources` names a container `mofed-container` that does not exist',
      ],
    },
  ],
});

testRule('WEFT0203', {
  valid: [
    { name: 'nothing', policy: policy('name: mofed-container') },
    {
      name: 'requests that equal the limits in other words',
      policy: policy('name: mofed-container\nrequests: {cpu: "0.5", memory: 1Gi}\nlimits: {cpu: 500m, memory: 1024Mi}'),
    },
    { name: 'requests alone', policy: policy('name: mofed-container\nrequests: {cpu: 100}') },
  ],
  invalid: [
    {
      name: 'another amount',
      policy: policy('name: mofed-container\nlimits: {nvidia.com/gpu: 1}'),
      expected: [
        'policy.yaml:9:18 `spec.ofedDriver.containerResources[0].limits["nvidia.com/gpu"]` is not an amount that can be set',
      ],
      help: 'known amounts: `cpu`, `memory`',
    },
    {
      name: 'zero',
      policy: policy('name: mofed-container\nrequests: {cpu: 0}\nlimits: {memory: 0Gi}'),
      expected: [
        'policy.yaml:9:25 `spec.ofedDriver.containerResources[0].requests.cpu` must not be zero',
        'policy.yaml:10:26 `spec.ofedDriver.containerResources[0].limits.memory` must not be zero',
      ],
    },
    {
      name: 'requests above limits',
      policy: policy('name: mofed-container\nrequests: {cpu: "1.5", memory: 1Gi}\nlimits: {cpu: 1499m, memory: 1G}'),
      expected: [
        'policy.yaml:9:25 `spec.ofedDriver.containerResources[0].requests.cpu` is more than the limit, 1499m',
        'policy.yaml:9:40 `spec.ofedDriver.containerResources[0].requests.memory` is more than the limit, 1G',
      ],
      help: 'lower the request, or raise the limit',
    },
  ],
});

testRule('WEFT0143', {
  valid: [
    { name: 'amounts of all spellings', policy: policy('name: mofed-container\nlimits: {cpu: 1e3, memory: .5Gi}') },
  ],
  invalid: [
    {
      name: 'no amount',
      policy: policy('name: mofed-container\nlimits: {cpu: 1 core, memory: 1GB}'),
      expected: [
        'policy.yaml:9:23 `spec.ofedDriver.containerResources[0].limits.cpu` must be a quantity such as `500m` or `1Gi`',
        'policy.yaml:9:39 `spec.ofedDriver.containerResources[0].limits.memory` must be a quantity such as `500m` or `1Gi`',
      ],
    },
    {
      name: 'a platform that does not exist',
      cluster: clusterText(`  platform: openshft\n  nodePools:\n${UBUNTU_POOL}`),
      expected: ['cluster.yaml:6:13 `spec.platform` must be `kubernetes` or `openshift`'],
      help: 'did you mean `openshift`?',
    },
  ],
});
