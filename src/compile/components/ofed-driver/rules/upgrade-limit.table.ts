import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const POOLS = ['a', 'b'].map(
  (name) => `    - {name: ${name}, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: ${name}}}\n`,
);
const cluster = (more = ''): string => clusterText(`  release: v26.4\n${more}  nodePools:\n${POOLS.join('')}`);
const upgraded = (settings: string): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ofedDriver:\n    upgradePolicy: {autoUpgrade: true, ${settings}}\n`,
  );
const ALL = upgraded('maxParallelUpgrades: 0');
const limit = (selector: string, settings: string): string =>
  `  upgrade: {pools: [{name: x, nodeSelector: {${selector}}, ${settings}}]}\n`;

testRule('WEFT0573', {
  valid: [
    { name: 'a limit', cluster: cluster(), policy: upgraded('maxParallelUpgrades: 1') },
    { name: 'the default limit', cluster: cluster(), policy: upgraded('drain: {enable: false}') },
    { name: 'a drain', cluster: cluster(), policy: upgraded('maxParallelUpgrades: 0, drain: {}') },
    {
      name: 'pods that must finish first',
      cluster: cluster(),
      policy: upgraded('maxParallelUpgrades: 0, waitForCompletion: {podSelector: job=training}'),
    },
    {
      name: 'no upgrades',
      cluster: cluster(),
      policy: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        '  ofedDriver: {upgradePolicy: {maxParallelUpgrades: 0}}\n',
      ),
    },
    { name: 'a rack at a time', cluster: cluster('  upgrade: {topologyKey: rack}\n'), policy: ALL },
    {
      name: 'the limit of the Maintenance Operator',
      cluster: cluster('  upgrade: {drainer: MaintenanceOperator}\n'),
      policy: ALL,
    },
    { name: 'a limit of all pools', cluster: cluster(limit('', 'maxParallelUpgrades: 2')), policy: ALL },
  ],
  invalid: [
    {
      name: 'no limit and no drain',
      cluster: cluster(),
      policy: upgraded('maxParallelUpgrades: 0, drain: {enable: false}'),
      expected: [
        'policy.yaml:7:61 with `maxParallelUpgrades: 0` and no drain all nodes of `a`, `b` lose their network at once, under their pods',
      ],
      help: 'set `drain: {enable: true}`, and a limit such as `maxParallelUpgrades: 1`; where no pod needs the network then, write `# weft-ignore WEFT0573: reason` above it',
    },
    {
      name: 'a limit of one pool',
      cluster: cluster(limit('pool: a', 'maxUnavailable: 1')),
      policy: ALL,
      expected: [
        'policy.yaml:7:61 with `maxParallelUpgrades: 0` and no drain all nodes of `b` lose their network at once, under their pods',
      ],
    },
    {
      name: 'an upgrade pool without a limit',
      cluster: cluster(limit('pool: a', 'maxParallelUpgrades: 0')),
      policy: ALL,
      expected: [
        'policy.yaml:7:61 with `maxParallelUpgrades: 0` and no drain all nodes of `a`, `b` lose their network at once, under their pods',
      ],
    },
  ],
});
