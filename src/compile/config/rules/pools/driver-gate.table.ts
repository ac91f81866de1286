import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const TAINTED =
  '    - {name: tainted, osName: ubuntu, osVersion: "22.04", arch: amd64, kernel: 5.15.0, labels: {pool: b}, taints: [{key: a, effect: NoSchedule}]}\n';
const LABELLED = UBUNTU_POOL.replace('}', ', labels: {pool: a}}');
const cluster = (pools: string, gate = ''): string => clusterText(`${gate}  release: v26.4\n  nodePools:\n${pools}`);
const nodePolicy = (pool: string, sections: string): string =>
  policyText('NicNodePolicy', `policy-${pool}`, `  nodeSelector: {pool: ${pool}}\n${sections}`);
const clusterPolicy = (sections: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', sections);
const DRIVER = '  ofedDriver: {}\n';
const PLUGIN = '  rdmaSharedDevicePlugin: {}\n';
const LABEL_GATE = '  driver:\n    gate: label\n';

testRule('WEFT0235', {
  valid: [
    { name: 'no driver at all', policy: clusterPolicy(PLUGIN) },
    { name: 'both in one policy', policy: clusterPolicy(DRIVER + PLUGIN) },
    {
      name: 'a pool that neither tolerates',
      cluster: cluster(LABELLED + TAINTED),
      policy: clusterPolicy(DRIVER + PLUGIN),
    },
    {
      name: 'a driver for other nodes only',
      cluster: cluster(LABELLED + TAINTED),
      policy: [nodePolicy('b', `${DRIVER}  tolerations: [{key: a, operator: Exists}]\n`), nodePolicy('a', PLUGIN)].join(
        '---\n',
      ),
    },
    {
      name: 'the label, which knows each node',
      cluster: cluster(LABELLED + TAINTED.replace(', taints: [{key: a, effect: NoSchedule}]', ''), LABEL_GATE),
      policy: [nodePolicy('a', DRIVER), clusterPolicy(PLUGIN)].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'a driver for some nodes of a plugin',
      cluster: cluster(LABELLED + TAINTED.replace(', taints: [{key: a, effect: NoSchedule}]', '')),
      policy: [nodePolicy('a', DRIVER), clusterPolicy(PLUGIN)].join('---\n'),
      expected: ["policy.yaml:14:3 the driver covers some of this section's node pools, but not `tainted`"],
      help: 'set `spec.driver.gate: label` in the Cluster document, or cover the same pools with both sections',
    },
  ],
});

const WARNING = 'with `gate: label` device plugins wait for a label that nothing in this output keeps';

testRule('WEFT0236', {
  valid: [
    { name: 'the ready file', policy: clusterPolicy(DRIVER + PLUGIN) },
    {
      name: 'a driver in the input, whose companion keeps the label',
      cluster: cluster(UBUNTU_POOL, LABEL_GATE),
      policy: clusterPolicy(DRIVER + PLUGIN),
    },
    { name: 'nothing that waits', cluster: cluster(UBUNTU_POOL, LABEL_GATE), policy: clusterPolicy(DRIVER) },
  ],
  invalid: [
    {
      name: 'a plugin that waits',
      cluster: cluster(UBUNTU_POOL, LABEL_GATE),
      policy: clusterPolicy(PLUGIN),
      expected: [`cluster.yaml:7:11 ${WARNING}`],
    },
  ],
});
