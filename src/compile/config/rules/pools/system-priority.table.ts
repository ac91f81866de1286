import { clusterText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (labels: string, more = ''): string =>
  clusterText(
    `  release: v26.4\n${more}  nodePools:\n    - {name: a, osName: ubuntu, osVersion: "22.04", arch: amd64, labels: {${labels}}}\n`,
  );
const gke = cluster('cloud.google.com/gke-nodepool: h100');
const quota = (namespace: string, classes: string): string => `apiVersion: v1
kind: ResourceQuota
metadata: {name: system-pods, namespace: ${namespace}}
spec:
  hard: {pods: "500"}
  scopeSelector:
    matchExpressions:
      - {scopeName: PriorityClass, operator: In, values: [${classes}]}
`;
const both = 'system-node-critical, system-cluster-critical';
const missing = (classes: string): string =>
  `cluster.yaml:8:74 pool \`a\` is of GKE, and no ResourceQuota of namespace \`nvidia-network-operator\` is for the priority class ${classes}`;

testRule('WEFT0349', {
  valid: [
    { name: 'nodes of another platform', cluster: cluster('example.com/pool: h100') },
    { name: 'a quota for both', cluster: gke, network: quota('nvidia-network-operator', both) },
    {
      name: 'kube-system needs none',
      cluster: cluster('cloud.google.com/gke-nodepool: h100', '  namespace: kube-system\n'),
    },
  ],
  invalid: [
    {
      name: 'no quota',
      cluster: gke,
      expected: [missing('`system-node-critical`, `system-cluster-critical`')],
    },
    {
      name: 'a kernel of Google',
      cluster: clusterText(
        '  release: v26.4\n  nodePools:\n    - {name: a, osName: ubuntu, osVersion: "22.04", arch: amd64, kernel: 6.8.0-1010-gke}\n',
      ),
      expected: [missing('`system-node-critical`, `system-cluster-critical`')],
    },
    {
      name: 'a quota of another namespace',
      cluster: gke,
      network: quota('other', both),
      expected: [missing('`system-node-critical`, `system-cluster-critical`')],
    },
    {
      name: 'a quota for one of them',
      cluster: gke,
      network: quota('nvidia-network-operator', 'system-node-critical'),
      expected: [missing('`system-cluster-critical`')],
    },
  ],
});
