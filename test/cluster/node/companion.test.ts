import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyOrder } from '../bed/apply-order.js';
import { applyAll } from '../bed/apply-set.js';
import { until } from '../bed/guarded-process.js';
import { folderOf } from '../bed/test-bed.js';
import { companionImage } from '../node-bed/companion-image.js';
import { untilComplete } from '../node-bed/companion-runs.js';
import { applyRendered, DRIVER_NODE_LABELS, driverImages, isDriver, renderDriver } from '../node-bed/driver-node.js';
import { SHELL_IMAGE, startNodeBed, type ContainerStatus, type NodeBed, type PodStatus } from '../node-bed/node-bed.js';
import type { RealNode } from '../node-bed/node.js';
import { isCordoned, isReady, NAMESPACE, nodeOf } from '../simulated/fleet.js';
import { VERSIONS } from '../upgrade-bed/companion-input.js';

const KEYS = driverKeys('ofed');
const UPGRADE_POLICY = { autoUpgrade: true, maxParallelUpgrades: 1, drain: { enable: true, deleteEmptyDir: true } };
const MIB = 2 ** 20;
/** No run of the CronJob starts during the other tests. */
const NEVER = '0 0 1 1 *';

let bed: NodeBed;

/** What git has for a version: a driver that takes a while, and its companion. */
function render(version: string, schedule = NEVER): Promise<readonly LiveObject[]> {
  return renderDriver(folderOf('companion-input'), {
    ...{ version, load: '12s', ofedDriver: { upgradePolicy: UPGRADE_POLICY } },
    cluster: { companion: { schedule }, upgrade: { prePull: true } },
  });
}

beforeAll(async () => {
  mkdirSync(folderOf('companion-input'), { recursive: true });
  const objects = await render(VERSIONS[0]);
  const images = { ...driverImages(objects, VERSIONS), companion: companionImage(objects) };
  bed = await startNodeBed('companion-real', { count: 2, labels: DRIVER_NODE_LABELS, images });
  await applyRendered(bed, objects);
  await createWorkload();
  await until('both drivers are ready', async () => (await readyDrivers(VERSIONS[0])).length === 2 || undefined);
});
afterAll(() => bed.stop());

async function createWorkload(): Promise<void> {
  const { client } = bed.controlPlane;
  const labels = { app: 'web' };
  const selector = { matchLabels: labels };
  const securityContext = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } };
  const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const container = { name: 'web', image: SHELL_IMAGE, securityContext: restricted };
  const spec = { terminationGracePeriodSeconds: 1, securityContext, containers: [container] };
  const metadata = { name: 'web', namespace: 'default' };
  await client.create({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata },
    spec: { replicas: 2, selector, template: { metadata: { labels }, spec } },
  });
  await client.create({
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata },
    spec: { maxUnavailable: 1, selector },
  });
}

const imageOf = (pod: LiveObject) =>
  (pod['spec'] as { readonly containers: readonly { image: string }[] }).containers[0]?.image ?? '';
const statusOf = (pod: LiveObject) => pod['status'] as PodStatus;
const podsOfNamespace = () => bed.controlPlane.client.list(`/api/v1/namespaces/${NAMESPACE}/pods`);
const readyDrivers = async (version: string) =>
  (await podsOfNamespace()).filter((pod) => isDriver(pod) && isReady(pod) && imageOf(pod).includes(version));

/** Applies a version as Argo CD does; returns the name of its Job. */
async function applyVersion(version: string): Promise<string> {
  const objects = await render(version);
  const { problems } = await applyAll(bed.controlPlane.client, applyOrder('Argo CD', objects));
  expect(problems).toEqual([]);
  return objects.find(({ kind }) => kind === 'Job')?.metadata.name ?? '';
}

/** The pods of a Job, the oldest first. */
async function podsOfJob(job: string): Promise<readonly LiveObject[]> {
  const pods = (await podsOfNamespace()).filter(({ metadata }) => metadata.labels?.['job-name'] === job);
  const created = ({ metadata }: LiveObject) => metadata.creationTimestamp ?? '';
  return [...pods].sort((a, b) => created(a).localeCompare(created(b)));
}

const companionOf = (pod: LiveObject): ContainerStatus | undefined => statusOf(pod).containerStatuses?.[0];

/** The pod of a Job that runs now. */
function untilRuns(job: string, what: string): Promise<LiveObject> {
  return until(`${what} runs`, async () =>
    (await podsOfJob(job)).find((pod) => companionOf(pod)?.state.running && !pod.metadata.deletionTimestamp),
  );
}

/** How the container of a pod ended, whether or not the pod is still there. */
function untilEnded(pod: LiveObject): Promise<{ readonly exitCode: number; readonly reason: string } | 'deleted'> {
  return until(`${pod.metadata.name} has ended`, async () => {
    const live = await bed.controlPlane.client.get({ ...pod, apiVersion: 'v1', kind: 'Pod' });
    return live === undefined ? 'deleted' : companionOf(live)?.state.terminated;
  });
}

const nodesNow = () => bed.controlPlane.client.list('/api/v1/nodes');
const stateOf = ({ metadata }: LiveObject) => metadata.labels?.[KEYS.state] ?? '';

async function expectUpgraded(version: string): Promise<void> {
  const seen = (await nodesNow()).map((node) => [stateOf(node), isCordoned(node)]);
  expect(seen).toEqual([
    ['upgrade-done', false],
    ['upgrade-done', false],
  ]);
  expect(await readyDrivers(version)).toHaveLength(2);
}

/** When nodes left the state in which their driver is restarted. */
function watchDone(): { readonly atMs: ReadonlyMap<string, number>; readonly stop: () => void } {
  const atMs = new Map<string, number>();
  const restarting = new Set<string>();
  const stop = bed.controlPlane.client.watch('/api/v1/nodes', (_type, node) => {
    const { name } = node.metadata;
    if (stateOf(node) === 'pod-restart-required') restarting.add(name);
    else if (restarting.delete(name)) atMs.set(name, Date.now());
  });
  return { atMs, stop };
}

function machineOf(pod: LiveObject): RealNode {
  const node = bed.nodes.find(({ name }) => name === nodeOf(pod));
  if (node === undefined) throw new Error(`${pod.metadata.name} is on no node`);
  return node;
}
const nameOf = ({ metadata: { name } }: LiveObject) => ({ namespace: NAMESPACE, name });

it('upgrades both nodes from a change in git, and its image is pulled before', async () => {
  const done = watchDone();
  const job = await applyVersion(VERSIONS[1]);
  await untilComplete(bed, job);
  await expectUpgraded(VERSIONS[1]);
  done.stop();
  // What the companion calls ready, the kubelet called so before.
  for (const driver of await readyDrivers(VERSIONS[1])) {
    const ready = statusOf(driver).conditions?.find(({ type }) => type === 'Ready');
    expect(done.atMs.get(nodeOf(driver))).toBeGreaterThanOrEqual(Date.parse(ready?.lastTransitionTime ?? ''));
  }
  const [pod, ...more] = await podsOfJob(job);
  expect(more).toEqual([]);
  expect(pod && companionOf(pod)?.state.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  await until('both nodes have pulled the image', async () => {
    const prePulled = (await podsOfNamespace()).filter(({ metadata }) => metadata.name.includes('pre-pull'));
    return prePulled.filter((one) => isReady(one) && imageOf(one).includes(VERSIONS[1])).length === 2 || undefined;
  });
});

it('goes on after its memory limit, an eviction and a reboot of its node', async () => {
  const job = await applyVersion(VERSIONS[2]);
  const first = await untilRuns(job, 'the first pod');
  await until('a node is cordoned', async () => (await nodesNow()).find(isCordoned));
  await expectConfined(first);
  await exceedMemory(first);
  expect(await untilEnded(first)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });

  const second = await untilRuns(job, 'the second pod');
  const { name, namespace } = nameOf(second);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  await bed.controlPlane.client.ask('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction);
  await untilEnded(second);

  const third = await untilRuns(job, 'the third pod');
  const machine = machineOf(third);
  await machine.powerOff();
  await machine.powerOn();
  await untilComplete(bed, job);
  await expectUpgraded(VERSIONS[2]);
  const pods = await podsOfJob(job);
  expect(pods.length).toBeGreaterThanOrEqual(3);
  expect(pods.map((pod) => companionOf(pod)?.state.terminated?.exitCode).at(-1)).toBe(0);
});

/** Shell of a machine that runs one companion: its process, and the folder of its control group. */
const FIND = `for at in /proc/[0-9]*; do
  if tr '\\0' ' ' < $at/cmdline 2> /dev/null | grep -q '^node /weft/'; then companion=$at; fi
done
group=$(sed -n 's/^[0-9]*:memory://p' $companion/cgroup)
if [ -n "$group" ]; then group=/sys/fs/cgroup/memory$group; else group=/sys/fs/cgroup$(sed -n 's/^0:://p' $companion/cgroup); fi
`;

/** User, rights, memory limit and file system are those of the rendered container. */
async function expectConfined(pod: LiveObject): Promise<void> {
  const run = (command: string) => machineOf(pod).run('sh', '-c', `${FIND}${command}`);
  expect(await run('grep -E "^(Uid|CapEff|NoNewPrivs|Seccomp):" $companion/status')).toBe(
    'Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n',
  );
  const limit = await run('cat $group/memory.limit_in_bytes 2> /dev/null || cat $group/memory.max');
  expect(Number(limit)).toBe(512 * MIB);
  expect(await run("grep -c ' / / ro,' $companion/mountinfo")).toBe('1\n');
}

/** Another process in the container's control group takes more than the limit. The kernel ends the companion first, by its score. */
async function exceedMemory(pod: LiveObject): Promise<void> {
  const fill = "exec node -e 'const taken = []; for (;;) taken.push(Buffer.alloc(16 << 20, 1));'";
  const run = machineOf(pod).run('sh', '-c', `${FIND}echo $$ > $group/cgroup.procs; ${fill}`);
  await expect(run).rejects.toThrow();
}

it('the CronJob starts a run at its time', async () => {
  const { client } = bed.controlPlane;
  const schedule = async (when: string) => {
    const cronJobs = (await render(VERSIONS[2], when)).filter(({ kind }) => kind === 'CronJob');
    expect((await applyAll(client, cronJobs)).problems).toEqual([]);
    return cronJobs;
  };
  const [cronJob] = await schedule('* * * * *');
  expect(cronJob?.['spec']).toMatchObject({ concurrencyPolicy: 'Forbid' });
  const job = await until('the CronJob starts a Job', async () =>
    (await client.list(`/apis/batch/v1/namespaces/${NAMESPACE}/jobs`)).find(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind }) => kind === 'CronJob'),
    ),
  );
  await schedule(NEVER);
  await untilComplete(bed, job.metadata.name);
  const [pod] = await podsOfJob(job.metadata.name);
  expect(pod && companionOf(pod)?.state.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
});

interface WithTemplate {
  readonly template: { readonly metadata: object; readonly spec: object };
}

function templateOf({ kind, spec }: LiveObject): WithTemplate['template'] {
  if (kind === 'CronJob')
    return (spec as { readonly jobTemplate: { readonly spec: WithTemplate } }).jobTemplate.spec.template;
  return (spec as WithTemplate).template;
}

it('its pods pass where restricted pod security is enforced, and those of drivers do not', async () => {
  const { client } = bed.controlPlane;
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'restricted', labels } });
  const objects = await render(VERSIONS[2]);
  const answers = await Promise.all(
    objects
      .filter(({ kind }) => ['Job', 'CronJob', 'DaemonSet'].includes(kind))
      .map(async (object) => {
        const { spec, metadata } = templateOf(object);
        const pod = { metadata: { ...metadata, name: 'one' }, spec: { ...spec, serviceAccountName: 'default' } };
        const path = '/api/v1/namespaces/restricted/pods?dryRun=All';
        const { status } = await client.send('POST', path, { apiVersion: 'v1', kind: 'Pod', ...pod });
        return [object.metadata.name.replace(/-[0-9a-f]{10}$/, ''), status];
      }),
  );
  expect(Object.fromEntries(answers)).toEqual({
    'weft-companion': 201,
    'mofed-ubuntu24.04-d57dd4984-ds': 403,
    'mofed-ubuntu24.04-d57dd4984-ds-pre-pull': 201,
    'rdma-shared-dp-ds': 403,
  });
});
