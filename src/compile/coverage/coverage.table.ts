import { clusterText, policyText } from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

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
      help: 'add `tolerations` to NicClusterPolicy `nic-cluster-policy`; or take the driver off them: `driver: {uninstall: {nodePools: [storage]}}`',
    },
    {
      name: 'the only pool of the driver',
      cluster: clusterText(`  release: v26.4
  nodePools:
    - {name: storage, osName: rhel, osVersion: "9.4", arch: amd64, taints: [${TAINT}]}
`),
      policy: policy(),
      expected: [
        'cluster.yaml:8:76 the nodes of pool `storage` get no driver: NicClusterPolicy `nic-cluster-policy` does not tolerate `team=a:NoSchedule`',
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

const TOLERATE = '  tolerations: [{key: team, operator: Exists}]\n';
const own = (name: string, more: string): string =>
  policyText('NicNodePolicy', name, `  nodeSelector: {pool: ${name}}\n${more}`);
const fleet = (more = ''): string =>
  clusterText(`  release: v26.4
${more}  nodePools:
    - {name: plain, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: plain}}
    - {name: storage, osName: rhel, osVersion: "9.4", arch: amd64, labels: {pool: storage}, taints: [${TAINT}]}
`);
const NETWORK = '  nvIpam: {}\n  secondaryNetwork: {multus: {}}\n';
const drivers = [own('plain', '  ofedDriver: {}\n'), own('storage', `  ofedDriver: {}\n${TOLERATE}`)];
const everywhere = (more: string) => policyText('NicClusterPolicy', 'nic-cluster-policy', more);

testRule('WEFT0290', {
  valid: [
    {
      name: 'programs of networks that tolerate the taint',
      cluster: fleet(),
      policy: [...drivers, everywhere(NETWORK + TOLERATE)].join('---\n'),
    },
    { name: 'no such program', cluster: fleet(), policy: drivers.join('---\n') },
    {
      name: 'what no network needs',
      cluster: fleet(),
      policy: [...drivers, everywhere('  nicFeatureDiscovery: {}\n')].join('---\n'),
    },
    {
      name: 'a pool without a driver, which has its own message',
      cluster: fleet(),
      policy: [own('plain', '  ofedDriver: {}\n'), everywhere(NETWORK)].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'a taint that the driver tolerates alone',
      cluster: fleet(),
      policy: [...drivers, everywhere(NETWORK)].join('---\n'),
      expected: [
        'cluster.yaml:9:101 the nodes of pool `storage` get no pods of `secondaryNetwork.multus`, `nvIpam`: NicClusterPolicy `nic-cluster-policy` does not tolerate `team=a:NoSchedule`',
      ],
      help: 'add `tolerations` to NicClusterPolicy `nic-cluster-policy`; or write `# weft-ignore WEFT0290: reason` where these nodes shall have none',
    },
    {
      name: 'a patch that selects other nodes',
      cluster: fleet(
        '  patches: [{target: {kind: DaemonSet, name: kube-multus-ds}, patch: {spec: {template: {spec: {nodeSelector: {pool: plain}}}}}}]\n',
      ),
      policy: [...drivers, everywhere(NETWORK + TOLERATE)].join('---\n'),
      expected: [
        'cluster.yaml:10:14 the nodes of pool `storage` get no pods of `secondaryNetwork.multus`: DaemonSet kube-multus-ds selects pool=plain, and the node has pool=storage',
      ],
      help: 'see `spec.patches` of the Cluster, which change the pods of the DaemonSet; or write `# weft-ignore WEFT0290: reason` where these nodes shall have none',
    },
  ],
});

const DISCOVERY = '  nodeFeatureDiscovery: {deploy: true, image: {repository: r.example.com/nfd, tag: v0.18.3}';

testRule('WEFT0291', {
  valid: [
    { name: 'a discovery that the cluster has already', cluster: fleet(), policy: drivers.join('---\n') },
    {
      name: 'a worker that tolerates the taint',
      cluster: fleet(`${DISCOVERY}, worker: {tolerations: [{key: team, operator: Exists}]}}\n`),
      policy: drivers.join('---\n'),
    },
    { name: 'no policy for the pool', cluster: fleet(`${DISCOVERY}}\n`), policy: own('plain', '  ofedDriver: {}\n') },
  ],
  invalid: [
    {
      name: 'a worker that does not',
      cluster: fleet(`${DISCOVERY}}\n`),
      policy: drivers.join('---\n'),
      expected: [
        'cluster.yaml:10:101 the nodes of pool `storage` get no labels of `nodeFeatureDiscovery`: DaemonSet network-operator-node-feature-discovery-worker does not tolerate the taint team=a:NoSchedule',
      ],
      help: 'add `spec.nodeFeatureDiscovery.worker.tolerations`: DaemonSets select nodes by these labels; or write `# weft-ignore WEFT0291: reason` where these nodes shall have none',
    },
  ],
});

testRule('WEFT0292', {
  valid: [
    { name: 'a driver for each pool', cluster: fleet(), policy: drivers.join('---\n') },
    { name: 'no driver at all', cluster: fleet(), policy: everywhere(NETWORK) },
    {
      name: 'a device plugin where there is no driver',
      cluster: fleet('  driver: {gate: label}\n').replace(
        'storage}',
        'storage, network.nvidia.com/operator.mofed.wait: "false"}',
      ),
      policy: [own('plain', '  ofedDriver: {}\n'), everywhere(`  ${PLUGIN}\n${TOLERATE}`)].join('---\n'),
    },
    {
      name: 'a driver that is uninstalled',
      cluster: fleet('  driver: {uninstall: {nodePools: [storage]}}\n'),
      policy: drivers.join('---\n'),
    },
    {
      name: 'a taint, which has its own message',
      cluster: fleet(),
      policy: everywhere('  ofedDriver: {}\n'),
    },
  ],
  invalid: [
    {
      name: 'an affinity that no node meets',
      cluster: clusterText(
        '  release: v26.4\n  nodePools:\n    - {name: plain, osName: ubuntu, osVersion: "24.04", arch: amd64}\n',
      ),
      policy: policy(
        '  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [windows]}]}]}}\n',
      ),
      expected: [
        'cluster.yaml:8:14 the nodes of pool `plain` get no driver: DaemonSet mofed-ubuntu24.04-ds selects kubernetes.io/os=windows, and the node has kubernetes.io/os=linux',
      ],
    },
    {
      name: 'a pool that no policy with a driver selects',
      cluster: fleet(),
      policy: [own('plain', '  ofedDriver: {}\n'), everywhere(NETWORK + TOLERATE)].join('---\n'),
      expected: [
        'cluster.yaml:9:14 the nodes of pool `storage` get no driver: no policy with `ofedDriver` selects the pool',
      ],
      help: 'add a policy that selects the pool, such as a NicNodePolicy with its labels; or write `# weft-ignore WEFT0292: reason` where these nodes shall have none',
    },
    {
      name: 'device plugins that wait for a driver',
      cluster: fleet('  driver: {gate: label}\n'),
      policy: [own('plain', '  ofedDriver: {}\n'), everywhere(`  ${PLUGIN}\n${TOLERATE}`)].join('---\n'),
      expected: [
        'cluster.yaml:10:14 the nodes of pool `storage` get no driver and no device plugin: no policy with `ofedDriver` selects the pool; its pods wait for the driver, and there is none',
      ],
    },
  ],
});
