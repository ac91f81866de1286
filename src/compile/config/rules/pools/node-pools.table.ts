import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (pools: string): string => clusterText(`  nodePools:\n${pools}`);

testRule('WEFT0237', {
  valid: [
    { name: 'other names', cluster: cluster(UBUNTU_POOL + UBUNTU_POOL.replace('workers', 'others')) },
    { name: 'kernels', cluster: cluster(UBUNTU_POOL.replace('kernel: 6.8.0-31-generic', 'kernels: [a, b]')) },
  ],
  invalid: [
    {
      name: 'one name',
      cluster: cluster(UBUNTU_POOL + UBUNTU_POOL + UBUNTU_POOL),
      expected: [
        'cluster.yaml:8:14 there are two node pools `workers`',
        'cluster.yaml:9:14 there are two node pools `workers`',
      ],
      help: 'give each pool its own name',
    },
    {
      name: 'kernel and kernels',
      cluster: cluster(UBUNTU_POOL.replace('}', ', kernels: [a, b]}')),
      expected: ['cluster.yaml:7:72 node pool `workers` has both `kernel` and `kernels`'],
      help: 'keep `kernels`, with all of them',
    },
  ],
});
