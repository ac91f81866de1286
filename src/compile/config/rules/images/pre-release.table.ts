import { expect, it } from '@jest/globals';
import { proposedRelease, releases } from '../../../releases/catalog.js';
import { clusterText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (release: string): string => clusterText(`  release: ${release}\n  nodePools: []\n`);

testRule('WEFT0310', {
  valid: [
    { name: 'a final release', cluster: cluster('v26.4') },
    { name: 'no release', cluster: clusterText('  nodePools: []\n') },
  ],
  invalid: [
    {
      name: 'a pre-release',
      cluster: cluster('v26.7'),
      expected: ['cluster.yaml:6:12 release `v26.7` is a pre-release: its images are those of v26.7.0-rc.1'],
      help: '`v26.4` is the newest final release',
    },
  ],
});

it('a release is marked as a pre-release where its images are', () => {
  const isPre = (version: string) => /-(?:alpha|beta|rc)\b/.test(version);
  for (const { preRelease, images } of releases) {
    expect(Object.values(images).some(({ version }) => isPre(version))).toBe(preRelease !== undefined);
  }
  expect(proposedRelease.release).toBe('v26.4');
});
