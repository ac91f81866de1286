import { describe, expect, it } from '@jest/globals';
import { clusterText, compile } from '../../../test/golden/compile.js';
import { matchesSelector } from './pools.js';

function poolsOf(pools: string, more = '') {
  const { config, diagnostics } = compile({ 'cluster.yaml': clusterText(`${more}  nodePools:\n${pools}`) });
  expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0315']);
  return config?.cluster.pools ?? [];
}

const POOL = 'name: a, osName: ubuntu, osVersion: "24.04", arch: amd64';

describe('node pools', () => {
  it('are one for each kernel, with the labels of their nodes', () => {
    const pools = poolsOf(`    - {${POOL}, kernels: [k1, k2, k1], labels: {x: one}}\n`);
    expect(pools.map(({ kernel, labels }) => [kernel, labels])).toEqual(
      ['k1', 'k2'].map((kernel) => [
        kernel,
        {
          x: 'one',
          'kubernetes.io/arch': 'amd64',
          'feature.node.kubernetes.io/pci-15b3.present': 'true',
          'feature.node.kubernetes.io/system-os_release.ID': 'ubuntu',
          'feature.node.kubernetes.io/system-os_release.VERSION_ID': '24.04',
          'feature.node.kubernetes.io/kernel-version.full': kernel,
        },
      ]),
    );
  });

  it('without a kernel are one, and have no label of it', () => {
    const [pool, ...others] = poolsOf(`    - {${POOL}}\n`);
    expect(others).toEqual([]);
    expect(pool).not.toHaveProperty('kernel');
    expect(Object.keys(pool?.labels ?? {})).not.toContain('feature.node.kubernetes.io/kernel-version.full');
  });

  const runtimes: readonly {
    readonly name: string;
    readonly more: string;
    readonly pool: string;
    readonly expected: string;
  }[] = [
    { name: 'containerd by default', more: '', pool: '', expected: 'containerd' },
    { name: 'CRI-O on OpenShift', more: '  platform: openshift\n', pool: '', expected: 'cri-o' },
    { name: 'as given', more: '  platform: openshift\n', pool: ', containerRuntime: docker', expected: 'docker' },
  ];
  it.each(runtimes)('have a container runtime: $name', ({ more, pool, expected }) => {
    expect(poolsOf(`    - {${POOL}${pool}}\n`, more)[0]?.containerRuntime).toBe(expected);
  });

  it('match a selector by all of its labels; a label that is not known is missing', () => {
    const [pool] = poolsOf(`    - {${POOL}, rhcosVersion: "418.1", labels: {x: one}}\n`);
    if (!pool) throw new Error('there is no pool');
    const matches = (selector: Record<string, string>) => matchesSelector(pool, selector);
    expect(matches({})).toBe(true);
    expect(matches({ x: 'one', 'kubernetes.io/arch': 'amd64' })).toBe(true);
    expect(matches({ 'feature.node.kubernetes.io/system-os_release.OSTREE_VERSION': '418.1' })).toBe(true);
    expect(matches({ x: 'two' })).toBe(false);
    expect(matches({ x: 'one', other: '' })).toBe(false);
    expect(matches({ constructor: 'one' })).toBe(false);
  });
});
