import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { until } from '../bed/guarded-process.js';
import type { StatusRow } from '../../../src/cli/upgrade/rows.js';
import { report } from '../bed/report.js';
import { folderOf, isFull } from '../bed/test-bed.js';
import { weftIn } from '../bed/weft-command.js';
import { companionImage } from '../node-bed/companion-image.js';
import { runCronJob } from '../node-bed/companion-runs.js';
import {
  applyRendered,
  DRIVER_FOLDER,
  DRIVER_NODE_LABELS,
  driverImages,
  imagesOf,
  isDriver,
  renderDriver,
  untilTemplatesSeen,
  untilPodOf,
  type DriverInput,
} from '../node-bed/driver-node.js';
import { startNodeBed, type ContainerStatus, type NodeBed, type PodStatus } from '../node-bed/node-bed.js';
import type { RealNode } from '../node-bed/node.js';
import { isCordoned, isReady, KERNEL_LABEL, NAMESPACE, ownerOf, watchDriversPerNode } from '../simulated/fleet.js';
import { isRun, KERNEL, VERSIONS } from '../upgrade-bed/companion-input.js';

const KEYS = driverKeys('ofed');
const OTHER_KERNEL = '6.8.0-45-generic';
const POOL = { name: 'real', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernels: [KERNEL, OTHER_KERNEL] };
const DRIVER = 'mofed-container';

const DAEMON = 'nic-configuration-daemon';
const NIC_CONFIGURATION = { nicConfigurationOperator: {} };
/** Its DaemonSet and its account, without the operator. */
const isOfDaemon = ({ kind, metadata }: LiveObject) =>
  metadata.labels?.['nvidia.network-operator.state'] === 'state-nic-configuration-operator' &&
  ['DaemonSet', 'ServiceAccount'].includes(kind);

let bed: NodeBed;

/** Two kernels have a driver; its end takes three seconds. */
function render(input: DriverInput, safeLoad = false): Promise<readonly LiveObject[]> {
  const upgradePolicy = { autoUpgrade: true, safeLoad, drain: { enable: true, deleteEmptyDir: true } };
  return renderDriver(folderOf('driver-input'), {
    ...{ load: '2s', unload: '3s', ...input },
    ofedDriver: { upgradePolicy, terminationGracePeriodSeconds: 20, ...input.ofedDriver },
    cluster: { nodePools: [POOL], companion: { schedule: '0 0 1 1 *' } },
  });
}

beforeAll(async () => {
  mkdirSync(folderOf('driver-input'), { recursive: true });
  const objects = await render({});
  const nicConfiguration = await renderDriver(folderOf('driver-input'), { policy: NIC_CONFIGURATION });
  const images = {
    ...driverImages(objects, VERSIONS),
    companion: companionImage(objects),
    daemon: { names: imagesOf(nicConfiguration.filter(isOfDaemon)) },
  };
  bed = await startNodeBed('driver-real', { labels: DRIVER_NODE_LABELS, images });
  await applyRendered(bed, objects);
  await applyCronJob(objects);
});
afterAll(() => bed.stop());

function nodeOne(): RealNode {
  const [node] = bed.nodes;
  if (node === undefined) throw new Error('no node');
  return node;
}
const statusOf = (pod: LiveObject) => pod['status'] as PodStatus;
const containerOf = (pod: LiveObject): ContainerStatus | undefined => statusOf(pod).containerStatuses?.[0];
const nameOf = ({ metadata: { name } }: LiveObject) => ({ namespace: NAMESPACE, name });
/** What all drivers of the node have logged: the kubelet removes the logs of deleted pods. */
const JOURNAL = `${DRIVER_FOLDER}/standin.log`;
/** What the stand-in for `lsmod` looks for. */
const LOADED = '/dev/infiniband/uverbs0';
const journal = async () => (await nodeOne().run('cat', JOURNAL)).replace(/^\S+ /gm, '').trim().split('\n');
const clearJournal = () => nodeOne().run('truncate', '--size=0', JOURNAL);
const untilJournal = (line: string) =>
  until(`a driver logs ${line}`, async () => (await journal()).includes(line) || undefined, 60);
const readyDriver = (what = 'the driver is ready') =>
  untilPodOf(bed, what, (pod) => isDriver(pod) && isReady(pod), 120);
/** Applies what is rendered; drivers that are created from now on have it. */
async function apply(objects: readonly LiveObject[]): Promise<void> {
  await applyRendered(bed, objects);
  await applyCronJob(objects);
  await untilTemplatesSeen(bed);
}
/** It carries out only the policy that it was rendered with. */
async function applyCronJob(objects: readonly LiveObject[]): Promise<void> {
  const cronJobs = objects.filter((object) => isRun(object) && object.kind === 'CronJob');
  await applyAll(bed.controlPlane.client, cronJobs);
}
const otherThan = (old: LiveObject) => (pod: LiveObject) => isDriver(pod) && pod.metadata.uid !== old.metadata.uid;
const remove = (pod: LiveObject) => bed.controlPlane.client.delete({ ...pod, apiVersion: 'v1', kind: 'Pod' });
const liveNode = async () => {
  const live = await bed.controlPlane.client.get({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeOne().name },
  });
  if (live === undefined) throw new Error('no node');
  return live;
};

it('is ready when its probes see the file and the modules, with the mounts of the host', async () => {
  const driver = await readyDriver();
  expect(containerOf(driver)?.restartCount).toBe(0);
  // What it writes below the Bidirectional mount, and below others, is on the host.
  expect(await nodeOne().run('ls', '-A', '/run/mellanox/drivers')).toBe('.driver-ready\n');
  const mounts = await nodeOne().exec(nameOf(driver), DRIVER, 'grep', '/run/mellanox/drivers', '/proc/1/mountinfo');
  expect(mounts).toContain('shared:');
  await nodeOne().exec(nameOf(driver), DRIVER, 'sh', '-c', 'echo x > /host/etc/made-by-driver');
  expect(await nodeOne().run('cat', '/etc/made-by-driver')).toBe('x\n');
  expect(await nodeOne().run('sh', '-c', 'test -f /etc/modprobe.d/ib_core.conf && echo file')).toBe('file\n');
  await expect(nodeOne().exec(nameOf(driver), DRIVER, 'touch', '/run/udev/x')).rejects.toThrow();
});

it('the NIC configuration daemon starts after it, with the processes and file systems of the node', async () => {
  const folder = folderOf('driver-input');
  const objects = (await renderDriver(folder, { policy: NIC_CONFIGURATION })).filter(isOfDaemon);
  await apply(objects);
  const daemon = await untilPodOf(bed, 'the daemon is ready', (pod) => ownerOf(pod) === DAEMON && isReady(pod));
  const inDaemon = (...command: readonly string[]) => nodeOne().exec(nameOf(daemon), DAEMON, ...command);
  expect(await inDaemon('cat', '/proc/1/cmdline')).toContain('boot.sh');
  // In another namespace of processes it would have another number than in the mounted /proc of the node.
  const [inProc, own] = (await inDaemon('sh', '-c', 'read -r pid _ < /proc/self/stat; echo $pid $$')).trim().split(' ');
  expect(inProc).toBe(own);
  expect(await inDaemon('ls', '-A', '/host/run/mellanox/drivers')).toBe('.driver-ready\n');
  expect(await inDaemon('ls', '/dev/infiniband')).toBe('uverbs0\n');
  await inDaemon('touch', '/host/etc/made-by-daemon');
  expect(await nodeOne().run('ls', '/etc/made-by-daemon')).toBe('/etc/made-by-daemon\n');
  for (const object of objects) await bed.controlPlane.client.delete(object);
});

/** The row of the node in `weft upgrade status`. */
async function statusRow() {
  const { stdout } = await weftIn(bed.controlPlane, 'upgrade', 'status', '-o', 'json');
  const { nodes } = JSON.parse(stdout) as { readonly nodes: readonly StatusRow[] };
  const [row] = nodes;
  if (row === undefined) throw new Error(stdout);
  return row;
}

it('`weft upgrade status` says what the kubelet says while its driver is ready, fails, starts, and is ready again', async () => {
  await readyDriver();
  await runCronJob(bed);
  const said: string[] = [];
  /** Compares them; not if the kubelet changes its mind meanwhile. */
  async function compare(): Promise<void> {
    const before = await untilPodOf(bed, 'the driver is there', isDriver);
    const { state, from, to, waitsFor } = await statusRow();
    const after = await untilPodOf(bed, 'the driver is there', isDriver);
    if (isReady(before) !== isReady(after)) return;
    expect({ state, from, to }).toEqual({ state: 'upgrade-done', from: VERSIONS[0], to: VERSIONS[0] });
    expect(containerOf(after)?.image).toContain(VERSIONS[0]);
    expect(waitsFor.startsWith(`driver pod ${NAMESPACE}/${after.metadata.name} is not ready`)).toBe(!isReady(after));
    expect(waitsFor === '').toBe(isReady(after));
    if (said.at(-1) !== String(isReady(after))) said.push(String(isReady(after)));
  }
  await compare();
  await until('it was unready and is ready again', async () => {
    // As often as it gets ready before anybody has looked.
    if (said.length === 1) await nodeOne().run('rm', '-f', LOADED);
    await compare();
    return said.length >= 3 || undefined;
  });
  expect(said).toEqual(['true', 'false', 'true']);
});

it('starts again when the liveness probe finds no modules', async () => {
  const before = containerOf(await readyDriver())?.restartCount ?? 0;
  await clearJournal();
  await nodeOne().run('rm', LOADED);
  const isAgain = (pod: LiveObject) => (containerOf(pod)?.restartCount ?? 0) > before;
  await untilPodOf(bed, 'the kubelet starts it again', (pod) => isDriver(pod) && isAgain(pod));
  await untilJournal('unloading');
  await untilPodOf(bed, 'it is ready again', (pod) => isDriver(pod) && isAgain(pod) && isReady(pod), 120);
});

it('a deleted pod ends within its grace period, and comes back with the new template', async () => {
  const old = await readyDriver();
  await apply(await render({ version: VERSIONS[1] }));
  expect((await readyDriver()).metadata.uid).toBe(old.metadata.uid);
  await clearJournal();
  const endedMs = Date.now();
  await remove(old);
  await untilJournal('unloaded');
  expect(Date.now() - endedMs).toBeGreaterThanOrEqual(3000);
  const next = await untilPodOf(bed, 'the next is ready', (pod) => otherThan(old)(pod) && isReady(pod), 120);
  expect(JSON.stringify(next['spec'])).toContain(VERSIONS[1]);
});

it('a driver that does not end within its grace period is killed', async () => {
  await apply(await render({ unload: '1h', ofedDriver: { terminationGracePeriodSeconds: 2 } }));
  const first = await readyDriver();
  await remove(first);
  const stuck = await untilPodOf(bed, 'one that hangs is ready', (pod) => otherThan(first)(pod) && isReady(pod), 120);
  const begunMs = Date.now();
  await remove(stuck);
  await untilPodOf(
    bed,
    'the next one runs',
    (pod) => otherThan(stuck)(pod) && containerOf(pod)?.state.running !== undefined,
  );
  expect(Date.now() - begunMs).toBeGreaterThanOrEqual(2000);
});

it('two DaemonSets of kernels never have containers on one node at once', async () => {
  await apply(await render({}));
  const hanging = await readyDriver();
  await remove(hanging);
  const old = await untilPodOf(bed, 'the driver is ready', (pod) => otherThan(hanging)(pod) && isReady(pod), 120);
  await clearJournal();
  const drivers = watchDriversPerNode(bed.controlPlane.client);
  const { client } = bed.controlPlane;
  const path = `/api/v1/nodes/${nodeOne().name}`;
  const setKernel = (kernel: string) =>
    client.ask('PATCH', path, { metadata: { labels: { [KERNEL_LABEL]: kernel } } }, 'merge');
  await setKernel(OTHER_KERNEL);
  const isOther = (pod: LiveObject) => isDriver(pod) && ownerOf(pod) !== ownerOf(old);
  await untilPodOf(bed, 'that of the other kernel is ready', (pod) => isOther(pod) && isReady(pod), 120);
  drivers.stop();
  expect(drivers.most()).toBe(1);
  expect(await journal()).toEqual(['unloading', 'unloaded', 'loading', 'loaded']);
});

it('with safe load its init container waits until the companion has cordoned the node', async () => {
  const old = await readyDriver();
  await apply(await render({}, true));
  await runCronJob(bed);
  await remove(old);
  await until('it asks for a safe load', async () => (await liveNode()).metadata.annotations?.[KEYS.safeLoad]);
  const isInitializing = (pod: LiveObject) => containerOf(pod)?.state.waiting?.reason === 'PodInitializing';
  await untilPodOf(bed, 'it waits', (pod) => otherThan(old)(pod) && isInitializing(pod));
  const cordons: number[] = [];
  const stop = bed.controlPlane.client.watch('/api/v1/nodes', (_type, node) => {
    if (isCordoned(node)) cordons.push(Date.now());
  });
  await runCronJob(bed);
  stop();
  const driver = await readyDriver();
  const init = statusOf(driver).initContainerStatuses?.[0]?.state.terminated;
  const started = containerOf(driver)?.state.running?.startedAt ?? '';
  expect(cordons.length).toBeGreaterThan(0);
  expect(Date.parse(init?.finishedAt ?? '')).toBeGreaterThanOrEqual(Math.floor((cordons[0] ?? 0) / 1000) * 1000);
  expect(Date.parse(started)).toBeGreaterThanOrEqual(Date.parse(init?.finishedAt ?? ''));
  expect(isCordoned(await liveNode())).toBe(false);
});

(isFull() ? it : it.skip)(
  'with the probes of the operator it is ready, and starts again when it is not loaded',
  async () => {
    const old = await readyDriver();
    await apply(await render({ hasDefaultProbes: true }));
    const begunMs = Date.now();
    await remove(old);
    const driver = await untilPodOf(bed, 'the next is ready', (pod) => otherThan(old)(pod) && isReady(pod), 300);
    report(`with the probes of the operator a driver of 2 s is ready after ${(Date.now() - begunMs) / 1000} s`);
    expect(containerOf(driver)?.restartCount).toBe(0);
    const lostMs = Date.now();
    await nodeOne().run('rm', LOADED);
    const isAgain = (pod: LiveObject) => containerOf(pod)?.restartCount === 1 && isReady(pod);
    await untilPodOf(bed, 'it is ready again', (pod) => isDriver(pod) && isAgain(pod), 300);
    report(`one that is not loaded any more is ready again after ${(Date.now() - lostMs) / 1000} s`);
  },
);
