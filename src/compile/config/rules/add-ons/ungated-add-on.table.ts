import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (more: string): string => clusterText(`  release: v26.4\n${more}  nodePools:\n${UBUNTU_POOL}`);
const policy = (section: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${section}: {}\n`);
const DEPLOYED = '  sriovNetworkOperator: {deploy: true}\n';

testRule('WEFT0303', {
  valid: [
    { name: 'the label', cluster: cluster(`${DEPLOYED}  driver: {gate: label}\n`), policy: policy('ofedDriver') },
    { name: 'no driver', cluster: cluster(DEPLOYED), policy: policy('nicFeatureDiscovery') },
    { name: 'no operator', cluster: cluster(''), policy: policy('ofedDriver') },
    {
      name: 'an operator that configures no node',
      cluster: cluster('  sriovNetworkOperator: {deploy: true, sriovOperatorConfig: {deploy: false}}\n'),
      policy: policy('ofedDriver'),
    },
  ],
  invalid: [
    {
      name: 'the ready file',
      cluster: cluster(DEPLOYED),
      policy: policy('ofedDriver'),
      expected: [
        'cluster.yaml:7:3 with `gate: ready-file` the pods of `sriovNetworkOperator` do not wait for the driver',
      ],
      help: 'set `spec.driver.gate: label` in the Cluster document, with which a node is configured once its driver is loaded',
    },
  ],
});
