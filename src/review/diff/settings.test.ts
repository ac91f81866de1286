import { expect, it } from '@jest/globals';
import { clusterText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { sideOf } from '../../../test/review/sides.js';
import { OFED_DRIVER_LABEL } from '../../shared/contract/labels.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import type { ClusterSettings } from '../../shared/contract/cluster-settings.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import { alikeGroups } from './alike.js';
import { diffCluster } from './diff.js';
import { diffGroups } from './groups.js';

const compare = (old: ClusterSettings | undefined, next: ClusterSettings) =>
  diffCluster({
    name: 'east',
    old: { objects: [], ...(old && { settings: old }) },
    next: { objects: [], coverage: [], settings: next },
  }).objects;

it.each<[string, ClusterSettings, ClusterSettings, string, RegExp]>([
  [
    'another context',
    { access: { context: 'a' } },
    { access: { context: 'b' } },
    'policy',
    /reach another live cluster/,
  ],
  ['another source', { gitops: 'a' }, { gitops: 'b' }, 'rights', /applies, from where, and with whose rights/],
  ['a patch', {}, { patches: 'a' }, 'rights', /review `patches` as code/],
  ['patches that go', { patches: 'a' }, {}, 'rights', /review `patches` as code/],
  ['two at once', {}, { access: { context: 'a' }, patches: 'b' }, 'policy', /another live cluster.*patches/s],
])('settings that no object shows: %s', (_name, old, next, impact, note) => {
  const [found, ...more] = compare(old, next);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ kind: 'Cluster', name: 'east', impact });
  expect(found?.notes.join('\n')).toMatch(note);
});

const pool = (name: string, label: string): DriverCoverage => ({
  ...{ pool: name, osName: 'ubuntu', osVersion: '24.04', rhcosVersion: '', arch: 'amd64', kernel: '', taints: [] },
  ...{ labels: [label], policy: 'p', autoUpgrade: false, gate: 'label', daemonSet: 'a/b', image: 'i', digest: 'd' },
});

it('other pools are shown, unless one has only another name', () => {
  const changed = (old: readonly DriverCoverage[], next: readonly DriverCoverage[]) =>
    diffCluster({
      name: 'east',
      old: { objects: [], coverage: old, settings: {} },
      next: { objects: [], coverage: next, settings: {} },
    }).objects.map(({ impact, kind }) => `${kind} ${impact}`);
  const shown = ['Cluster policy'];
  expect(changed([pool('a', 'x=y')], [pool('a', 'x=z')])).toEqual(shown);
  expect(changed([pool('a', 'x=y')], [pool('b', 'x=z')])).toEqual(shown);
  expect(changed([pool('a', 'x=y')], [pool('a', 'x=y'), pool('b', 'x=z')])).toEqual(shown);
  expect(changed([pool('a', 'x=y'), pool('constructor', 'x=z')], [pool('a', 'x=y')])).toEqual(shown);
  expect(changed([pool('a', 'x=y')], [pool('b', 'x=y')])).toEqual([]);
  // The drivers say that.
  expect(changed([], [pool('a', 'x=y')])).toEqual([]);
});

it('a pool without a driver any more is no other node pool', () => {
  const { covered } = sideOf({ 'cluster.yaml': clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`) });
  const [name = ''] = covered.config.cluster.pools.map((one) => one.name);
  const changed = (lost: string) =>
    diffCluster({
      name: 'east',
      old: { objects: [], coverage: [pool('a', 'x=y'), pool(lost, 'x=z')], settings: {} },
      next: { objects: [], coverage: [pool('a', 'x=y')], covered, settings: {} },
    }).objects;
  expect(changed(name)).toEqual([]);
  expect(changed('gone')).toMatchObject([{ kind: 'Cluster', impact: 'policy' }]);
});

it('a node that is given the new labels of its pool loses the driver that is not for them', () => {
  const driver = (nodeSelector: Readonly<Record<string, string>>) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'b', namespace: 'a', labels: { [OFED_DRIVER_LABEL]: '' } },
    spec: { template: { spec: { nodeSelector } } },
  });
  const notes = (label: string, nodeSelector: Readonly<Record<string, string>>) => {
    const objects = [driver(nodeSelector)];
    const old = { objects, coverage: [pool('h100', 'x=y')], settings: {} };
    const next = { objects, coverage: [pool('h100', label)], settings: {} };
    return diffCluster({ name: 'east', old, next }).objects.flatMap((one) => one.notes);
  };
  const lost =
    /^a node that gets the new labels and taints of pool `h100` loses its driver pod at once, .*drain the node first$/;
  expect(notes('x=z', { x: 'y' })).toEqual([expect.stringMatching(/other labels/), expect.stringMatching(lost)]);
  expect(notes('x=z', {})).toEqual([expect.stringMatching(/other labels/)]);
});

it('the same settings, or those that are not known, are no difference', () => {
  expect(compare({ gitops: 'a' }, { gitops: 'a' })).toEqual([]);
  expect(compare(undefined, { gitops: 'a' })).toEqual([]);
});

it('new objects that are reviewed as code are one group only where they are the same', () => {
  const images: Readonly<Record<string, string>> = { east: 'good:1', west: 'evil:1', south: 'good:1' };
  const groups = diffGroups();
  for (const [name, image] of Object.entries(images)) {
    const spec = { containers: [{ name: 'a', image }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name: 't' }, spec };
    const next = { objects: [pod], coverage: [], documents: new Set([identityOf(pod)]) };
    groups.add(diffCluster({ name, old: { objects: [] }, next }));
  }
  expect(alikeGroups(groups.all()).map(({ names }) => names)).toEqual([['east', 'south'], ['west']]);
});
