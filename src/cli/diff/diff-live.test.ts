import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { findRelease } from '../../compile/releases/catalog.js';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';

const NAMESPACE = 'nvidia-network-operator';
const DOCUMENT = `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  release: v26.4
  nodePools: [{name: main, osName: ubuntu, osVersion: "24.04", arch: amd64}]
---
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec: {nicFeatureDiscovery: {}}
`;

let root: string;
let objects: readonly KubernetesObject[];
const makeFolder = () => {
  root = mkdtempSync(join(tmpdir(), 'weft-live-'));
  mkdirSync(join(root, 'clusters/east'), { recursive: true });
  writeFileSync(join(root, 'clusters/east/all.yaml'), DOCUMENT);
};
const removeFolder = () => rmSync(root, { recursive: true });
beforeAll(async () => {
  makeFolder();
  const { stdout } = await weft('synth clusters/east -o json');
  objects = (JSON.parse(stdout) as { readonly items: readonly KubernetesObject[] }).items;
  removeFolder();
});
beforeEach(makeFolder);
afterEach(removeFolder);

async function weft(args: string, stdin = '') {
  return runWeft(args.split(' '), {
    readStdin: () => Promise.resolve(stdin),
    cwd: root,
    env: withCluster(join(root, 'live.json')),
  });
}

/** The objects as they would be with another image in the DaemonSet. */
const withImage = (image: string) =>
  objects.map((object) => {
    const copy = structuredClone(object) as unknown as {
      spec: { template: { spec: { containers: { image: string }[] } } };
    };
    const [container] = object.kind === 'DaemonSet' ? copy.spec.template.spec.containers : [];
    if (container !== undefined) container.image = image;
    return copy as unknown as KubernetesObject;
  });
const listOf = (items: readonly object[]) => ({ metadata: { resourceVersion: '1' }, items });

/** A cluster with these objects, which serves their kinds. */
function writeCluster(live: readonly KubernetesObject[]): void {
  const paths: Record<string, object> = { '/api/v1/nodes': listOf([]), '/api/v1/pods': listOf([]) };
  const resources = new Map<string, Map<string, object>>();
  for (const { apiVersion, kind, metadata } of objects) {
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const name = `${kind.toLowerCase()}s`;
    const namespaced = metadata.namespace !== undefined;
    resources.set(group, (resources.get(group) ?? new Map<string, object>()).set(kind, { name, kind, namespaced }));
    const items = live.filter((object) => object.kind === kind);
    paths[namespaced ? `${group}/namespaces/${NAMESPACE}/${name}` : `${group}/${name}`] = listOf(items);
  }
  for (const [group, kinds] of resources) paths[group] = { resources: [...kinds.values()] };
  writeFileSync(join(root, 'live.json'), JSON.stringify(paths));
}

describe('weft diff --live', () => {
  it('finds no differences where the cluster has what is rendered', async () => {
    writeCluster(objects);
    const { exit, stdout, stderr } = await weft('diff --live');
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: '', stderr: 'no differences from the live cluster\n' });
  });

  it('names pods that restart, counts what is new, and takes the gate of the caller', async () => {
    writeCluster(withImage('x:1').filter(({ kind }) => kind !== 'Namespace'));
    const { exit, stdout } = await weft('diff --context east');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^east: restart: 1 DaemonSet, add: 1 Namespace\n/);
    expect(stdout).toContain('spec.template.spec.containers[nic-feature-discovery].image: "x:1" -> ');
    expect(stdout).not.toContain('+ Namespace');
    expect((await weft('diff --live --all')).stdout).toContain('+ Namespace nvidia-network-operator');
    expect((await weft('diff --live --fail-on drain')).exit).toBe(0);
    expect(JSON.parse((await weft('diff --live --format json')).stdout)).toMatchObject({
      old: 'the live cluster',
      clusters: [{ objects: [{ impact: 'restart' }, { impact: 'add' }] }],
    });
  });

  it('leaves out addresses in use where the pods of all namespaces may not be listed', async () => {
    writeCluster(objects);
    const live = JSON.parse(readFileSync(join(root, 'live.json'), 'utf8')) as Record<string, object>;
    const message = 'pods is forbidden: User "x" cannot list resource "pods" in API group ""';
    writeFileSync(
      join(root, 'live.json'),
      JSON.stringify({ ...live, '/api/v1/pods': { kind: 'Status', code: 403, message } }),
    );
    const { exit, stderr } = await weft('diff --live');
    expect(exit).toBe(0);
    expect(stderr).toContain('warning[WEFT0412]: objects of Pod are not compared: pods is forbidden');
  });

  it('refuses another old side, and several clusters without contexts of their own', async () => {
    expect((await weft('diff HEAD --live')).stderr).toContain('WEFT0058');
    mkdirSync(join(root, 'clusters/west'));
    writeFileSync(join(root, 'clusters/west/all.yaml'), DOCUMENT.replace('name: east', 'name: west'));
    expect((await weft('diff --live')).stderr).toContain('error[WEFT0410]');
    // One of them has errors: the context of the other is not known either.
    writeFileSync(join(root, 'clusters/west/all.yaml'), 'a: [');
    expect(await weft('diff --live')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('WEFT0410'),
    });
  });

  it('compares the clusters without errors', async () => {
    writeCluster(withImage('x:1'));
    mkdirSync(join(root, 'clusters/west'));
    const named = (text: string) => text.replace('spec:\n', 'spec:\n  access: {context: east}\n');
    writeFileSync(join(root, 'clusters/east/all.yaml'), named(DOCUMENT));
    writeFileSync(join(root, 'clusters/west/all.yaml'), 'a: [');
    const { exit, stdout, stderr } = await weft('diff --live');
    expect([exit, stdout.split('\n').slice(0, 3)]).toEqual([
      2,
      ['1 cluster with errors, not compared: WEFT0001: west', '', 'east: restart: 1 DaemonSet'],
    ]);
    expect(stderr).toMatch(/1 error; 1 of 2 clusters not compared\n$/);
  });
});

describe('weft diff -', () => {
  it('compares the kinds of standard input', async () => {
    const items = withImage('x:1').filter(({ kind }) => kind === 'DaemonSet');
    const { exit, stdout } = await weft('diff -', JSON.stringify({ kind: 'List', items }));
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^east: restart: 1 DaemonSet\n/);
    expect((await weft('diff -', JSON.stringify({ kind: 'List', items: objects }))).exit).toBe(0);
  });

  it('knows the companion, also where Jobs are not among these kinds', async () => {
    const upgraded = DOCUMENT.replace(
      '{nicFeatureDiscovery: {}}',
      '{ofedDriver: {upgradePolicy: {autoUpgrade: true}}}',
    );
    writeFileSync(join(root, 'clusters/east/all.yaml'), upgraded);
    const { items } = JSON.parse((await weft('synth -o json')).stdout) as {
      readonly items: readonly KubernetesObject[];
    };
    const old = items.filter(({ kind }) => kind === 'DaemonSet' || kind === 'ConfigMap');
    const { stdout } = await weft(
      'diff -',
      JSON.stringify({ kind: 'List', items: old }).replaceAll('doca-driver:', 'doca-driver:x'),
    );
    expect(stdout).toContain('the nodes get driver');
    expect(stdout).not.toContain('no companion');
    expect(stdout).not.toContain(' Job');
  });

  describe('with the operator', () => {
    const deployment = (
      image: string,
      namespace = NAMESPACE,
      labels = {},
      env: readonly object[] = [],
      replicas?: number,
    ) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'operator', namespace, labels },
      spec: {
        replicas,
        template: {
          metadata: { labels: { 'control-plane': 'nvidia-network-operator-controller' } },
          spec: {
            containers: [{ name: 'manager', image: `nvcr.io/nvidia/cloud-native/network-operator${image}`, env }],
          },
        },
      },
    });
    const NOTE =
      'the operator that runs is v26.7.0, and the output is that of v26.4: `release: v26.7.0` in the Cluster compares with what the operator renders';
    const DIGEST = `@sha256:${'a'.repeat(64)}`;
    const INIT = `r/i@${findRelease('v26.7.0')?.images['NetworkOperatorInitContainer']?.digest ?? ''}`;
    const OLM = {
      ...{ 'olm.owner': 'nvidia-network-operator.v26.7.0', 'olm.owner.kind': 'ClusterServiceVersion' },
      'olm.owner.namespace': NAMESPACE,
    };
    it.each([
      { name: 'of another release', operators: [deployment(':v26.7.0')], says: NOTE },
      { name: 'of another release, by tag and digest', operators: [deployment(`:v26.7.0${DIGEST}`)], says: NOTE },
      { name: 'by a digest, of OLM', operators: [deployment(DIGEST, NAMESPACE, OLM)], says: NOTE },
      {
        name: 'by a digest, with the init container of a release',
        operators: [deployment(DIGEST, NAMESPACE, {}, [{ name: 'OFED_INIT_CONTAINER_IMAGE', value: INIT }])],
        says: NOTE,
      },
      { name: 'of the same release', operators: [deployment(':v26.4.1')] },
      {
        name: 'by an unknown digest',
        operators: [deployment(DIGEST)],
        says: 'the version of the operator that runs is not known',
      },
      {
        name: 'of an old release',
        operators: [deployment(':v26.1.2')],
        says: 'v26.1.2, whose output Weft does not render',
      },
      { name: 'that is stopped', operators: [deployment(':v26.7.0', NAMESPACE, {}, [], 0)] },
      { name: 'of another namespace', operators: [deployment(':v26.7.0', 'tenant')] },
      {
        name: 'twice',
        operators: [deployment(':v26.7.0'), deployment(':v26.7.0')],
        says: '2 Deployments look like the operator',
      },
    ])('$name', async ({ operators, says }) => {
      const items = [...withImage('x:1'), ...operators];
      const { stdout } = await weft('diff -', JSON.stringify({ kind: 'List', items }));
      expect(stdout).toContain(says ?? '');
      expect(/the operator|the output is/.test(stdout)).toBe(says !== undefined);
      expect(stdout).toContain('east: restart: 1 DaemonSet');
    });

    it('reads it from the cluster, too', async () => {
      writeCluster(withImage('x:1'));
      const live = JSON.parse(readFileSync(join(root, 'live.json'), 'utf8')) as Record<string, object>;
      const path = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
      writeFileSync(join(root, 'live.json'), JSON.stringify({ ...live, [path]: listOf([deployment(':v26.7.0')]) }));
      expect((await weft('diff --live')).stdout).toContain(NOTE);
    });
  });

  it('takes an empty field of the metadata for none', async () => {
    const items = objects.map((object) => ({
      ...object,
      metadata: { labels: null, annotations: null, ...object.metadata },
    }));
    expect((await weft('diff -', JSON.stringify({ kind: 'List', items }))).exit).toBe(0);
  });

  const malformed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', ownerReferences: [null] } };
  const daemonSet = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'x' } };
  const deep = JSON.stringify({ ...daemonSet, spec: 0 }).replace(':0', `:${'['.repeat(9_000)}${']'.repeat(9_000)}`);
  it.each([
    { text: '', says: 'standard input cannot be used: it is no JSON' },
    { text: 'daemonset.apps/x', says: 'standard input cannot be used: it is no JSON' },
    { text: '{"kind": "List", "items": []}', says: 'standard input has no objects' },
    { text: '{"kind": "List", "items": [null]}', says: 'object 1 lacks `apiVersion`, `kind` or `metadata.name`' },
    { text: JSON.stringify(malformed), says: '`metadata.ownerReferences.0` of object 1' },
    {
      text: JSON.stringify({ ...daemonSet, spec: { template: { spec: { tolerations: {} } } } }),
      says: 'DaemonSet x: `spec.template.spec.tolerations` is no list',
    },
    { text: deep, says: 'it is nested more than 100 levels deep' },
  ])('refuses what it cannot read, and $says', async ({ text, says }) => {
    const { exit, stderr } = await weft('diff -', text);
    expect(exit).toBe(2);
    expect(stderr).toContain('error[WEFT0413]');
    expect(stderr).toContain(says);
  });
});
