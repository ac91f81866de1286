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
const GPU = 'gpuDriver: {operator: true, upgradePolicy: {autoUpgrade: true}}';
const SRIOV = 'sriovNetworkOperator: {deploy: true, operator: {externalDrainer: {enabled: true}}}';

testRule('WEFT0333', {
  valid: [
    { name: 'an OFED driver', cluster: cluster(`${ASKED}${DEPLOYED}`), policy },
    {
      name: 'a GPU driver of the companion',
      cluster: cluster(`${ASKED}${DEPLOYED}  ${GPU.replace('true', 'false')}\n`),
    },
    { name: 'the companion as the drainer', cluster: cluster(`  upgrade: {drainer: Companion}\n  ${GPU}\n`), policy },
  ],
  invalid: [
    {
      name: 'the GPU operator and the SR-IOV operator',
      cluster: cluster(`${ASKED}${DEPLOYED}  ${GPU}\n  ${SRIOV}\n`),
      policy,
      expected: [
        'cluster.yaml:9:22 `drainer: MaintenanceOperator` is not implemented together with `externalDrainer.enabled: true`',
        'cluster.yaml:9:22 `drainer: MaintenanceOperator` is not implemented together with `gpuDriver.operator: true`',
      ],
    },
  ],
});
