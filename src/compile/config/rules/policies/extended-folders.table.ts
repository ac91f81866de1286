import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

testRule('WEFT0111', {
  valid: [{ name: 'nothing', cluster: clusterText(`  extends: []\n  nodePools:\n${UBUNTU_POOL}`) }],
  invalid: [
    {
      name: 'a folder',
      cluster: clusterText(`  extends: [../base]\n  nodePools:\n${UBUNTU_POOL}`),
      expected: ['cluster.yaml:6:3 `extends` has no effect in a program that uses the library, which reads no files'],
    },
  ],
});
