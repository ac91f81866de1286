import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (spec: string): string => clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}${spec}`);
const driver = (upgradePolicy: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n    upgradePolicy: ${upgradePolicy}\n`);
const UPGRADED = driver('{autoUpgrade: true}');

const unused = (setting: string): string =>
  `\`${setting}\` has no effect: no driver of the input has \`autoUpgrade: true\``;

testRule('WEFT0241', {
  valid: [
    { name: 'none of them', cluster: cluster('') },
    { name: 'a driver that is upgraded', cluster: cluster('  upgrade: {}\n  companion: {}\n'), policy: UPGRADED },
    {
      name: 'an uninstall',
      cluster: cluster('  upgrade: {failureBudget: 2}\n  driver: {uninstall: true}\n'),
      policy: driver('{}'),
    },
    {
      name: 'a GPU driver that is upgraded',
      cluster: cluster('  upgrade: {}\n  companion: {}\n  gpuDriver: {upgradePolicy: {autoUpgrade: true}}\n'),
    },
    {
      name: 'a companion for the label of the gate',
      cluster: cluster('  companion: {logLevel: error}\n  driver: {gate: label}\n'),
      policy: driver('{}'),
    },
  ],
  invalid: [
    {
      name: 'no driver',
      cluster: cluster('  upgrade: {failureBudget: 2}\n  companion:\n    schedule: ""\n'),
      expected: [`cluster.yaml:9:3 ${unused('spec.upgrade')}`, `cluster.yaml:10:3 ${unused('spec.companion')}`],
      help: 'set `autoUpgrade: true` in the `upgradePolicy` of a driver, or remove it',
    },
    {
      name: 'a driver that is not upgraded, with a companion for the label',
      cluster: cluster('  upgrade: {paused: true}\n  companion: {logLevel: error}\n  driver: {gate: label}\n'),
      policy: driver('{autoUpgrade: false}'),
      expected: [`cluster.yaml:9:3 ${unused('spec.upgrade')}`],
    },
    {
      name: 'an image of Node beside one that has the program',
      cluster: cluster('  companion: {image: "a.example/weft:1", nodeImage: "a.example/node:24"}\n'),
      policy: UPGRADED,
      expected: ['cluster.yaml:9:42 `spec.companion.nodeImage` has no effect: the program is in an image'],
      help: 'remove it, or set `program: configMap` without `image`',
    },
    {
      name: 'NodeMaintenances that nobody makes',
      cluster: cluster('  upgrade: {nodeMaintenance: {namespace: operators}}\n'),
      policy: UPGRADED,
      expected: ['cluster.yaml:9:13 `spec.upgrade.nodeMaintenance` has no effect: the companion drains by itself'],
      help: 'set `drainer: MaintenanceOperator`, or remove it',
    },
  ],
});

const NO_SCHEDULE = '  companion: {schedule: ""}\n';
const needs = (reasons: string): string =>
  `cluster.yaml:9:25 without a schedule nothing runs after the Job has ended, and ${reasons} may need it`;

testRule('WEFT0330', {
  valid: [
    { name: 'upgrades that one run finishes', cluster: cluster(NO_SCHEDULE), policy: UPGRADED },
    { name: 'a schedule', cluster: cluster('  upgrade: {canary: {nodes: 1, soak: 1h}}\n'), policy: UPGRADED },
  ],
  invalid: [
    {
      name: 'a soak',
      cluster: cluster(`${NO_SCHEDULE}  upgrade: {canary: {nodes: 1, soak: 1h}}\n`),
      policy: UPGRADED,
      expected: [needs('`canary`')],
    },
    {
      name: 'a GPU driver, which changes without a change of the input',
      cluster: cluster(`${NO_SCHEDULE}  gpuDriver: {upgradePolicy: {autoUpgrade: true}}\n`),
      expected: [needs('`gpuDriver`')],
    },
    {
      name: 'everything that waits',
      cluster: cluster(
        `${NO_SCHEDULE}  driver: {gate: label}\n` +
          '  upgrade: {maintenanceWindows: [{schedule: "0 22 * * 5", duration: 6h}]}\n',
      ),
      policy: driver('{autoUpgrade: true, safeLoad: true}'),
      expected: [needs('`gate: label`, `maintenanceWindows`, `safeLoad`')],
    },
  ],
});
