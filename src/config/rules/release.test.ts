import { clusterText } from '../../../test/golden/compile.js';
import { releaseNames } from '../../releases/catalog.js';
import { testRule } from '../../../test/golden/rule-table.js';

const cluster = (release: string): string => clusterText(`  release: ${release}\n  nodePools: []\n`);

testRule('WEFT0240', {
  valid: [
    { name: 'a release', cluster: cluster('v26.7') },
    { name: 'no release', cluster: clusterText('  nodePools: []\n') },
  ],
  invalid: [
    {
      name: 'another version',
      cluster: cluster('v26.77'),
      expected: ['cluster.yaml:6:12 there is no release `v26.77` in the catalog'],
      help: `did you mean \`v26.7\`? known releases: ${releaseNames.join(', ')}`,
    },
    {
      name: 'the name of a method',
      cluster: cluster('toString'),
      expected: ['cluster.yaml:6:12 there is no release `toString` in the catalog'],
      help: `known releases: ${releaseNames.join(', ')}`,
    },
  ],
});
