import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const withoutRelease = clusterText(`  nodePools:\n${UBUNTU_POOL}`);

testRule('WEFT0200', {
  valid: [
    { name: 'the release', policy: policy('  ofedDriver: {}\n  rdmaSharedDevicePlugin: {}\n') },
    {
      name: 'the section itself',
      cluster: withoutRelease,
      policy: policy('  ofedDriver: {image: a, repository: b.c/d, version: 24.01-0.3.3.1-0}\n'),
    },
    {
      name: 'the global section',
      cluster: withoutRelease,
      policy: policy('  global: {repository: b.c/d, version: v1}\n  rdmaSharedDevicePlugin: {image: a}\n'),
    },
  ],
  invalid: [
    {
      // The operator's webhook looks at the section alone: the versions of drivers are not those of the other images.
      name: 'a driver whose version is in the global section',
      cluster: withoutRelease,
      policy: policy('  global: {repository: b.c/d, version: 24.01-0.3.3.1-0}\n  ofedDriver: {image: a}\n'),
      expected: ['policy.yaml:7:3 `spec.ofedDriver.version` is missing'],
    },
    {
      name: 'nothing',
      cluster: withoutRelease,
      policy: policy('  ofedDriver: {}\n'),
      expected: [
        'policy.yaml:6:3 `spec.ofedDriver.image` is missing',
        'policy.yaml:6:3 `spec.ofedDriver.repository` is missing',
        'policy.yaml:6:3 `spec.ofedDriver.version` is missing',
      ],
      help: 'add `version`, or set `spec.release` in the Cluster document',
    },
    {
      name: 'empty text',
      cluster: withoutRelease,
      policy: policy('  ofedDriver: {image: a, repository: b.c/d, version: ""}\n'),
      expected: ['policy.yaml:6:3 `spec.ofedDriver.version` is missing'],
    },
  ],
});

testRule('WEFT0201', {
  valid: [
    {
      name: 'a registry with a port and a path',
      policy: policy('  rdmaSharedDevicePlugin: {image: a, repository: "localhost:5000/b/c", version: v1.0_x-y}\n'),
    },
    {
      name: 'a digest',
      policy: policy(`  rdmaSharedDevicePlugin: {version: "sha256:${'0'.repeat(64)}"}\n`),
    },
  ],
  invalid: [
    {
      name: 'a scheme in the repository',
      policy: policy('  rdmaSharedDevicePlugin:\n    repository: https://nvcr.io/nvidia\n'),
      expected: [
        'policy.yaml:7:17 `spec.rdmaSharedDevicePlugin.repository` is not a valid image repository: `https://nvcr.io/nvidia`',
      ],
    },
    {
      name: 'capitals in the path',
      policy: policy('  rdmaSharedDevicePlugin:\n    repository: nvcr.io/NVIDIA\n'),
      expected: [
        'policy.yaml:7:17 `spec.rdmaSharedDevicePlugin.repository` is not a valid image repository: `nvcr.io/NVIDIA`',
      ],
    },
    {
      name: 'a tag in the image',
      policy: policy('  rdmaSharedDevicePlugin:\n    image: a:b\n    version: a b\n'),
      expected: [
        'policy.yaml:7:12 `spec.rdmaSharedDevicePlugin.image` is not a valid image name: `a:b`',
        'policy.yaml:8:14 `spec.rdmaSharedDevicePlugin.version` is neither a tag nor a digest: `a b`',
      ],
    },
    {
      name: 'a digest that is cut short',
      policy: policy('  rdmaSharedDevicePlugin:\n    version: "sha256:0123"\n'),
      expected: ['policy.yaml:7:14 `spec.rdmaSharedDevicePlugin.version` is neither a tag nor a digest: `sha256:0123`'],
    },
  ],
});
