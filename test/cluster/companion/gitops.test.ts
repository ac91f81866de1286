import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { COMPANION_NAMES, driverKeys } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyOrder } from '../bed/apply-order.js';
import { applyAll } from '../bed/apply-set.js';
import { expectSound } from '../upgrade-bed/companion-checks.js';
import { VERSIONS } from '../upgrade-bed/companion-input.js';
import type { StartedContainer } from '../upgrade-bed/companion-kubelet.js';
import { isDriver, NAMESPACE, nodeOf, podsOf } from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import { isFull } from '../bed/test-bed.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

const NODES = 4;
const SLOTS = 2;
/** Long enough that a run is in progress when it is interrupted. */
const LONG_LOAD_MS = 15_000;
const SHORT_LOAD_MS = 200;
const MINUTES = 120;

let bed: UpgradeBed;
let loadMs = SHORT_LOAD_MS;
/** How many containers earlier tests started. */
let before = 0;
/** The node whose new driver never loads. */
let brokenNode = '';

beforeAll(async () => {
  bed = await startUpgradeBed('companion-gitops', {
    nodes: NODES,
    podsPerNode: 2,
    budget: '50%',
    upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: SLOTS, drain: { enable: true, deleteEmptyDir: true } },
    // Once a year, so that only tests start runs of the CronJob.
    companion: { schedule: '0 0 1 1 *' },
    loadMs: () => loadMs,
    behaviour: (pod) =>
      isDriver(pod) && nodeOf(pod) === brokenNode ? { kind: 'crash-loop', restarts: 11 } : { kind: 'ready' },
    runsJobs: true,
  });
});
afterAll(() => bed.stop());
beforeEach(() => void (before = containers().length));
afterEach(() => {
  loadMs = SHORT_LOAD_MS;
  brokenNode = '';
});

const jobOf = (objects: readonly LiveObject[]): string =>
  objects.find(({ kind }) => kind === 'Job')?.metadata.name ?? '';
const isPolicy = ({ metadata }: LiveObject) => metadata.name === COMPANION_NAMES.policyConfigMap;
const containers = (): readonly StartedContainer[] => bed.companionKubelet?.containers() ?? [];
/** Containers that this test started: if a version is applied again, its Job has the same name. */
const containersOf = (job: string): readonly StartedContainer[] =>
  containers()
    .slice(before)
    .filter((one) => one.job === job);
const reasonsOf = (job: string): readonly unknown[] =>
  containersOf(job).map(({ process }) => process.logs().at(-1)?.['reason']);

interface JobStatus {
  readonly failed?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
}

async function statusOf(name: string): Promise<JobStatus | undefined> {
  const metadata = { name, namespace: NAMESPACE };
  return (await bed.controlPlane.client.get({ apiVersion: 'batch/v1', kind: 'Job', metadata }))?.['status'] as
    JobStatus | undefined;
}

/** Waits until the job controller ends a Job; returns its true conditions. */
function ended(name: string): Promise<{ readonly end: string; readonly reason: string; readonly failed: number }> {
  return until(
    `Job ${name} ends`,
    async () => {
      const { conditions = [], failed = 0 } = (await statusOf(name)) ?? {};
      const end = conditions.find(({ type, status }) => ['Complete', 'Failed'].includes(type) && status === 'True');
      return end && { end: end.type, reason: end.reason ?? '', failed };
    },
    MINUTES,
  );
}

/** Waits until every node is done, and checks the audit log. */
async function expectDone(job: string): Promise<void> {
  expect(await ended(job)).toMatchObject({ end: 'Complete' });
  expect(await bed.behind()).toEqual([]);
  expectSound(bed, SLOTS);
}

async function untilCordoned(): Promise<void> {
  await until(
    'a node is cordoned',
    async () => (await bed.behind()).some((line) => line.includes('cordoned')) || undefined,
  );
}

/** Applies the next version and waits until its Job has begun the upgrade; returns the name of the Job. */
async function startUpgrade(): Promise<string> {
  loadMs = LONG_LOAD_MS;
  await bed.nextVersion();
  await untilCordoned();
  return jobOf(bed.rendered());
}

/** Runs `kubectl create job --from=cronjob/weft-companion`. */
async function createCronJobRun(name: string): Promise<string> {
  await bed.controlPlane.kubectl('create', 'job', name, '-n', NAMESPACE, `--from=cronjob/${COMPANION_NAMES.cronJob}`);
  return name;
}

const always = it;
const full = isFull() ? it : it.skip;

describe('as GitOps applies it', () => {
  always.each(['Argo CD', 'Flux'] as const)('in the order of %s', async (tool) => {
    const objects = await bed.render();
    bed.auditFromNow();
    await bed.apply(objects, tool);
    await expectDone(jobOf(objects));
  });

  always('with the policy early: the Job waits for the DaemonSet', async () => {
    const objects = await bed.render();
    bed.auditFromNow();
    const early = applyOrder('Flux', objects).filter(({ kind }) => kind !== 'DaemonSet');
    await applyAll(bed.controlPlane.client, early);
    await until('the Job has decided', () => {
      const [container] = containersOf(jobOf(objects));
      return container?.process.logs().some(({ finding }) => finding === 'daemon-set-not-applied') || undefined;
    });
    expect((await statusOf(jobOf(objects)))?.conditions ?? []).toEqual([]);
    await bed.apply(objects);
    await expectDone(jobOf(objects));
  });

  full('with the policy late: the Job is superseded, and the CronJob does the work', async () => {
    const objects = await bed.render();
    bed.auditFromNow();
    await applyAll(
      bed.controlPlane.client,
      applyOrder(
        'Argo CD',
        objects.filter((object) => !isPolicy(object)),
      ),
    );
    expect(await ended(jobOf(objects))).toMatchObject({ end: 'Complete' });
    expect(reasonsOf(jobOf(objects))).toEqual(['superseded']);
    await bed.apply(objects);
    await expectDone(await createCronJobRun('policy-late'));
  });

  always('a second commit in the middle supersedes the first Job, and the second one does the rest', async () => {
    const first = await startUpgrade();
    const objects = await bed.render();
    // Pruned objects are deleted last.
    await applyAll(bed.controlPlane.client, applyOrder('Flux', objects));
    expect(await ended(first)).toMatchObject({ end: 'Complete', failed: 0 });
    expect(reasonsOf(first)).toEqual(['superseded']);
    loadMs = SHORT_LOAD_MS;
    await bed.apply(objects, 'Flux');
    await expectDone(jobOf(objects));
  });

  full('a revert in the middle: the Job of before runs again', async () => {
    const [version] = VERSIONS;
    const first = await bed.render({ version });
    bed.auditFromNow();
    await bed.apply(first);
    await expectDone(jobOf(first));
    loadMs = LONG_LOAD_MS;
    await bed.apply(await bed.render({ version: VERSIONS[1] }));
    await untilCordoned();
    loadMs = SHORT_LOAD_MS;
    const reverted = await bed.render({ version });
    expect(jobOf(reverted)).toBe(jobOf(first));
    const runs = containersOf(jobOf(first)).length;
    await bed.apply(reverted);
    await expectDone(jobOf(reverted));
    expect(containersOf(jobOf(first))).toHaveLength(runs + 1);
  });

  full('a Job that is pruned while it runs stops, and is finished by the next', async () => {
    const job = await startUpgrade();
    const metadata = { name: job, namespace: NAMESPACE };
    await bed.controlPlane.client.delete({ apiVersion: 'batch/v1', kind: 'Job', metadata });
    expect(await containersOf(job)[0]?.process.ended).toBe(143);
    loadMs = SHORT_LOAD_MS;
    await bed.apply(bed.rendered());
    await expectDone(job);
    expect(reasonsOf(job)).toEqual(['stopped', 'done']);
  });
});

describe('the Job, by the job controller', () => {
  always('outlives an eviction of its pod, which counts as no failure', async () => {
    const job = await startUpgrade();
    const [container] = containersOf(job);
    const metadata = { name: container?.pod ?? '', namespace: NAMESPACE };
    const path = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata.name}/eviction`;
    await bed.controlPlane.client.ask('POST', path, { apiVersion: 'policy/v1', kind: 'Eviction', metadata });
    expect(await container?.process.ended).toBe(143);
    loadMs = SHORT_LOAD_MS;
    await expectDone(job);
    expect(reasonsOf(job)).toEqual(['stopped', 'done']);
    expect((await statusOf(job))?.failed ?? 0).toBe(0);
  });

  full('starts another pod after a crash, which counts', async () => {
    const job = await startUpgrade();
    containersOf(job)[0]?.process.signal('SIGKILL');
    loadMs = SHORT_LOAD_MS;
    await expectDone(job);
    expect((await statusOf(job))?.failed).toBe(1);
    expect(containersOf(job)).toHaveLength(2);
  });

  full('fails at once where nodes failed (10), and the CronJob finishes when they are repaired', async () => {
    brokenNode = 'node-0';
    await bed.nextVersion();
    const job = jobOf(bed.rendered());
    expect(await ended(job)).toEqual({ end: 'Failed', reason: 'PodFailurePolicy', failed: 1 });
    expect(reasonsOf(job)).toEqual(['failed']);
    brokenNode = '';
    const [broken] = (await podsOf(bed.controlPlane.client)).filter((pod) => isDriver(pod) && nodeOf(pod) === 'node-0');
    if (broken === undefined) throw new Error('node-0 has no driver pod');
    await bed.controlPlane.client.delete({ ...broken, apiVersion: 'v1', kind: 'Pod' });
    await until('the driver of node-0 is new', async () => {
      const pods = (await podsOf(bed.controlPlane.client)).filter((pod) => isDriver(pod) && nodeOf(pod) === 'node-0');
      return pods.some(({ metadata }) => metadata.uid !== broken.metadata.uid) || undefined;
    });
    const labels = { [driverKeys('ofed').state]: 'upgrade-required' };
    await bed.controlPlane.client.ask('PATCH', '/api/v1/nodes/node-0', { metadata: { labels } }, 'merge');
    await expectDone(await createCronJobRun('repaired'));
  });

  full('fails at once where the policy is missing (2)', async () => {
    const policy = bed.rendered().find(isPolicy);
    if (policy === undefined) throw new Error('no policy is rendered');
    await bed.controlPlane.client.delete(policy);
    const job = await createCronJobRun('no-policy');
    expect(await ended(job)).toEqual({ end: 'Failed', reason: 'PodFailurePolicy', failed: 1 });
    expect(reasonsOf(job)).toEqual(['bad-policy']);
    await applyAll(bed.controlPlane.client, [policy]);
  });
});
