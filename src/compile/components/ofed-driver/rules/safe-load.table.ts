import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (upgradePolicy: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n    upgradePolicy: ${upgradePolicy}\n`);

testRule('WEFT0211', {
  valid: [
    { name: 'neither', policy: policy('{}') },
    { name: 'both', policy: policy('{autoUpgrade: true, safeLoad: true}') },
    { name: 'upgrades alone', policy: policy('{autoUpgrade: true}') },
  ],
  invalid: [
    {
      name: 'safeLoad alone',
      policy: policy('{safeLoad: true}'),
      expected: ['policy.yaml:7:31 `spec.ofedDriver.upgradePolicy.safeLoad` needs `autoUpgrade: true` beside it'],
      help: 'set `autoUpgrade: true`, or remove `safeLoad`',
    },
  ],
});

const pools = (initContainer: string): string =>
  clusterText(
    `  release: v26.4\n${initContainer}  nodePools:\n${UBUNTU_POOL.replace('}', ', labels: {pool: a}}')}${UBUNTU_POOL.replace(
      'workers',
      'others',
    ).replace('}', ', labels: {pool: b}}')}`,
  );
const nodePolicy = (name: string, pool: string, safeLoad: boolean): string =>
  policyText(
    'NicNodePolicy',
    name,
    `  nodeSelector: {pool: ${pool}}\n  ofedDriver:\n    upgradePolicy: {autoUpgrade: true, safeLoad: ${safeLoad}}\n`,
  );

testRule('WEFT0218', {
  valid: [
    {
      name: 'two that agree',
      cluster: pools(''),
      policy: [nodePolicy('first', 'a', true), nodePolicy('second', 'b', true)].join('---\n'),
    },
    {
      name: 'no init container that reads it',
      cluster: pools('  driver: {initContainerImage: ""}\n'),
      policy: [nodePolicy('first', 'a', true), nodePolicy('second', 'b', false)].join('---\n'),
    },
    {
      name: 'one that reaches no node',
      cluster: pools(''),
      policy: [nodePolicy('first', 'a', true), nodePolicy('second', 'c', false)].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'two that differ',
      cluster: pools(''),
      policy: [nodePolicy('second', 'b', false), nodePolicy('first', 'a', true)].join('---\n'),
      expected: ['policy.yaml:16:3 `safeLoad` is one setting for the namespace, and first and second differ in it'],
      help: 'give both the same `upgradePolicy`; the one of second, the last by name, counts',
    },
  ],
});
