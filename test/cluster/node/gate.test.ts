import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LiveObject } from '../bed/api-client.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { folderOf } from '../bed/test-bed.js';
import { isReady, NAMESPACE, READY_FILE } from '../simulated/fleet.js';
import {
  applyRendered,
  DRIVER_NODE_LABELS,
  driverImages,
  holdDriver,
  isDriver,
  isPlugin,
  isSriovPlugin,
  releaseDriver,
  renderDriver,
  RESOURCE,
  SRIOV_DEVICE_PLUGIN,
  SRIOV_RESOURCE,
  untilPodOf,
} from '../node-bed/driver-node.js';
import { startNodeBed, untilOffered, type NodeBed, type PodStatus } from '../node-bed/node-bed.js';
import { VERSIONS } from '../upgrade-bed/companion-input.js';
import { mkdirSync } from 'node:fs';

let bed: NodeBed;
/** How long the driver takes: `10s`, `2m`. */
const LOAD = process.env['WEFT_DRIVER_LOAD'] ?? '10s';
const seconds = (load: string) => (load.endsWith('m') ? 60 : 1) * parseInt(load, 10);

beforeAll(async () => {
  mkdirSync(folderOf('gate-input'), { recursive: true });
  const policy = { sriovDevicePlugin: SRIOV_DEVICE_PLUGIN };
  const objects = await renderDriver(folderOf('gate-input'), { load: LOAD, policy });
  bed = await startNodeBed('gate', { labels: DRIVER_NODE_LABELS, images: driverImages(objects, [VERSIONS[0]]) });
  await holdDriver(nodeOne());
  await applyRendered(bed, objects);
});
afterAll(() => bed.stop());

const SHARED = 'rdma-shared-dp';
const SRIOV = 'kube-sriovdp';
/** The two kinds of plugins: the image of the second has no shell, and its init container mounts the file of the driver. */
const KINDS = [
  { kind: 'with a shell', container: SHARED, isOne: isPlugin },
  { kind: 'without a shell', container: SRIOV, isOne: isSriovPlugin },
] as const;

const nodeOne = () => {
  const [node] = bed.nodes;
  if (node === undefined) throw new Error('no node');
  return node;
};
const containerOf = (pod: LiveObject) => (pod['status'] as PodStatus).containerStatuses?.[0];
const restartsOf = (pod: LiveObject) => containerOf(pod)?.restartCount ?? 0;
const isRunning = (pod: LiveObject) => containerOf(pod)?.state.running !== undefined;
const startedAt = (pod: LiveObject) => Date.parse(containerOf(pod)?.state.running?.startedAt ?? '');
const nameOf = ({ metadata: { name } }: LiveObject) => ({ namespace: NAMESPACE, name });
const readyFiles = () =>
  nodeOne().run('sh', '-c', 'ls -Ap /run/mellanox/drivers 2> /dev/null | grep driver-ready || true');
/** How often the container of a plugin has started without a driver. */
const withoutDriver = (pod: LiveObject) => nodeOne().logs(nameOf(pod), SHARED).split('STARTED WITHOUT').length - 1;
/** When the driver wrote its file, in whole seconds. */
const fileSeconds = async () => Number(await nodeOne().run('stat', '-c', '%Y', READY_FILE));

/** The plugins that are ready, by their kind. */
async function readyPlugins(condition: (pod: LiveObject) => boolean, limit?: number): Promise<readonly LiveObject[]> {
  const pods: LiveObject[] = [];
  for (const { kind, isOne } of KINDS) {
    const isIt = (pod: LiveObject) => isOne(pod) && isReady(pod) && condition(pod);
    pods.push(await untilPodOf(bed, `the plugin ${kind} is ready`, isIt, limit));
  }
  return pods;
}

/** Deletes the driver pod; returns the condition of the next, which is loading until it is released. */
async function restartDriver(): Promise<(pod: LiveObject) => boolean> {
  const old = await untilPodOf(bed, 'the driver is ready', (pod) => isDriver(pod) && isReady(pod));
  await holdDriver(nodeOne());
  await bed.controlPlane.client.delete({ ...old, apiVersion: 'v1', kind: 'Pod' });
  const isNext = (pod: LiveObject) => isDriver(pod) && pod.metadata.uid !== old.metadata.uid;
  await untilPodOf(bed, 'the next driver is loading', (pod) => isNext(pod) && isRunning(pod));
  return isNext;
}

async function reportDelays(when: string, plugins: readonly LiveObject[]): Promise<void> {
  const written = await fileSeconds();
  for (const [at, plugin] of plugins.entries()) {
    const delay = startedAt(plugin) / 1000 - written;
    report(`${when}: the plugin ${KINDS[at]?.kind} started ${delay} s after the file of a driver of ${LOAD}`);
    expect(delay).toBeGreaterThanOrEqual(0);
  }
}

it('the plugins start after the driver has loaded', async () => {
  const waiting = await untilPodOf(bed, 'the plugin without a shell is there', isSriovPlugin);
  await until('the kubelet waits for the file', async () => {
    const events = await bed.controlPlane.client.list(`/api/v1/namespaces/${NAMESPACE}/events`);
    return events.find(
      (event) =>
        event['reason'] === 'FailedMount' &&
        (event['involvedObject'] as { readonly name: string }).name === waiting.metadata.name &&
        String(event['message']).includes('.driver-ready is not a file'),
    );
  });
  await releaseDriver(nodeOne());
  const plugins = await readyPlugins(() => true, seconds(LOAD) * 2 + 180);
  await reportDelays('at first', plugins);
  expect(plugins.slice(0, 1).map(withoutDriver)).toEqual([0]);
  await untilOffered(bed.controlPlane, nodeOne().name, [RESOURCE, SRIOV_RESOURCE]);
}, 1_800_000);

it('plugins whose containers start again while the driver loads make nothing in place of its file', async () => {
  const plugins = await readyPlugins(() => true);
  const isNext = await restartDriver();
  for (const [at, plugin] of plugins.entries()) await nodeOne().kill(nameOf(plugin), KINDS[at]?.container ?? '');
  await readyPlugins((pod) => plugins.some(({ metadata }) => metadata.uid === pod.metadata.uid) && restartsOf(pod) > 0);
  expect(await readyFiles()).toBe('');
  await releaseDriver(nodeOne());
  const driver = await untilPodOf(bed, 'the driver is ready', (pod) => isNext(pod) && isReady(pod));
  expect(restartsOf(driver)).toBe(0);
  expect(await readyFiles()).toBe('.driver-ready\n');
}, 180_000);

it('after a reboot the plugins wait for the driver again', async () => {
  const before = await readyPlugins(() => true);
  const withoutBefore = before.slice(0, 1).map(withoutDriver);
  await holdDriver(nodeOne());
  await nodeOne().powerOff();
  const bootedMs = Date.now();
  await nodeOne().powerOn();
  const isNew = (pod: LiveObject) => startedAt(pod) > bootedMs;
  // Nothing of the time before the boot is left.
  expect(await readyFiles()).toBe('');
  await releaseDriver(nodeOne());
  const plugins = await readyPlugins(isNew, seconds(LOAD) + 300);
  expect(plugins.map(nameOf)).toEqual(before.map(nameOf));
  await reportDelays('after a reboot', plugins);
  expect(plugins.slice(0, 1).map(withoutDriver)).toEqual(withoutBefore);
}, 1_800_000);

/** The container that holds the namespaces of a pod ends. Its kubelet starts another, and all containers of the pod after it. */
async function killSandbox({ metadata: { uid = '' } }: LiveObject): Promise<void> {
  const filter = `labels."io.kubernetes.pod.uid"==${uid},labels."io.cri-containerd.kind"==sandbox`;
  const ids = await nodeOne().run('ctr', '-n', 'k8s.io', 'containers', 'list', '--quiet', filter);
  const tasks = await nodeOne().run('ctr', '-n', 'k8s.io', 'tasks', 'list');
  // Those of earlier boots have no task.
  const id = ids.split('\n').find((one) => one !== '' && tasks.includes(one));
  await nodeOne().run('ctr', '-n', 'k8s.io', 'tasks', 'kill', '--signal', 'SIGKILL', id ?? '');
}

it('a plugin without a shell whose sandbox ends while the driver loads makes a folder, and the driver loads again', async () => {
  const plugin = await untilPodOf(bed, 'the plugin is ready', (pod) => isSriovPlugin(pod) && isReady(pod));
  const isNext = await restartDriver();
  await killSandbox(plugin);
  // Its startup probe takes the folder for the file, and its liveness probe finds no modules.
  await untilPodOf(bed, 'the driver starts again', (pod) => isNext(pod) && restartsOf(pod) > 0);
  await releaseDriver(nodeOne());
  await untilPodOf(bed, 'the driver is ready', (pod) => isNext(pod) && isReady(pod));
  expect(await readyFiles()).toBe('.driver-ready\n');
  // It starts before the file or after it: which of the two depends on how soon the kubelet tries the mount again.
  await untilPodOf(bed, 'the plugin is ready', (pod) => isSriovPlugin(pod) && isReady(pod));
}, 180_000);

it('a plugin that starts by the file of a driver that died finds the driver loaded', async () => {
  const driver = await untilPodOf(bed, 'the driver is ready', (pod) => isDriver(pod) && isReady(pod));
  const old = await untilPodOf(bed, 'the plugin is there', isPlugin);
  await bed.controlPlane.client.delete({ ...old, apiVersion: 'v1', kind: 'Pod' });
  await nodeOne().kill(nameOf(driver), 'mofed-container');
  const isNext = (pod: LiveObject) => isPlugin(pod) && pod.metadata.uid !== old.metadata.uid;
  const next = await untilPodOf(bed, 'the next plugin runs', (pod) => isNext(pod) && isReady(pod));
  expect(nodeOne().logs(nameOf(next), SHARED)).not.toContain('WITHOUT');
}, 180_000);
