import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kustomization } from '../../src/compile/render/kustomization.js';
import { layout, type Placed } from '../../src/compile/render/layout.js';
import { compile, PLAIN_CLUSTER, policyText } from '../golden/compile.js';
import { writeTree } from '../kit/write-tree.js';
import type { LiveObject } from './bed/api-client.js';
import { applyAll, label } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import { isDriver, NAMESPACE } from './simulated/fleet.js';
import { ENGINES, syncBy, type Engine } from './gitops/tools.js';
import { until } from './bed/guarded-process.js';
import { FOREIGN_CRDS } from './bed/foreign-crds.js';
import { folderOf, startTestBed } from './bed/test-bed.js';

const SECTIONS = {
  driver: '  ofedDriver: {}\n',
  rdma: '  rdmaSharedDevicePlugin: {config: {configList: [{resourceName: rdma_a, rdmaHcaMax: 63, selectors: {vendors: ["15b3"]}}]}}\n',
  multus: '  secondaryNetwork: {multus: {}, cniPlugins: {}}\n',
} as const;
type Section = keyof typeof SECTIONS;

/** Folders of `dist/` that belong to a section, CRDs aside. */
const FOLDERS: Readonly<Record<Section, readonly string[]>> = {
  driver: ['ofed-driver'],
  rdma: ['rdma-shared-device-plugin'],
  multus: ['multus-cni', 'container-networking-plugins'],
};
const NAD_CRD = 'crds/customresourcedefinition.network-attachment-definitions.k8s.cni.cncf.io.yaml';

const LAYOUTS: Readonly<Record<Engine, string>> = {
  argocd: '  gitops: {argocd: {repoURL: "https://git.example.com/network.git"}}\n',
  flux: '  gitops: {flux: {}}\n',
};

function placed(sections: readonly Section[], layoutText = ''): readonly Placed[] {
  const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', sections.map((one) => SECTIONS[one]).join(''));
  const compiled = compile({ 'cluster.yaml': `${PLAIN_CLUSTER}${layoutText}`, 'policy.yaml': policy });
  expect(compiled.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return compiled.placed as readonly Placed[];
}

const objectsFor = (layoutText: string, ...sections: readonly Section[]) =>
  placed(sections, layoutText).map(({ object }) => object as unknown as LiveObject);

describe('pruned: files', () => {
  async function write(folder: string, ...sections: readonly Section[]) {
    const files = layout(placed(sections));
    return writeTree(folder, {
      source: 'clusters/east',
      facts: [],
      bases: [],
      files: [...files, kustomization(files.map(({ path }) => path))],
    });
  }

  const paths = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();

  it.each<Section>(['driver', 'rdma', 'multus'])(
    'a removed section (%s) removes exactly its files',
    async (section) => {
      const folder = join(folderOf('pruned-files'), section);
      const others = (['driver', 'rdma', 'multus'] as const).filter((one) => one !== section);
      await write(folder, 'driver', 'rdma', 'multus');
      writeFileSync(join(folder, 'README.md'), 'of another author\n');
      const before = paths(folder);
      await write(folder, ...others);
      const removed = before.filter((path) => !existsSync(join(folder, path)));
      const isItsFile = (path: string) =>
        FOLDERS[section].includes(path.split('/')[0] ?? '') || (section === 'multus' && path === NAD_CRD);
      expect(removed.length).toBeGreaterThan(1);
      expect(removed).toEqual(before.filter(isItsFile));
      expect(paths(folder)).toEqual(before.filter((path) => !isItsFile(path)));
    },
  );
});

describe('pruned: objects', () => {
  let controlPlane: ControlPlane;
  let work: string;
  beforeAll(async () => {
    controlPlane = await startTestBed('pruned');
    expect((await applyAll(controlPlane.client, FOREIGN_CRDS)).problems).toEqual([]);
    work = folderOf('pruned-work');
    mkdirSync(work, { recursive: true });
  });
  afterAll(() => controlPlane.stop());

  /**
   * Objects that must stay: drivers and what their pods need, their Namespace, the rule that labels their nodes, and CRDs,
   * whose deletion would delete all their resources.
   */
  const isKept = (object: LiveObject) =>
    ['Namespace', 'CustomResourceDefinition', 'NodeFeatureRule'].includes(object.kind) ||
    ['ofed-driver', 'ofed-init-container-config'].includes(object.metadata.name) ||
    (object.kind === 'DaemonSet' && isDriver(object));

  async function thereNow(all: readonly LiveObject[]): Promise<readonly string[]> {
    const lives = await Promise.all(all.map((object) => getOrNothing(object)));
    return lives.flatMap((live) => (live && live.metadata.deletionTimestamp === undefined ? [label(live)] : [])).sort();
  }

  /** An object is deleted with its CRD. */
  async function getOrNothing(object: LiveObject): Promise<LiveObject | undefined> {
    const live = await controlPlane.client.get(object);
    return live && { ...live, apiVersion: object.apiVersion, kind: object.kind };
  }

  const sync = (engine: Engine, wanted: readonly LiveObject[], before: readonly LiveObject[]) =>
    syncBy(engine, controlPlane, wanted, before);

  const labels = (all: readonly LiveObject[]) => all.map(label).sort();
  const without = (all: readonly LiveObject[], gone: readonly LiveObject[]) => {
    const names = new Set(gone.map(label));
    return all.filter((object) => !names.has(label(object)));
  };

  it.each(ENGINES)(
    '%s: a removed section takes its objects; driver DaemonSets, the Namespace and CRDs stay, also when all goes',
    async (tool) => {
      const objects = (...sections: readonly Section[]) => objectsFor(LAYOUTS[tool], ...sections);
      const full = objects('driver', 'rdma', 'multus');
      await sync(tool, full, []);
      expect(await thereNow(full)).toEqual(labels(full));
      // The driver's section stays, another one is removed.
      const fewer = objects('driver', 'multus');
      const removed = without(full, fewer);
      expect(removed.length).toBeGreaterThan(1);
      await sync(tool, fewer, full);
      await untilGone(removed);
      expect(await thereNow(full)).toEqual(labels(fewer));
      // The driver's section is removed.
      await sync(tool, objects('multus'), fewer);
      const driverSection = without(fewer, objects('multus'));
      await untilGone(driverSection.filter((object) => !isKept(object)));
      expect(await thereNow(driverSection)).toEqual(labels(driverSection.filter(isKept)));
      // All sections are removed, and the Namespace's manifest too.
      await sync(tool, [], objects('multus'));
      await untilGone(objects('multus').filter((object) => !isKept(object)));
      expect(await thereNow(full)).toEqual(labels(full.filter(isKept)));
      for (const driver of full.filter((object) => object.kind === 'DaemonSet' && isKept(object))) {
        await controlPlane.client.delete(driver);
      }
    },
  );

  it('kubectl apply --prune and ApplySet delete drivers too: the guide warns', async () => {
    const manifest = join(work, 'namespaced.json');
    const write = (items: readonly LiveObject[]) =>
      writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const namespaced = (...sections: readonly Section[]) =>
      objectsFor('', ...sections).filter(({ kind }) => ['DaemonSet', 'ConfigMap', 'ServiceAccount'].includes(kind));
    const drivers = namespaced('driver').filter(isDriver);
    expect(drivers).toHaveLength(1);
    const prune = ['apply', '-n', NAMESPACE, '--prune', '--all', '--prune-allowlist=apps/v1/DaemonSet', '-f', manifest];
    write(namespaced('driver', 'rdma'));
    await controlPlane.kubectl(...prune);
    expect(await thereNow(drivers)).toHaveLength(1);
    write(namespaced('rdma'));
    await controlPlane.kubectl(...prune);
    await untilGone(drivers);

    const set = ['apply', '-n', NAMESPACE, '--prune', '--applyset=weft', '-f', manifest];
    await controlPlane.kubectl('delete', '-n', NAMESPACE, 'daemonset,configmap,serviceaccount', '--all');
    write(namespaced('driver', 'rdma'));
    await controlPlane.kubectl(...set);
    expect(await thereNow(drivers)).toHaveLength(1);
    write(namespaced('rdma'));
    await controlPlane.kubectl(...set);
    await untilGone(drivers);
  });

  async function untilGone(all: readonly LiveObject[]): Promise<void> {
    await until('they are gone', async () => {
      const left = await Promise.all(all.map(getOrNothing));
      if (left.every((object) => object === undefined)) return true;
      throw new Error(left.flatMap((object) => (object ? label(object) : [])).join(', '));
    });
  }
});
