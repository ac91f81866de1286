import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (...pools: readonly string[]): string =>
  clusterText(`  release: v26.4\n  nodePools:\n${pools.map((pool) => `    - {${pool}}\n`).join('')}`);
const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n');
const POOL = 'osName: ubuntu, osVersion: "24.04", arch: amd64';
const RHEL = POOL.replace('ubuntu', 'rhel');

testRule('WEFT0216', {
  valid: [
    { name: 'labels only', cluster: cluster(`name: a, ${POOL}, labels: {a: b}`, `name: b, ${POOL}`), policy },
    {
      name: 'other kernels',
      cluster: cluster(`name: a, ${POOL}, kernel: "1"`, `name: b, ${POOL}, kernel: "2", containerRuntime: cri-o`),
      policy,
    },
    {
      name: 'runtimes, where they change nothing',
      cluster: cluster(`name: a, ${POOL}`, `name: b, ${POOL}, containerRuntime: cri-o`),
      policy,
    },
    {
      name: 'a pool of another policy',
      cluster: cluster(`name: a, ${POOL}`, `name: b, ${POOL}, containerRuntime: cri-o`),
      policy: policyText('NicNodePolicy', 'none', '  nodeSelector: {a: b}\n  ofedDriver: {}\n'),
    },
  ],
  invalid: [
    {
      name: 'runtime and RHCOS version',
      cluster: cluster(`name: a, ${RHEL}`, `name: b, ${RHEL}, containerRuntime: cri-o, rhcosVersion: "1"`),
      policy,
      expected: [
        'cluster.yaml:9:14 node pools `a` and `b` share a driver DaemonSet, but differ in containerRuntime and rhcosVersion',
      ],
      help: 'give the pools a policy each, by their labels',
    },
  ],
});

testRule('WEFT0217', {
  valid: [
    { name: 'both name a kernel', cluster: clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`), policy },
    { name: 'neither does', cluster: cluster(`name: a, ${POOL}`, `name: b, ${POOL}`), policy },
    {
      name: 'another OS version',
      cluster: cluster(`name: a, ${POOL}`, `name: b, ${POOL.replace('24.04', '22.04')}, kernel: "1"`),
      policy,
    },
  ],
  invalid: [
    {
      name: 'only one does',
      cluster: cluster(`name: a, ${POOL}, kernels: ["1", "2"]`, `name: b, ${POOL}`),
      policy,
      expected: [
        'cluster.yaml:9:14 node pools `a` and `b` overlap: only one of them names its kernel',
        'cluster.yaml:9:14 node pools `a` and `b` overlap: only one of them names its kernel',
      ],
      help: 'name the kernels of both, or of neither',
    },
  ],
});

testRule('WEFT0221', {
  valid: [
    { name: 'a version with a dot', cluster: cluster(`name: a, ${POOL}`), policy },
    { name: 'another OS without a driver', cluster: cluster('name: a, osName: Other_OS, osVersion: "1", arch: amd64') },
    {
      name: 'a long name of a policy, which has an error of its own',
      cluster: cluster(`name: a, ${POOL}, labels: {a: b}`),
      policy: policyText('NicNodePolicy', 'n'.repeat(60), '  nodeSelector: {a: b}\n  ofedDriver: {}\n'),
    },
    {
      name: 'a misspelt OS, which has an error of its own',
      cluster: cluster('name: a, osName: Ubuntu, osVersion: "24.04", arch: amd64'),
      policy,
    },
  ],
  invalid: [
    {
      name: 'letters that no name has',
      cluster: cluster('name: a, osName: My_OS, osVersion: "24.04", arch: amd64', `name: b, ${POOL.replace('.', '_')}`),
      policy,
      expected: [
        'cluster.yaml:8:25 node pool `a` gives its driver DaemonSet the name `mofed-My_OS24.04-ds`, which Kubernetes refuses',
        'cluster.yaml:9:25 node pool `b` gives its driver DaemonSet the name `mofed-ubuntu24_04-ds`, which Kubernetes refuses',
      ],
    },
    {
      name: 'a name of a policy that is too long behind the system',
      cluster: cluster(`name: a, ${POOL}, labels: {a: b}`),
      policy: policyText('NicNodePolicy', 'n'.repeat(48), '  nodeSelector: {a: b}\n  ofedDriver: {}\n'),
      expected: [
        `cluster.yaml:8:25 node pool \`a\` gives its driver DaemonSet the name \`mofed-ubuntu24.04-${'n'.repeat(48)}-ds\`, which Kubernetes refuses`,
      ],
      help: `shorten the name of NicNodePolicy \`${'n'.repeat(48)}\`: both together have at most 63 characters`,
    },
    {
      name: 'too many letters for a label',
      cluster: cluster(`name: a, ${POOL.replace('ubuntu', 'u'.repeat(60))}`),
      policy,
      expected: [
        `cluster.yaml:8:25 node pool \`a\` gives its driver DaemonSet the name \`mofed-${'u'.repeat(60)}24.04-ds\`, which Kubernetes refuses`,
      ],
    },
  ],
});
