import { describe, expect, it } from '@jest/globals';
import { clusterText, policyText, type Files } from '../../../test/golden/compile.js';
import { diffOf } from '../../../test/review/sides.js';

/** A pool whose label changes with the selector of its policy: the driver pods are deleted, and start again by themselves. */
const filesOf = (pool: string, more = ''): Files => ({
  'cluster.yaml': clusterText(
    `  release: v26.4\n  nodePools: [{name: a, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: ${pool}}}]\n${more}`,
  ),
  'policy.yaml': policyText(
    'NicNodePolicy',
    'p',
    `  nodeSelector: {pool: ${pool}}\n  ofedDriver: {version: 25.07-0.9.7.0-0, upgradePolicy: {autoUpgrade: true, safeLoad: true, drain: {}}}\n`,
  ),
});

describe('a driver that is loaded safely, and starts by itself', () => {
  const added = (more = ''): Files => {
    const files = filesOf('x', more);
    const cluster = files['cluster.yaml'] ?? '';
    const pools = /nodePools: \[(.*)\]\n/.exec(cluster)?.[1] ?? '';
    return {
      ...files,
      'cluster.yaml': cluster.replace(
        pools,
        `${pools}, ${pools.replace('name: a', 'name: b').replace('24.04', '22.04')}`,
      ),
    };
  };

  it('has its nodes drained', () => {
    expect(diffOf(filesOf('x'), added()).nodes).toMatchObject([
      { step: 'installed', end: 'new', isDrainedToLoad: true, places: [{ pool: 'b' }] },
    ]);
  });

  it('has its nodes drained also where only another policy, whose settings all init containers read, asks for it', () => {
    const other = (files: Files): Files => ({
      ...files,
      'o.yaml': policyText(
        'NicNodePolicy',
        'o',
        '  nodeSelector: {pool: other}\n  ofedDriver: {version: 25.07-0.9.7.0-0, upgradePolicy: {autoUpgrade: true, drain: {enable: true}}}\n',
      ),
    });
    const cluster = (pools: string): string => clusterText(`  release: v26.4\n  nodePools: [${pools}]\n`);
    const pool = (name: string, value: string) =>
      `{name: ${name}, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: ${value}}}`;
    const old = { ...filesOf('x'), 'cluster.yaml': cluster(pool('a', 'x')) };
    const next = other({ ...filesOf('x'), 'cluster.yaml': cluster(`${pool('a', 'x')}, ${pool('b', 'other')}`) });
    expect(diffOf(old, next).nodes).toMatchObject([
      { step: 'installed', isDrainedToLoad: true, places: [{ pool: 'b' }] },
    ]);
  });

  it('is not loaded while the companion is paused', () => {
    const [row] = diffOf(filesOf('x'), added('  upgrade: {paused: true}\n')).nodes;
    expect(row).toMatchObject({ step: 'installed' });
    expect(row).not.toHaveProperty('isDrainedToLoad');
  });
});
