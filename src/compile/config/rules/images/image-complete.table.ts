import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const withoutRelease = clusterText(`  nodePools:\n${UBUNTU_POOL}`);
const incomplete = clusterText(`  release: v26.10\n  nodePools:\n${UBUNTU_POOL}`);
const spectrumX = (xPlane: string): string =>
  policy(
    `  global: {repository: b.c/d, version: v1}\n  spectrumXOperator: {image: a, repository: b.c/d, version: v1, xPlane: ${xPlane}}\n`,
  );

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
    { name: 'the release, for an image that is handed on', policy: spectrumX('{}') },
    {
      name: 'an image that is handed on, without a version and so without a need for a repository',
      cluster: withoutRelease,
      policy: spectrumX('{image: xplane}'),
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
      expected: ['policy.yaml:6:3 `spec.ofedDriver` needs `image`, `repository` and `version`'],
      help: 'add `image`, `repository` and `version`, or set `spec.release` in the Cluster document',
    },
    {
      name: 'empty text',
      cluster: withoutRelease,
      policy: policy('  ofedDriver: {image: a, repository: b.c/d, version: ""}\n'),
      expected: ['policy.yaml:6:3 `spec.ofedDriver.version` is missing'],
    },
    {
      name: 'an image that is handed on, without its name',
      cluster: withoutRelease,
      policy: spectrumX('{}'),
      expected: ['policy.yaml:7:65 `spec.spectrumXOperator.xPlane.image` is missing'],
    },
    {
      name: 'an image that is handed on and that the release does not know',
      cluster: incomplete,
      policy: spectrumX('{}'),
      expected: ['policy.yaml:7:65 `spec.spectrumXOperator.xPlane.image` is missing'],
      help: 'add `image`: release v26.10 does not name it',
    },
    {
      name: 'an image that is handed on, whose repository is in the global section',
      cluster: withoutRelease,
      policy: spectrumX('{image: xplane, version: v1}'),
      expected: ['policy.yaml:7:65 `spec.spectrumXOperator.xPlane.repository` is missing'],
      help: 'add `repository`, or set `spec.release` in the Cluster document; `spec.global` does not fill it',
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
      name: 'capitals in the repository of an image that is handed on',
      policy: spectrumX('{repository: nvcr.io/NVIDIA}'),
      expected: [
        'policy.yaml:7:86 `spec.spectrumXOperator.xPlane.repository` is not a valid image repository: `nvcr.io/NVIDIA`',
      ],
    },
    {
      name: 'a whole reference for an image',
      policy: policy('  rdmaSharedDevicePlugin:\n    image: nvcr.io/x/plugin:1\n'),
      expected: [
        'policy.yaml:7:12 `spec.rdmaSharedDevicePlugin.image` is not a valid image name: `nvcr.io/x/plugin:1`',
      ],
      help: 'write `repository: nvcr.io/x`, `image: plugin`, `version: "1"`',
    },
    {
      name: 'a whole reference for a driver, with a tag that is no version of it',
      policy: policy('  ofedDriver:\n    image: nvcr.io/nvidia/mellanox/doca-driver:latest\n'),
      expected: [
        'policy.yaml:7:12 `spec.ofedDriver.image` is not a valid image name: `nvcr.io/nvidia/mellanox/doca-driver:latest`',
      ],
      help: 'write `repository: nvcr.io/nvidia/mellanox`, `image: doca-driver`, and a `version` that is a release: `latest` is none',
    },
    {
      name: 'a whole reference for a driver',
      policy: policy('  ofedDriver:\n    image: nvcr.io/x/doca-driver:24.10-0.7.0.0-0\n'),
      expected: [
        'policy.yaml:7:12 `spec.ofedDriver.image` is not a valid image name: `nvcr.io/x/doca-driver:24.10-0.7.0.0-0`',
      ],
      help: 'write `repository: nvcr.io/x`, `image: doca-driver`, `version: "24.10-0.7.0.0-0"`',
    },
    {
      name: 'a registry in the image',
      policy: policy(
        '  rdmaSharedDevicePlugin:\n    image: nvcr.io/x/plugin\n    repository: nvcr.io/x\n    version: v1\n',
      ),
      expected: [
        'policy.yaml:7:12 `spec.rdmaSharedDevicePlugin.image` has a registry, and `nvcr.io/x` comes before it: `nvcr.io/x/plugin`',
      ],
      help: 'write `repository: nvcr.io/x`, `image: plugin`',
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
