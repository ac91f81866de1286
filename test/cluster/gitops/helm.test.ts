import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runWeft } from '../../kit/run-weft.js';
import { clusterText, policyText } from '../../golden/compile.js';
import { COMPANION_NAMES } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { FOREIGN_CRDS } from '../bed/foreign-crds.js';
import { until } from '../bed/guarded-process.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { binaries, folderOf, startTestBed } from '../bed/test-bed.js';

/** The charts that `weft synth --layout helm` writes, installed by Helm itself. No controller runs, so only Helm changes objects. */
const NETWORK = `apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: rdma-net}
spec:
  networkNamespace: ${NAMESPACE}
  master: ens1f0np0
  mode: bridge
  ipam: {type: nv-ipam, poolName: rdma-pool}
`;
/** Text that Helm would take for a template. */
const GREETING =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: greeting}\ndata: {text: "{{ .Values.name }} and {{{{"}\n';
const RDMA =
  '  rdmaSharedDevicePlugin: {config: {configList: [{resourceName: rdma_a, rdmaHcaMax: 63, selectors: {vendors: ["15b3"]}}]}}\n';

interface Input {
  /** Empty: without the section of the driver. */
  readonly version: string;
  readonly kernel: string;
  readonly sections: string;
  /** `spec.companion` of the Cluster document, as YAML. */
  readonly companion?: string;
}
const FIRST: Input = { version: 'doca3.2.0-25.10-1.2.8.0-2', kernel: '6.8.0-31-generic', sections: RDMA };

let controlPlane: ControlPlane;
let folder: string;

beforeAll(async () => {
  controlPlane = await startTestBed('gitops-helm', { hasControllers: false });
  folder = folderOf('gitops-helm-work');
  mkdirSync(join(folder, 'clusters/east'), { recursive: true });
  expect((await applyAll(controlPlane.client, FOREIGN_CRDS)).problems).toEqual([]);
});
afterAll(() => controlPlane.stop());

/** Runs `weft synth` for the documents of the folder; returns its standard output. */
async function weftSynth(...args: readonly string[]): Promise<string> {
  const printed = await runWeft(['synth', ...args], {
    readCompanionProgram: () => 'const text = `${one} {{ two }}`;\n',
    cwd: folder,
  });
  if (printed.exit !== 0) throw new Error(printed.stderr);
  return printed.stdout;
}

/** Writes the charts of a commit, as `weft synth` does. */
async function synth({ version, kernel, sections, companion = '' }: Input): Promise<void> {
  const write = (name: string, text: string) => writeFileSync(join(folder, 'clusters/east', name), text);
  const pool = `    - {name: nodes, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: ${kernel}}\n`;
  write('cluster.yaml', clusterText(`  release: v26.7\n  nodePools:\n${pool}${companion}`));
  const driver =
    version === '' ? '' : `  ofedDriver: ${JSON.stringify({ version, upgradePolicy: { autoUpgrade: true } })}\n`;
  const others = '  nvIpam: {}\n  secondaryNetwork: {multus: {}, cniPlugins: {}}\n';
  write('policy.yaml', policyText('NicClusterPolicy', 'nic-cluster-policy', `${driver}${others}${sections}`));
  write('network.yaml', NETWORK);
  write('greeting.yaml', GREETING);
  await weftSynth('--layout', 'helm');
}

async function helm(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, KUBECONFIG: controlPlane.kubeconfig, HOME: folder };
  const { stdout, stderr } = await promisify(execFile)(join(binaries().helm, 'helm'), args, { cwd: folder, env });
  return `${stdout}${stderr}`;
}

/** The two commands of the guide. */
async function upgrade(): Promise<void> {
  await helm('upgrade', '--install', 'network-base', 'dist/east/base', '--namespace', 'default');
  await helm('upgrade', '--install', 'network', 'dist/east/main', '--namespace', NAMESPACE);
}

const path = (group: string, kind: string) => `${group}/namespaces/${NAMESPACE}/${kind}`;
async function names(list: string): Promise<readonly string[]> {
  const all = await controlPlane.client.list(list);
  return all
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
}
const daemonSets = () => names(path('/apis/apps/v1', 'daemonsets'));
const drivers = async () => (await daemonSets()).filter((name) => name.startsWith('mofed-'));
const jobs = () => names(path('/apis/batch/v1', 'jobs'));
const configMap = (name: string): LiveObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NAMESPACE } },
});
const crd: LiveObject = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'network-attachment-definitions.k8s.cni.cncf.io' },
};
/** `<kind> <name>` of the objects in the namespace. */
const everything = async () => {
  const kinds = [
    ...[['/apis/apps/v1', 'DaemonSet'] as const, ['/apis/apps/v1', 'Deployment'] as const],
    ...[['/apis/batch/v1', 'Job'] as const, ['/apis/batch/v1', 'CronJob'] as const],
    ...[['/api/v1', 'ConfigMap'] as const, ['/api/v1', 'ServiceAccount'] as const],
    ['/apis/rbac.authorization.k8s.io/v1', 'Role'] as const,
    ['/apis/rbac.authorization.k8s.io/v1', 'RoleBinding'] as const,
  ];
  const lines = kinds.map(async ([group, kind]) =>
    (await names(path(group, `${kind.toLowerCase()}s`))).map((name) => `${kind} ${name}`),
  );
  return (await Promise.all(lines)).flat().sort();
};
const versionsOf = async () => {
  const lists = [
    ...[path('/apis/apps/v1', 'daemonsets'), path('/apis/apps/v1', 'deployments'), path('/apis/batch/v1', 'jobs')],
    ...[path('/api/v1', 'configmaps'), path('/apis/k8s.cni.cncf.io/v1', 'network-attachment-definitions')],
  ];
  const all = await Promise.all(lists.map((list) => controlPlane.client.list(list)));
  return all.flat().map(({ metadata }) => `${metadata.name} ${String(metadata.resourceVersion)}`);
};

describe('helm: the charts of a cluster', () => {
  let first: { readonly jobs: readonly string[]; readonly drivers: readonly string[] };

  it('have nothing that its linter warns of', async () => {
    await synth(FIRST);
    const said = await helm('lint', 'dist/east/base', 'dist/east/main');
    expect(said).toContain('2 chart(s) linted, 0 chart(s) failed');
    expect(said).not.toMatch(/\[(?:WARNING|ERROR)\]/);
  });

  it('have the alerts and the dashboard as they are, though their texts look like templates', async () => {
    await synth({ ...FIRST, companion: '  companion: {monitoring: {enable: true}}\n' });
    const wanted = (JSON.parse(await weftSynth('clusters/east', '-o', 'json')) as { items: readonly LiveObject[] })
      .items;
    const text = await helm('template', 'network', 'dist/east/main', '--namespace', NAMESPACE);
    const rendered = parseAllDocuments(text).map((document) => document.toJS() as LiveObject | null);
    for (const [kind, name] of [
      ['PrometheusRule', 'weft-companion'],
      ['PodMonitor', 'weft-companion'],
      ['ConfigMap', 'weft-companion-dashboard'],
    ]) {
      const isIt = (one: LiveObject | null) => one?.kind === kind && one?.metadata.name === name;
      const [template, plain] = [rendered.find(isIt), wanted.find(isIt)];
      expect(template).toBeDefined();
      expect({ ...template, metadata: plain?.metadata }).toEqual(plain);
      if (kind !== 'PodMonitor') expect(JSON.stringify(plain)).toContain('{{');
    }
    await synth(FIRST);
  });

  it('are installed, and installing them again changes nothing', async () => {
    await upgrade();
    const greeting = await controlPlane.client.get(configMap('greeting'));
    expect(greeting?.['data']).toEqual({ text: '{{ .Values.name }} and {{{{' });
    const programs = (await controlPlane.client.list(path('/api/v1', 'configmaps'))).filter(({ metadata }) =>
      metadata.name.startsWith(COMPANION_NAMES.programPrefix),
    );
    expect(programs).toMatchObject([{ immutable: true, data: { program: 'const text = `${one} {{ two }}`;\n' } }]);
    first = { jobs: await jobs(), drivers: await drivers() };
    expect(first.jobs).toHaveLength(1);
    expect(first.drivers).toHaveLength(1);
    const before = await versionsOf();
    await upgrade();
    expect(await versionsOf()).toEqual(before);
  });

  it('make a Job again that the companion deleted, with the same chart', async () => {
    const [name = ''] = await jobs();
    await controlPlane.client.delete({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace: NAMESPACE } });
    await until('the Job is gone', async () => ((await jobs()).length === 0 ? true : undefined));
    await upgrade();
    expect(await jobs()).toEqual([name]);
  });

  it('bring a changed CRD with an upgrade', async () => {
    const file = join(folder, `dist/east/base/templates/customresourcedefinition.${crd.metadata.name}.yaml`);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('  annotations:\n', '  annotations:\n    example.com/changed: "true"\n'));
    await upgrade();
    const live = await controlPlane.client.get(crd);
    expect(live?.metadata.annotations).toMatchObject({ 'example.com/changed': 'true' });
    await synth(FIRST);
    await upgrade();
  });

  it('with another version: the same driver DaemonSet, one other Job', async () => {
    await synth({ ...FIRST, version: 'doca3.3.0-26.01-1.0.0.0-0' });
    await upgrade();
    expect(await drivers()).toEqual(first.drivers);
    const now = await jobs();
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(first.jobs);
  });

  it('rolled back: the Job of before runs again', async () => {
    await helm('rollback', 'network', '--namespace', NAMESPACE);
    expect(await jobs()).toEqual(first.jobs);
    expect(await drivers()).toEqual(first.drivers);
  });

  it('with another kernel: the running driver stays beside the new one, and a removed section goes', async () => {
    await synth({ ...FIRST, kernel: '6.8.0-45-generic', sections: '' });
    await upgrade();
    expect(await drivers()).toHaveLength(2);
    expect(await drivers()).toEqual(expect.arrayContaining([...first.drivers]));
    expect(await daemonSets()).not.toContain('rdma-shared-dp-ds');
    // The rollback adopts a driver that is in the cluster but not in the current release.
    await helm('rollback', 'network', '--namespace', NAMESPACE);
    expect(await jobs()).toEqual(first.jobs);
    expect(await drivers()).toHaveLength(2);
    expect(await daemonSets()).toContain('rdma-shared-dp-ds');
    // The commit is reverted while the old driver still exists.
    await synth(FIRST);
    await upgrade();
    expect(await drivers()).toHaveLength(2);
    expect(await daemonSets()).toContain('rdma-shared-dp-ds');
  });

  it('without the section of the driver: exactly the companion goes, and what only the driver had', async () => {
    const before = await everything();
    await synth({ ...FIRST, version: '' });
    await upgrade();
    const isGone = (line: string) =>
      /^(?:Job|CronJob|ServiceAccount|ConfigMap|Role|RoleBinding) weft-companion/.test(line);
    await until('the companion is gone', async () => (!(await everything()).some(isGone) ? true : undefined));
    expect(before.filter(isGone).length).toBeGreaterThan(4);
    expect(await everything()).toEqual(before.filter((line) => !isGone(line)));
    await synth(FIRST);
    await upgrade();
    expect(await everything()).toEqual(before);
  });

  it('are uninstalled without the drivers, the CRDs and the Namespace', async () => {
    const before = await drivers();
    await helm('uninstall', 'network', '--namespace', NAMESPACE);
    await helm('uninstall', 'network-base', '--namespace', 'default');
    await until('the rest is gone', async () => {
      const left = (await daemonSets()).filter((name) => !before.includes(name));
      return left.length === 0 || undefined;
    });
    expect(await drivers()).toEqual(before);
    expect(await jobs()).toEqual([]);
    expect((await controlPlane.client.get(crd))?.metadata.deletionTimestamp).toBeUndefined();
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    expect((await controlPlane.client.get(namespace))?.metadata.deletionTimestamp).toBeUndefined();
    expect(await controlPlane.client.get(configMap('greeting'))).toBeUndefined();
  });

  it('are installed again over what stayed', async () => {
    await upgrade();
    expect(await jobs()).toEqual(first.jobs);
    expect(await drivers()).toHaveLength(2);
  });
});
