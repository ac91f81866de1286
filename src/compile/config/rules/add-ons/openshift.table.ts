import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (platform: string): string =>
  clusterText(`  release: v26.4\n  platform: ${platform}\n  whereabouts: {deploy: true}\n  nodePools:\n${UBUNTU_POOL}`);

testRule('WEFT0481', {
  valid: [{ name: 'Kubernetes', cluster: cluster('kubernetes') }],
  invalid: [
    {
      name: 'OpenShift',
      cluster: cluster('openshift'),
      expected: ['cluster.yaml:8:25 on OpenShift the Cluster Network Operator installs this'],
      help: 'remove `deploy`',
    },
  ],
});
