import { clusterText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const POOLS = ['h100', 'gb200'].map(
  (name) =>
    `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic, labels: {pool: ${name}}}\n`,
);
const cluster = clusterText(`  release: v26.7\n  nodePools:\n${POOLS.join('')}`);
const policy = (nodeSelector: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkNodePolicy\nmetadata: {name: a, namespace: nvidia-network-operator}\nspec:\n  resourceName: r\n  numVfs: 8\n  nicSelector: {vendor: "15b3"}\n  nodeSelector: ${nodeSelector}\n`;
const pool = (expression: string): string =>
  `apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: a}\nspec:\n  subnet: 10.0.0.0/16\n  perNodeBlockSize: 50\n  nodeSelector: {nodeSelectorTerms: [{matchExpressions: [${expression}]}]}\n`;
const poolConfig = (nodeSelector: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkPoolConfig\nmetadata: {name: a, namespace: nvidia-network-operator}\nspec:\n  maxUnavailable: 1\n  nodeSelector: ${nodeSelector}\n`;

testRule('WEFT0348', {
  valid: [
    { name: 'a pool', cluster, policy: policy('{pool: gb200}') },
    { name: 'labels that no pool lists', cluster, policy: policy('{feature.node.kubernetes.io/a: "true"}') },
    { name: 'all nodes', cluster, policy: poolConfig('{}') },
    { name: 'a term', cluster, policy: pool('{key: pool, operator: In, values: [a, h100]}') },
    { name: 'labels beside expressions', cluster, policy: poolConfig('{matchLabels: {pool: h100}}') },
  ],
  invalid: [
    {
      name: 'a value that no pool has',
      cluster,
      policy: policy('{pool: h1000}'),
      expected: [
        'policy.yaml:8:17 SriovNetworkNodePolicy `a` selects no node pool: no node gets virtual functions from it',
      ],
      help: 'every pool has another value of a label: correct the selector, or the labels in `spec.nodePools`',
    },
    {
      name: 'a term',
      cluster,
      policy: pool('{key: pool, operator: In, values: [h1000]}'),
      expected: ['policy.yaml:7:17 IPPool `a` selects no node pool: no node gets addresses of it'],
    },
    {
      name: 'another system than Linux',
      cluster,
      policy: pool('{key: kubernetes.io/os, operator: In, values: [windows]}'),
      expected: ['policy.yaml:7:17 IPPool `a` selects no node pool: no node gets addresses of it'],
    },
    {
      name: 'an expression',
      cluster,
      policy: poolConfig('{matchExpressions: [{key: pool, operator: DoesNotExist}]}'),
      expected: ['policy.yaml:6:17 SriovNetworkPoolConfig `a` selects no node pool: it has no effect'],
    },
  ],
});
