import { clusterText } from '../../../../test/golden/compile.js';
import { testRule } from '../../../../test/golden/rule-table.js';

const cluster = (spec: string): string => clusterText(`  nodePools: []\n${spec}`);
const fact = (setting: string): string => `\`${setting}\` has no effect: this version renders no companion`;

testRule('WEFT0241', {
  valid: [
    { name: 'none of them', cluster: cluster('') },
    { name: 'an uninstall that is off', cluster: cluster('  driver: {uninstall: false}\n') },
  ],
  invalid: [
    {
      name: 'all of them',
      cluster: cluster('  upgrade: {failureBudget: 2}\n  companion:\n    schedule: ""\n  driver: {uninstall: true}\n'),
      expected: [
        `cluster.yaml:7:3 ${fact('spec.upgrade')}`,
        `cluster.yaml:8:3 ${fact('spec.companion')}`,
        `cluster.yaml:10:12 ${fact('spec.driver.uninstall')}`,
      ],
      help: 'remove it, or keep it for the version that does',
    },
  ],
});
