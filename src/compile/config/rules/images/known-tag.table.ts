import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${spec}\n`);
const MISSPELT = 'ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: 26.04-1.1.0.0-1}';

testRule('WEFT0308', {
  valid: [
    { name: 'the tag of the release', policy: policy('ofedDriver: {}') },
    { name: 'the tag of another release', policy: policy('ofedDriver: {version: doca3.5.0-26.07-0.7.7.0-0}') },
    { name: 'the driver that a version had first', policy: policy('ofedDriver: {version: doca3.5.0-26.07-0.7.7.0-1}') },
    {
      name: 'the driver of a version whose driver is not known',
      policy: policy('ofedDriver: {version: doca3.6.0-26.10-0.9.1.0-0}'),
    },
    { name: 'the tag of a patch', policy: policy('ofedDriver: {version: doca3.4.1-26.04-1.1.0.0-3}') },
    { name: 'the tag of a component of a patch', policy: policy('nvIpam: {version: network-operator-v26.7.1}') },
    {
      name: 'the tag of a component of a release whose image of it is not known',
      policy: policy('secondaryNetwork: {multus: {version: network-operator-v26.10.0}}'),
    },
    { name: 'a digest', policy: policy(`rdmaSharedDevicePlugin: {version: "sha256:${'0'.repeat(64)}"}`) },
    { name: 'a mirror', policy: policy('ofedDriver: {repository: mirror.example.com/a, version: 25.10-1.2.8.0-2}') },
    {
      name: 'a tag of the old name of the driver image',
      policy: policy('ofedDriver: {image: mofed, repository: nvcr.io/nvidia/mellanox, version: 24.10-0.7.0.0-0}'),
    },
    {
      name: 'the old name in another registry',
      policy: policy(
        'ofedDriver: {image: mofed, repository: mirror.example.com/a, version: doca3.4.1-26.04-1.1.0.0-1}',
      ),
    },
    { name: 'another image', policy: policy('ofedDriver: {image: own, version: 25.10-1.2.8.0-2}') },
    {
      name: 'a cluster without a release',
      cluster: clusterText(`  nodePools:\n${UBUNTU_POOL}`),
      policy: policy(MISSPELT),
    },
  ],
  invalid: [
    {
      name: 'the old name of the driver image with a new tag',
      policy: policy(
        'ofedDriver: {image: mofed, repository: nvcr.io/nvidia/mellanox, version: doca3.4.1-26.04-1.1.0.0-1}',
      ),
      expected: [
        'policy.yaml:6:23 `spec.ofedDriver.version` is `doca3.4.1-26.04-1.1.0.0-1`, which is a tag of `doca-driver` and not of `mofed`',
      ],
      help: 'write `image: doca-driver`, or remove `image`: the release fills it',
    },
    {
      name: 'a digest as a tag',
      policy: policy(`nvIpam: {version: ${'b'.repeat(64)}}`),
      expected: [
        `policy.yaml:6:21 \`spec.nvIpam.version\` is no tag of \`nvcr.io/nvidia/mellanox/nvidia-k8s-ipam\` in a release that Weft knows: \`${'b'.repeat(64)}\``,
      ],
      help: `a digest has \`sha256:\` before it: write \`sha256:${'b'.repeat(64)}\``,
    },
    {
      name: 'a tag of a driver, without the part before its version',
      policy: policy(MISSPELT),
      expected: [
        'policy.yaml:6:82 `spec.ofedDriver.version` is no tag of `nvcr.io/nvidia/mellanox/doca-driver` in a release that Weft knows: `26.04-1.1.0.0-1`',
      ],
      help: 'the releases have `doca3.5.0-26.07-0.7.7.0-1`, `doca3.5.0-26.07-0.7.7.0-0`, `doca3.4.1-26.04-1.1.0.0-3`, `doca3.4.1-26.04-1.1.0.0-1`, `doca3.4.0-26.04-0.8.6.0-0`; if the registry has this one, write `# weft-ignore WEFT0308: reason` above it',
    },
  ],
});
