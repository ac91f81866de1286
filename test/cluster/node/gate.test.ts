import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LiveObject } from '../bed/api-client.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { folderOf } from '../bed/test-bed.js';
import { isReady, NAMESPACE } from '../simulated/fleet.js';
import {
  applyRendered,
  DRIVER_NODE_LABELS,
  driverImages,
  isDriver,
  isPlugin,
  renderDriver,
  RESOURCE,
  untilPodOf,
} from '../node-bed/driver-node.js';
import { startNodeBed, type NodeBed, type PodStatus } from '../node-bed/node-bed.js';
import { VERSIONS } from '../upgrade-bed/companion-input.js';
import { mkdirSync } from 'node:fs';

let bed: NodeBed;
/** How long the driver takes: `10s`, `2m`. */
const LOAD = process.env['WEFT_DRIVER_LOAD'] ?? '10s';
const seconds = (load: string) => (load.endsWith('m') ? 60 : 1) * parseInt(load, 10);

beforeAll(async () => {
  mkdirSync(folderOf('gate-input'), { recursive: true });
  const objects = await renderDriver(folderOf('gate-input'), { load: LOAD });
  bed = await startNodeBed('gate', { labels: DRIVER_NODE_LABELS, images: driverImages(objects, [VERSIONS[0]]) });
  await applyRendered(bed, objects);
});
afterAll(() => bed.stop());

const startedAt = (pod: LiveObject) =>
  Date.parse((pod['status'] as PodStatus).containerStatuses?.[0]?.state.running?.startedAt ?? '');

it('the plugin starts after the driver has loaded', async () => {
  const limit = seconds(LOAD) * 2 + 180;
  const isRunning = ({ containerStatuses = [] }: PodStatus) =>
    containerStatuses.some(({ state }) => state.running !== undefined);
  const driver = await untilPodOf(bed, 'the driver runs', (pod, status) => isDriver(pod) && isRunning(status));
  const plugin = await untilPodOf(bed, 'the plugin runs', (pod, status) => isPlugin(pod) && isRunning(status), limit);
  const delay = (startedAt(plugin) - startedAt(driver)) / 1000 - seconds(LOAD);
  report(`driver of ${LOAD}: the plugin started ${delay} s after its file was written`);
  const [node] = bed.nodes;
  expect(node?.logs({ namespace: NAMESPACE, name: plugin.metadata.name }, 'rdma-shared-dp')).not.toContain('WITHOUT');
  await until('the kubelet offers the resource', async () => {
    const live = await bed.controlPlane.client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'real-1' } });
    return (live?.['status'] as { readonly allocatable: Readonly<Record<string, string>> }).allocatable[RESOURCE];
  });
}, 1_800_000);

const nodeOne = () => {
  const [node] = bed.nodes;
  if (node === undefined) throw new Error('no node');
  return node;
};
const starts = (text: string, line: string) => text.split(line).length - 1;

it('after a reboot the plugin waits for the driver again', async () => {
  const before = await untilPodOf(bed, 'the plugin runs', (pod, { phase }) => isPlugin(pod) && phase === 'Running');
  const node = nodeOne();
  await node.powerOff();
  const bootedMs = Date.now();
  await node.powerOn();
  const isNew = (pod: LiveObject) => startedAt(pod) > bootedMs;
  const driver = await untilPodOf(bed, 'the driver runs again', (pod) => isDriver(pod) && isNew(pod), 120);
  const plugin = await untilPodOf(bed, 'the plugin runs again', (pod) => isPlugin(pod) && isNew(pod), 300);
  expect(plugin.metadata.name).toBe(before.metadata.name);
  const delay = (startedAt(plugin) - startedAt(driver)) / 1000 - seconds(LOAD);
  report(`after a reboot: the plugin started ${delay} s after the file of a driver of ${LOAD} was written`);
  const text = node.logs({ namespace: NAMESPACE, name: plugin.metadata.name }, 'rdma-shared-dp');
  expect(starts(text, 'STARTED WITHOUT')).toBe(0);
});

it('a plugin pod that is deleted when the driver has loaded starts at the first attempt', async () => {
  const node = nodeOne();
  await node.powerOff();
  const bootedMs = Date.now();
  await node.powerOn();
  const isNew = (pod: LiveObject) => startedAt(pod) > bootedMs;
  const old = await untilPodOf(bed, 'the plugin pod is there', isPlugin);
  await untilPodOf(bed, 'the driver is ready', (pod) => isDriver(pod) && isNew(pod) && isReady(pod), 120);
  await bed.controlPlane.client.delete({ ...old, apiVersion: 'v1', kind: 'Pod' });
  const isNext = ({ metadata }: LiveObject) => metadata.uid !== old.metadata.uid;
  const next = await untilPodOf(bed, 'the next plugin runs', (pod) => isPlugin(pod) && isNext(pod) && isNew(pod), 300);
  const events = await bed.controlPlane.client.list(`/api/v1/namespaces/${NAMESPACE}/events`);
  const ofNext = events.filter((event) => (event['involvedObject'] as { uid: string }).uid === next.metadata.uid);
  const reasons = ofNext.map((event) => event['reason'] as string);
  expect(reasons).toContain('Started');
  expect(reasons).not.toContain('FailedMount');
});
