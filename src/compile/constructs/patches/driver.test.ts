import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { resolve } from '../../config/resolve.js';
import { loadYaml } from '../../load/yaml/yaml.js';
import { installDigest, type PodTemplateLike } from '../../../shared/contract/install-digest.js';
import { INSTALL_DIGEST_ANNOTATION } from '../../../shared/contract/labels.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { driverCoverage } from '../../../review/coverage/coverage.js';
import { diffCluster } from '../../../review/diff/diff.js';
import { programDaemonSets } from '../../coverage/daemon-sets.js';
import { buildObjects } from '../../synth.js';
import { ClusterObjects } from '../cluster-objects.js';

const resolved = (patches: string) =>
  resolve(
    loadYaml(
      'input.yaml',
      `
apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  release: v26.4
  nodePools: [{name: workers, osName: ubuntu, osVersion: "24.04", arch: amd64}]
  patches: [${patches}]
---
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec: {ofedDriver: {upgradePolicy: {autoUpgrade: true}}}
`,
    ),
  );

function configOf(patches: string) {
  const { config, diagnostics } = resolved(patches);
  if (!config) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return config;
}

const build = (patches: string) => buildObjects(configOf(patches));
const driverIn = (objects: readonly KubernetesObject[]): KubernetesObject => {
  const found = objects.find(({ kind }) => kind === 'DaemonSet');
  if (!found) throw new Error('no DaemonSet');
  return found;
};
const driver = (patches: string) => driverIn(build(patches).objects.map(({ object }) => object));
const written = ({ metadata }: KubernetesObject) => metadata.annotations?.[INSTALL_DIGEST_ANNOTATION];
const computed = ({ spec }: KubernetesObject) =>
  installDigest((spec as { readonly template?: PodTemplateLike }).template ?? {});

const DRIVER = 'target: {kind: DaemonSet, labelSelector: nvidia.com/ofed-driver}';
const POD = '/spec/template/spec';
const IMAGE = `{${DRIVER}, patch: [{op: replace, path: ${POD}/containers/0/image, value: x.io/y:z}]}`;

describe('the install digest of a patched driver', () => {
  const unpatched = written(driver(''));

  it.each([
    { name: 'by an operation', patches: IMAGE },
    {
      name: 'by a merge',
      patches: `{${DRIVER}, patch: {spec: {template: {spec: {containers: [{name: mofed-container, image: "x.io/y:z"}]}}}}}`,
    },
    {
      name: 'by two patches, the second of which is for what the first has made',
      patches: `${IMAGE}, {target: {kind: DaemonSet}, patch: [{op: test, path: ${POD}/containers/0/image, value: "x.io/y:z"}, {op: add, path: ${POD}/containers/0/args, value: [x]}]}`,
    },
    { name: 'until nothing is left of it', patches: `{${DRIVER}, patch: [{op: remove, path: ${POD}}]}` },
  ])('is that of the template as it is written: changed $name', ({ patches }) => {
    const patched = driver(patches);
    expect(written(patched)).toBe(computed({ ...patched, spec: patched['spec'] ?? {} }));
    expect(written(patched)).not.toBe(unpatched);
  });

  it('stays where a patch changes nothing that is installed', () => {
    const patched = driver(`{${DRIVER}, patch: {spec: {template: {metadata: {labels: {team: hpc}}}}}}`);
    expect(written(patched)).toBe(unpatched);
  });

  it('is the same in `cdk8s synth`, and follows what a program does to the tree', () => {
    const chart = new Chart(new App(), 'east', { disableResourceNameHashes: true });
    const cluster = new ClusterObjects(chart, 'cluster', configOf(IMAGE));
    cluster.complete(configOf(IMAGE));
    expect(driverIn(chart.toJson() as KubernetesObject[])).toEqual(driver(IMAGE));
    for (const node of cluster.node.findAll()) {
      if (ApiObject.isApiObject(node) && node.kind === 'DaemonSet') {
        node.addJsonPatch(JsonPatch.replace(`${POD}/containers/0/image`, 'x.io/y:other'));
      }
    }
    const changed = driverIn(chart.toJson() as KubernetesObject[]);
    expect(written(changed)).toBe(computed(changed));
    expect(written(changed)).not.toBe(written(driver(IMAGE)));
  });

  it('makes a patched image a change of the driver, for `weft diff`', () => {
    const side = (patches: string) => {
      const [found, config] = [driver(patches), configOf(patches)];
      const daemonSets = programDaemonSets(config, [{ folder: 'ofed-driver', object: found }]);
      return { objects: [found], coverage: driverCoverage(config, daemonSets) };
    };
    const { objects } = diffCluster({ name: 'east', old: side(''), next: side(IMAGE) });
    expect(objects).toMatchObject([{ impact: 'driver-loss', mover: 'missing-companion', pools: ['workers'] }]);
    const digests = objects[0]?.fields.filter(({ path }) => path.includes(INSTALL_DIGEST_ANNOTATION));
    expect(digests).toMatchObject([{ from: written(driver('')), to: written(driver(IMAGE)) }]);
  });

  it.each([
    ['another value', `{${DRIVER}, patch: {metadata: {annotations: {weft.dev/install-digest: abc}}}}`],
    ['nothing', `{${DRIVER}, patch: {metadata: {annotations: {weft.dev/install-digest: null}}}}`],
    ['nothing, with all others', `{${DRIVER}, patch: [{op: remove, path: /metadata/annotations}]}`],
    [
      'a value in what has none',
      '{target: {kind: Namespace}, patch: {metadata: {annotations: {weft.dev/install-digest: abc}}}}',
    ],
  ])('is not for patches to write: %s', (_name, patches) => {
    const { objects, diagnostics } = build(patches);
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'WEFT0277', help: expect.stringContaining('leave it out') }]);
  });

  it.each([
    ['by a merge', `{spec: {template: {metadata: {annotations: {mirror.weft.dev/mofed-container: "a=b"}}}}}`],
    ['with the template', `[{op: add, path: /spec/template/metadata, value: {annotations: {mirror.weft.dev/x: a=b}}}]`],
  ])('is not moved by naming another image the same: a patch of mirrors, %s', (_name, patch) => {
    const { objects, diagnostics } = build(`{${DRIVER}, patch: ${patch}}`);
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'WEFT0277', help: expect.stringContaining('spec.mirrors') }]);
  });
});
