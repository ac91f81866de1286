import { clusterText } from '../../../../../test/golden/compile.js';
import { releaseNames } from '../../../releases/catalog.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const KNOWN = `known releases: ${releaseNames.join(', ')}`;
const VERSIONS = '`v26.4` is v26.4.2, and its versions are v26.4.2, v26.4.1, v26.4.0';
const cluster = (release: string): string => clusterText(`  release: ${release}\n  nodePools: []\n`);

testRule('WEFT0142', {
  valid: [{ name: 'text', cluster: cluster('v26.7') }],
  invalid: [
    {
      name: 'a number',
      cluster: cluster('26.4'),
      expected: ['cluster.yaml:6:12 `spec.release` must be a string'],
      help: `write \`v26.4\`; ${VERSIONS}; ${KNOWN}`,
    },
    {
      name: 'a list',
      cluster: cluster('[v26.7]'),
      expected: ['cluster.yaml:6:12 `spec.release` must be a string'],
      help: KNOWN,
    },
    {
      name: 'a number whose zero YAML drops',
      cluster: cluster('25.10'),
      expected: ['cluster.yaml:6:12 `spec.release` must be a string'],
      help: `NVIDIA does not support it any more: upgrade the operator to v26.4 first; ${KNOWN}`,
    },
  ],
});

testRule('WEFT0240', {
  valid: [
    { name: 'a release', cluster: cluster('v26.7') },
    { name: 'a version of a release', cluster: cluster('v26.7.0') },
    { name: 'no release', cluster: clusterText('  nodePools: []\n') },
  ],
  invalid: [
    {
      name: 'another version',
      cluster: cluster('v26.77'),
      expected: ['cluster.yaml:6:12 there is no release `v26.77` in the catalog'],
      help: `did you mean \`v26.7\`? ${KNOWN}`,
    },
    ...[
      { release: 'v26.4.9', help: `write \`v26.4\`; ${VERSIONS}; ${KNOWN}` },
      { release: '26.4.1', help: `write \`v26.4.1\`; ${VERSIONS}; ${KNOWN}` },
      { release: '"26.4"', help: `write \`v26.4\`; ${VERSIONS}; ${KNOWN}` },
      { release: 'v26.04', help: `write \`v26.4\`; ${VERSIONS}; ${KNOWN}` },
      {
        release: 'v26.1',
        help: `NVIDIA does not support it any more: upgrade the operator to v26.4 first; ${KNOWN}`,
      },
      { release: 'v27.1', help: `it is newer than this version of Weft; ${KNOWN}` },
      { release: 'v26.11', help: `it is newer than this version of Weft; ${KNOWN}` },
      { release: 'v26.5', help: KNOWN },
    ].map(({ release, help }) => ({
      name: `a number: ${release}`,
      cluster: cluster(release),
      expected: [`cluster.yaml:6:12 there is no release \`${release.replaceAll('"', '')}\` in the catalog`],
      help,
    })),
    {
      name: 'the name of a method',
      cluster: cluster('toString'),
      expected: ['cluster.yaml:6:12 there is no release `toString` in the catalog'],
      help: KNOWN,
    },
  ],
});
