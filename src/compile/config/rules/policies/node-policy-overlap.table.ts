import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const pool = (name: string, labels: string): string =>
  UBUNTU_POOL.replace('workers', name).replace('}', `, labels: {${labels}}}`);
const cluster = clusterText(`  nodePools:\n${pool('one', 'a: x, b: "1"')}${pool('two', 'a: x, b: "2"')}`);
const policy = (name: string, selector: string): string =>
  policyText('NicNodePolicy', name, `  nodeSelector: ${selector}\n`);

testRule('WEFT0232', {
  valid: [
    { name: 'other pools', cluster, policy: [policy('p', '{b: "1"}'), policy('q', '{b: "2"}')].join('---\n') },
    {
      name: 'a cluster policy beside',
      cluster,
      policy: [policy('p', '{b: "1"}'), policyText('NicClusterPolicy', 'nic-cluster-policy', '  {}\n')].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'one pool of two',
      cluster,
      policy: [policy('q', '{b: "2"}'), policy('p', '{a: x}')].join('---\n'),
      expected: ['policy.yaml:6:3 NicNodePolicy `q` and NicNodePolicy `p` both select node pool `two`'],
      help: 'narrow one `nodeSelector`, so that each node belongs to one policy at most',
    },
    {
      name: 'no selector, which is every pool',
      cluster,
      policy: [policyText('NicNodePolicy', 'p', '  {}\n'), policy('q', '{a: x}')].join('---\n'),
      expected: ['policy.yaml:13:3 NicNodePolicy `q` and NicNodePolicy `p` both select node pools `one`, `two`'],
    },
    {
      name: 'three policies, pair by pair',
      cluster,
      policy: ['p', 'q', 'r'].map((name) => policy(name, '{b: "1"}')).join('---\n'),
      expected: [
        'policy.yaml:13:3 NicNodePolicy `q` and NicNodePolicy `p` both select node pool `one`',
        'policy.yaml:20:3 NicNodePolicy `r` and NicNodePolicy `p` both select node pool `one`',
        'policy.yaml:20:3 NicNodePolicy `r` and NicNodePolicy `q` both select node pool `one`',
      ],
    },
  ],
});
