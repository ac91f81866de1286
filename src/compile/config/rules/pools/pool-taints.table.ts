import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (taint: string, more = ''): string =>
  clusterText(`  release: v26.4
${more}  nodePools:
    - {name: plain, osName: ubuntu, osVersion: "24.04", arch: amd64}
    - name: storage
      osName: rhel
      osVersion: "9.4"
      arch: amd64
      kernels: [k1, k2]
      taints: [${taint}]
`);
const TAINT = '{key: team, value: a, effect: NoSchedule}';
const policy = (more = ''): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: {}\n${more}`);

testRule('WEFT0302', {
  valid: [
    {
      name: 'a taint that is tolerated',
      cluster: cluster(TAINT),
      policy: policy('  tolerations: [{key: team, operator: Exists}]\n'),
    },
    {
      name: 'a taint that goes by itself',
      cluster: cluster('{key: nvidia.com/gpu, effect: NoSchedule}'),
      policy: policy(),
    },
    {
      name: 'a pool whose driver is uninstalled',
      cluster: cluster(TAINT, '  driver: {uninstall: {nodePools: [storage]}}\n'),
      policy: policy(),
    },
    {
      name: 'a policy without a driver',
      cluster: cluster(TAINT),
      policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  nicFeatureDiscovery: {}\n'),
    },
  ],
  invalid: [
    {
      name: 'a taint of one pool, once for all its kernels',
      cluster: cluster(TAINT),
      policy: policy(),
      expected: [
        'cluster.yaml:14:15 the nodes of pool `storage` get no driver: NicClusterPolicy `nic-cluster-policy` does not tolerate `team=a:NoSchedule`',
      ],
    },
  ],
});

const PLUGIN =
  'rdmaSharedDevicePlugin: {config: \'{"configList": [{"resourceName": "a", "rdmaHcaMax": 1, "selectors": {"vendors": ["15b3"]}}]}\'}';
const plugin = (more = ''): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${PLUGIN}\n${more}`);

testRule('WEFT0305', {
  valid: [
    {
      name: 'a taint that is tolerated',
      cluster: cluster(TAINT),
      policy: plugin('  tolerations: [{key: team, operator: Exists}]\n'),
    },
    {
      name: 'a taint that goes by itself',
      cluster: cluster('{key: nvidia.com/gpu, effect: NoSchedule}'),
      policy: plugin(),
    },
    {
      name: 'a policy with a driver, which has the message',
      cluster: cluster(TAINT),
      policy: plugin('  ofedDriver: {}\n'),
    },
    {
      name: 'no plugin',
      cluster: cluster(TAINT),
      policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  nvIpam: {}\n'),
    },
  ],
  invalid: [
    {
      name: 'a plugin alone',
      cluster: cluster(TAINT),
      policy: plugin(),
      expected: [
        'cluster.yaml:14:15 the nodes of pool `storage` get no pods of `rdmaSharedDevicePlugin`: NicClusterPolicy `nic-cluster-policy` does not tolerate `team=a:NoSchedule`',
      ],
    },
  ],
});
