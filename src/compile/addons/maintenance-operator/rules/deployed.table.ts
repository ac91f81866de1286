import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (spec: string): string => clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}${spec}`);
const policy = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  ofedDriver:\n    upgradePolicy: {autoUpgrade: true}\n',
);
const ASKED = '  upgrade: {drainer: MaintenanceOperator}\n';
const DEPLOYED = '  maintenanceOperator: {deploy: true}\n';

testRule('WEFT0334', {
  valid: [
    { name: 'the add-on', cluster: cluster(`${ASKED}${DEPLOYED}`), policy },
    { name: 'the companion as the drainer', cluster: cluster('  upgrade: {drainer: Companion}\n'), policy },
  ],
  invalid: [
    {
      name: 'no add-on',
      cluster: cluster(ASKED),
      policy,
      expected: [
        'cluster.yaml:9:22 `drainer: MaintenanceOperator` needs the Maintenance Operator, which this input does not deploy',
      ],
      help: 'set `spec.maintenanceOperator.deploy: true`; if something else deploys it, silence this warning by a comment',
    },
    {
      name: 'an add-on that is off',
      cluster: cluster(`${ASKED}  maintenanceOperator: {deploy: false}\n`),
      policy,
      expected: [
        'cluster.yaml:9:22 `drainer: MaintenanceOperator` needs the Maintenance Operator, which this input does not deploy',
      ],
    },
  ],
});
