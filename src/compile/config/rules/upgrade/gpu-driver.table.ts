import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (section: string): string =>
  clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}  gpuDriver: ${section}\n`);
const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n');

testRule('WEFT0331', {
  valid: [{ name: 'none' }, { name: 'autoUpgrade', cluster: cluster('{upgradePolicy: {autoUpgrade: true}}') }],
  invalid: [
    {
      name: 'a driver of the companion',
      cluster: cluster('{}'),
      expected: ['cluster.yaml:9:3 `spec.gpuDriver` has no `autoUpgrade: true`: the companion upgrades no GPU driver'],
      help: 'set `autoUpgrade: true` in `spec.gpuDriver.upgradePolicy`, or remove the section',
    },
    {
      name: 'a driver of the GPU operator',
      cluster: cluster('{operator: true, upgradePolicy: {autoUpgrade: false}}'),
      expected: [
        'cluster.yaml:9:3 `spec.gpuDriver` has no `autoUpgrade: true`: the companion takes no node out for the GPU operator',
      ],
    },
  ],
});

testRule('WEFT0332', {
  valid: [
    { name: 'the default labels in one namespace', cluster: cluster('{namespace: nvidia-network-operator}'), policy },
    { name: 'another namespace', cluster: cluster('{podSelector: "!app"}'), policy },
    { name: 'no OFED driver', cluster: cluster('{namespace: nvidia-network-operator, podSelector: "!app"}') },
  ],
  invalid: [
    {
      name: 'the label of OFED, and one that OFED lacks',
      cluster: cluster(
        '{namespace: nvidia-network-operator, daemonSetSelector: nvidia.com/ofed-driver, podSelector: "tier!=web"}',
      ),
      policy,
      expected: [
        'cluster.yaml:9:70 `nvidia.com/ofed-driver` also selects the OFED driver, which is in namespace `nvidia-network-operator` too',
        'cluster.yaml:9:107 `tier!=web` also selects the OFED driver, which is in namespace `nvidia-network-operator` too',
      ],
      help: 'write a label that only the GPU driver has: `kubectl get daemonsets --show-labels` prints them',
    },
  ],
});
