import { expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';

it.each([
  { name: 'no text', release: '26.7', expected: 'cluster.yaml:6:12 WEFT0142 `spec.release` must be a string' },
  {
    name: 'unknown',
    release: 'v1.0',
    expected: 'cluster.yaml:6:12 WEFT0240 there is no release `v1.0` in the catalog',
  },
])('a release that is $name is the only error, not the images that it fills', ({ release, expected }) => {
  const sections = ['ofedDriver: {}', 'nvIpam: {}', 'secondaryNetwork: {multus: {}, cniPlugins: {}}'];
  const { diagnostics } = compile({
    'cluster.yaml': clusterText(`  release: ${release}\n  nodePools:\n${UBUNTU_POOL}`),
    'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', sections.map((one) => `  ${one}\n`).join('')),
  });
  expect(problemLines(diagnostics)).toEqual([expected]);
});
