import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { OFED_GATE_LABEL } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import { until } from '../bed/guarded-process.js';
import { folderOf } from '../bed/test-bed.js';
import { companionImage } from '../node-bed/companion-image.js';
import { runCronJob } from '../node-bed/companion-runs.js';
import {
  applyRendered,
  DRIVER_NODE_LABELS,
  driverImages,
  holdDriver,
  isDriver,
  isPlugin,
  releaseDriver,
  renderDriver,
  untilPodOf,
} from '../node-bed/driver-node.js';
import { startNodeBed, type NodeBed, type PodStatus } from '../node-bed/node-bed.js';
import type { RealNode } from '../node-bed/node.js';
import { isReady, NAMESPACE } from '../simulated/fleet.js';
import { isRun, VERSIONS } from '../upgrade-bed/companion-input.js';

const WITHOUT_DRIVER = 'STARTED WITHOUT A LOADED DRIVER';
let bed: NodeBed;

beforeAll(async () => {
  mkdirSync(folderOf('gate-label-input'), { recursive: true });
  const objects = await renderDriver(folderOf('gate-label-input'), {
    ...{ gate: 'label', cluster: { companion: { schedule: '0 0 1 1 *' } } },
  });
  const images = { ...driverImages(objects, [VERSIONS[0]]), companion: companionImage(objects) };
  bed = await startNodeBed('gate-label', { labels: DRIVER_NODE_LABELS, images });
  await holdDriver(nodeOne());
  await applyRendered(bed, objects);
  const cronJobs = objects.filter((object) => isRun(object) && object.kind === 'CronJob');
  expect((await applyAll(bed.controlPlane.client, cronJobs)).problems).toEqual([]);
});
afterAll(() => bed.stop());

function nodeOne(): RealNode {
  const [node] = bed.nodes;
  if (node === undefined) throw new Error('no node');
  return node;
}
const pluginLog = ({ metadata: { name } }: LiveObject) =>
  nodeOne().logs({ namespace: NAMESPACE, name }, 'rdma-shared-dp');
const startedAt = (pod: LiveObject) =>
  Date.parse((pod['status'] as PodStatus).containerStatuses?.[0]?.state.running?.startedAt ?? '');
const gate = async () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeOne().name } };
  return (await bed.controlPlane.client.get(node))?.metadata.labels?.[OFED_GATE_LABEL];
};
const pluginPods = async () =>
  (await bed.controlPlane.client.list(`/api/v1/namespaces/${NAMESPACE}/pods`)).filter(isPlugin);

it('the plugin starts after the companion has seen the driver', async () => {
  await untilPodOf(bed, 'the driver is loading', (pod, { phase }) => isDriver(pod) && phase === 'Running');
  await runCronJob(bed);
  expect(await gate()).toBe('true');
  expect(await pluginPods()).toEqual([]);
  await releaseDriver(nodeOne());
  await untilPodOf(bed, 'the driver is ready', (pod) => isDriver(pod) && isReady(pod));
  await runCronJob(bed);
  expect(await gate()).toBe('false');
  const plugin = await untilPodOf(bed, 'the plugin runs', (pod) => isPlugin(pod) && isReady(pod));
  expect(pluginLog(plugin)).not.toContain(WITHOUT_DRIVER);
});

it('after a restart of the driver the plugin is away until the next one is ready', async () => {
  const old = await untilPodOf(bed, 'the driver is ready', (pod) => isDriver(pod) && isReady(pod));
  const before = await untilPodOf(bed, 'the plugin runs', (pod) => isPlugin(pod) && isReady(pod));
  await holdDriver(nodeOne());
  await bed.controlPlane.client.delete({ ...old, apiVersion: 'v1', kind: 'Pod' });
  const isNext = ({ metadata }: LiveObject) =>
    metadata.uid !== old.metadata.uid && metadata.uid !== before.metadata.uid;
  await untilPodOf(
    bed,
    'the next driver is loading',
    (pod, { phase }) => isDriver(pod) && isNext(pod) && phase === 'Running',
  );
  await runCronJob(bed);
  expect(await gate()).toBe('true');
  await until('the plugin is gone', async () => (await pluginPods()).length === 0 || undefined);
  await releaseDriver(nodeOne());
  await untilPodOf(bed, 'the next driver is ready', (pod) => isDriver(pod) && isNext(pod) && isReady(pod));
  await runCronJob(bed);
  expect(await gate()).toBe('false');
  const plugin = await untilPodOf(bed, 'the plugin runs', (pod) => isPlugin(pod) && isNext(pod) && isReady(pod));
  expect(pluginLog(plugin)).not.toContain(WITHOUT_DRIVER);
});

it('after a reboot the plugin starts before the driver, and a run of the companion replaces it', async () => {
  const before = await untilPodOf(bed, 'the plugin runs', (pod) => isPlugin(pod) && isReady(pod));
  await holdDriver(nodeOne());
  await nodeOne().powerOff();
  const bootedMs = Date.now();
  await nodeOne().powerOn();
  await untilPodOf(bed, 'the plugin runs again', (pod) => isPlugin(pod) && startedAt(pod) > bootedMs);
  await until('it says that it has no driver', () => pluginLog(before).includes(WITHOUT_DRIVER) || undefined);
  await releaseDriver(nodeOne());
  await untilPodOf(bed, 'the driver is ready', (pod) => isDriver(pod) && startedAt(pod) > bootedMs && isReady(pod));
  await until('the plugin is another one', async () => {
    await runCronJob(bed);
    return (await pluginPods()).some(({ metadata }) => metadata.uid !== before.metadata.uid) || undefined;
  });
  const isNext = ({ metadata }: LiveObject) => metadata.uid !== before.metadata.uid;
  const next = await untilPodOf(bed, 'it runs', (pod) => isPlugin(pod) && isNext(pod) && isReady(pod));
  expect(pluginLog(next)).not.toContain(WITHOUT_DRIVER);
});
