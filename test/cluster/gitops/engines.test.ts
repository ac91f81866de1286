import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  COMPANION_COMPONENT,
  COMPANION_NAMES,
  COMPONENT_LABEL,
  driverKeys,
} from '../../../src/shared/contract/labels.js';
import { daemonSetHealth } from '../../../src/compile/gitops/argocd/daemon-set-health.js';
import { deliveryGroup, type DeliveryGroup } from '../../../src/compile/gitops/delivery-group.js';
import { kustomizations } from '../../../src/compile/gitops/flux/kustomizations.js';
import { gitops as gitopsSchema } from '../../../src/compile/model/gitops.js';
import type { LiveObject } from '../bed/api-client.js';
import { label } from '../bed/apply-set.js';
import { KERNEL } from '../upgrade-bed/companion-input.js';
import { isDriver, NAMESPACE, nodeOf, nodesOf, podsOf } from '../simulated/fleet.js';
import { ENGINES, healthBy, syncBy, type Engine, type Health } from './tools.js';
import { until } from '../bed/guarded-process.js';
import { loadSafely } from '../simulated/safe-load.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';

/**
 * What `weft synth` writes for Argo CD and Flux is applied by their engines, with the companion running. Checked are the objects
 * after each commit, and their health according to the controllers at each step.
 */
const LONG_LOAD_MS = 12_000;
const SHORT_LOAD_MS = 200;
const MINUTES = 120;
const NODES = 3;
const POLICY = {
  ...{ autoUpgrade: true, maxParallelUpgrades: 2 },
  drain: { enable: true, deleteEmptyDir: true },
};

const SETTINGS: Readonly<Record<Engine, object>> = {
  argocd: { argocd: { repoURL: 'https://git.example.com/network.git' } },
  flux: { flux: {} },
};

/** The script for DaemonSets, as the layout has it. */
const SCRIPT = Object.values(daemonSetHealth('argocd')['data'] as Readonly<Record<string, string>>)[0] ?? '';

/** The expressions of the Kustomization of a group, as the layout has it. */
function expressions(group: DeliveryGroup = 'components'): string {
  const flux = gitopsSchema.parse({ flux: {} }).flux;
  if (flux === undefined) throw new Error('there are no settings');
  const [one] = kustomizations(flux, 'east', new Set<DeliveryGroup>([group]));
  return JSON.stringify((one?.['spec'] as { readonly healthCheckExprs: unknown }).healthCheckExprs);
}

const groupOf = (object: LiveObject): DeliveryGroup =>
  deliveryGroup({ folder: object.metadata.labels?.[COMPONENT_LABEL] ?? '', object });
const isJob = ({ kind }: LiveObject) => kind === 'Job';
const jobOf = (objects: readonly LiveObject[]) => objects.find(isJob)?.metadata.name ?? '';

describe.each(ENGINES)('%s', (engine) => {
  let bed: UpgradeBed;
  let loadMs = SHORT_LOAD_MS;
  let brokenNode = '';
  /** Whether drivers wait until the companion lets them load. */
  let asksForSafeLoad = false;
  let isOver = false;
  /** What the last sync had. */
  let synced: readonly LiveObject[] = [];

  beforeAll(async () => {
    bed = await startUpgradeBed(`gitops-${engine}`, {
      nodes: NODES,
      podsPerNode: 1,
      budget: '50%',
      upgradePolicy: POLICY,
      companion: { schedule: '0 0 1 1 *' },
      gitops: SETTINGS[engine],
      loadMs: () => loadMs,
      behaviour: (pod) =>
        isDriver(pod) && nodeOf(pod) === brokenNode ? { kind: 'crash-loop', restarts: 11 } : { kind: 'ready' },
      initialized: async (pod) => {
        if (asksForSafeLoad && isDriver(pod)) await loadSafely(bed.controlPlane.client, nodeOf(pod), () => isOver);
      },
      runsJobs: true,
    });
  });
  afterAll(async () => {
    isOver = true;
    await bed.stop();
  });
  afterEach(() => {
    loadMs = SHORT_LOAD_MS;
    brokenNode = '';
    asksForSafeLoad = false;
  });

  /** One commit: Argo CD has one Application, Flux a Kustomization for each group, of which the last two are independent. */
  async function sync(objects: readonly LiveObject[]): Promise<void> {
    const before = synced;
    synced = objects;
    if (engine === 'argocd') {
      await syncBy(engine, bed.controlPlane, objects, before);
      return;
    }
    for (const group of ['crds', 'base', 'companion', 'components'] as const) {
      const inGroup = (object: LiveObject) => groupOf(object) === group;
      await syncBy(engine, bed.controlPlane, objects.filter(inGroup), before.filter(inGroup));
    }
  }

  const health = (settings = engine === 'argocd' ? SCRIPT : expressions()) =>
    healthBy(engine, bed.controlPlane, synced, settings);
  const GOOD = engine === 'argocd' ? 'Healthy' : 'Current';
  const BUSY = engine === 'argocd' ? 'Progressing' : 'InProgress';
  const BAD = engine === 'argocd' ? 'Degraded' : 'Failed';
  const notGood = async () => (await health()).filter(({ status }) => status !== GOOD);
  const of = (all: readonly Health[], object: string) => all.find((one) => one.object === object)?.status;

  async function jobs(): Promise<readonly string[]> {
    const selector = encodeURIComponent(`${COMPONENT_LABEL}=${COMPANION_COMPONENT}`);
    const path = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs?labelSelector=${selector}`;
    const all = await bed.controlPlane.client.list(path);
    return all.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name);
  }

  const versions = async () =>
    new Map(
      await Promise.all(
        synced.map(async (object) => {
          const live = await bed.controlPlane.client.get(object);
          // The status of a workload changes by itself.
          return [
            label(object),
            `${live?.metadata.uid ?? ''} ${String(live?.metadata.generation ?? live?.metadata.resourceVersion)}`,
          ] as const;
        }),
      ),
    );

  async function untilGood(): Promise<void> {
    await until(
      'all is healthy',
      async () => {
        const left = await notGood();
        if (left.length === 0) return true;
        throw new Error(JSON.stringify(left));
      },
      MINUTES,
    );
    expect(await bed.behind()).toEqual([]);
  }

  async function untilCordoned(): Promise<void> {
    await until(
      'a node is cordoned',
      async () => (await bed.behind()).some((line) => line.includes('cordoned')) || undefined,
    );
  }

  it('a first sync is healthy in the end, and a second one changes nothing', async () => {
    await sync(bed.rendered());
    await untilGood();
    const before = await versions();
    expect(await jobs()).toEqual([jobOf(synced)]);
    await sync(synced);
    expect(await versions()).toEqual(before);
    expect(await jobs()).toEqual([jobOf(synced)]);
  });

  it('a new version: one new Job, the health follows the nodes, and a second commit and its revert are applied meanwhile', async () => {
    const first = jobOf(synced);
    loadMs = LONG_LOAD_MS;
    const next = await bed.render();
    const driver = driverOf(next);
    const daemonSet = `DaemonSet ${driver.metadata.name}`;
    await sync(next);
    const job = jobOf(next);
    expect(job).not.toBe(first);
    await untilCordoned();
    await until('the old Job is gone', async () => ((await jobs()).join() === job ? true : undefined));
    const during = await health();
    expect(of(during, `Job ${job}`)).toBe(BUSY);
    // The Kustomization of the companion is Ready while the Job runs.
    if (engine === 'flux') expect(of(await health(expressions('companion')), `Job ${job}`)).toBe(GOOD);
    // Without the script Argo CD reports a driver as Healthy, and without the expressions Flux would wait for it.
    expect(of(during, daemonSet)).toBe(engine === 'argocd' ? BUSY : GOOD);
    expect(of(await health(engine === 'argocd' ? '' : '[]'), daemonSet)).toBe(engine === 'argocd' ? GOOD : BUSY);

    // A pause is another commit: the running Job is pruned, and the new one has nothing to do.
    const version = versionOf(driver);
    const paused = await bed.render({ version, upgrade: { paused: true } });
    expect(jobOf(paused)).not.toBe(job);
    await sync(paused);
    await until('the Job of the pause ends', async () =>
      of(await health(), `Job ${jobOf(paused)}`) === GOOD ? true : undefined,
    );
    expect(await jobs()).toEqual([jobOf(paused)]);

    loadMs = SHORT_LOAD_MS;
    await sync(next);
    await untilGood();
    expect(await jobs()).toEqual([job]);
  });

  it('a failed node: the health is bad, and good again after the repair without a new commit', async () => {
    brokenNode = 'node-0';
    await sync(await bed.render());
    const job = `Job ${jobOf(synced)}`;
    await until('the Job fails', async () => (of(await health(), job) === BAD ? true : undefined), MINUTES);
    if (engine === 'flux') expect(of(await health(expressions('companion')), job)).toBe(BAD);
    brokenNode = '';
    await repair('node-0');
    await runCronJob('repaired');
    expect(await bed.behind()).toEqual([]);
    await until('the failed Job is gone', async () => ((await jobs()).includes(jobOf(synced)) ? undefined : true));
    // The next reconciliation of the controller, with the same commit, creates it again.
    await sync(synced);
    await untilGood();
    expect(await jobs()).toEqual([jobOf(synced)]);
  });

  it('another kernel: the new driver DaemonSet comes, and the old one keeps its pods until they are moved', async () => {
    const before = await driverPods();
    const old = driverOf(synced);
    const version = versionOf(old);
    await sync(await bed.render({ version, isPinned: false, upgrade: { paused: true } }));
    expect(synced.map(label)).not.toContain(label(old));
    expect(await bed.controlPlane.client.get(old)).toBeDefined();
    expect(await driverPods()).toEqual(expect.arrayContaining([...before]));
    await sync(await bed.render({ version, isPinned: false }));
    await untilGood();
    expect(await bed.controlPlane.client.get(old)).toBeUndefined();
  });

  it('with one node dead, and safe load on a new node: nothing waits for them but the CronJob', async () => {
    const upgradePolicy = { ...POLICY, safeLoad: true };
    asksForSafeLoad = true;
    await bed.kubelets.stopReporting('node-2');
    await sync(await bed.render({ upgradePolicy, isPinned: false }));
    const job = jobOf(synced);
    await untilHealth(`Job ${job}`, GOOD);
    expect((await bed.behind()).map((line) => line.split(':')[0])).toEqual(['node-2']);
    // No sync waits for the node: another commit is applied, and its run ends as well.
    const version = versionOf(driverOf(synced));
    await sync(await bed.render({ version, upgradePolicy, isPinned: false, upgrade: { failureBudget: 2 } }));
    expect(jobOf(synced)).not.toBe(job);
    await untilHealth(`Job ${jobOf(synced)}`, GOOD);

    const newNode = `node-${NODES}`;
    const pool = { name: 'node', os: 'ubuntu', osVersion: '24.04', kernel: KERNEL, count: NODES + 1 };
    for (const node of nodesOf(pool).slice(NODES)) await bed.kubelets.addNode(node);
    await until('the driver of the new node waits', async () => {
      const node = await bed.controlPlane.client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name: newNode } });
      return node?.metadata.annotations?.[driverKeys('ofed').safeLoad];
    });
    expect(of(await health(), `Job ${jobOf(synced)}`)).toBe(GOOD);
    await runCronJob('new-node');
    expect((await bed.behind()).map((line) => line.split(':')[0])).toEqual(['node-2']);
    await bed.kubelets.reportAgain('node-2');
    await runCronJob('revived');
    await untilGood();
  });

  it('without the section of the driver: the companion goes, and drivers and their pods stay', async () => {
    const driver = driverOf(synced);
    const pods = await driverPods();
    const gone = synced.filter(({ metadata }) => metadata.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT);
    await sync(await bed.render({ version: versionOf(driver), hasDriver: false }));
    expect(synced.filter((object) => isDriver(object) || isJob(object))).toEqual([]);
    await until('the companion is gone', async () => {
      const left = await Promise.all(gone.map((object) => bed.controlPlane.client.get(object)));
      return left.every((object) => object === undefined) || undefined;
    });
    expect((await bed.controlPlane.client.get(driver))?.metadata.deletionTimestamp).toBeUndefined();
    expect(await driverPods()).toEqual(pods);
    await until('the rest is healthy', async () => ((await notGood()).length === 0 ? true : undefined), MINUTES);
  });

  const driverPods = async () =>
    (await podsOf(bed.controlPlane.client))
      .filter(isDriver)
      .map(({ metadata }) => metadata.uid ?? '')
      .sort();

  const untilHealth = (object: string, status: string) =>
    until(`${object} is ${status}`, async () => (of(await health(), object) === status ? true : undefined), MINUTES);

  async function repair(node: string): Promise<void> {
    const ofNode = async () =>
      (await podsOf(bed.controlPlane.client)).filter((pod) => isDriver(pod) && nodeOf(pod) === node);
    const [broken] = await ofNode();
    if (broken === undefined) throw new Error(`${node} has no driver pod`);
    await bed.controlPlane.client.delete({ ...broken, apiVersion: 'v1', kind: 'Pod' });
    await until(
      'the driver is new',
      async () => (await ofNode()).some(({ metadata }) => metadata.uid !== broken.metadata.uid) || undefined,
    );
    const labels = { [driverKeys('ofed').state]: 'upgrade-required' };
    await bed.controlPlane.client.ask('PATCH', `/api/v1/nodes/${node}`, { metadata: { labels } }, 'merge');
  }

  /** Runs the CronJob to its end. */
  async function runCronJob(name: string): Promise<void> {
    const from = `--from=cronjob/${COMPANION_NAMES.cronJob}`;
    await bed.controlPlane.kubectl('create', 'job', name, '-n', NAMESPACE, from);
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace: NAMESPACE } };
    await until(
      `${name} ends`,
      async () => {
        const { succeeded = 0 } = ((await bed.controlPlane.client.get(job))?.['status'] ?? {}) as {
          succeeded?: number;
        };
        return succeeded > 0 || undefined;
      },
      MINUTES,
    );
    await bed.controlPlane.client.delete(job);
  }
});

function driverOf(objects: readonly LiveObject[]): LiveObject {
  const driver = objects.find((object) => object.kind === 'DaemonSet' && isDriver(object));
  if (driver === undefined) throw new Error('no driver DaemonSet is rendered');
  return driver;
}

/** Version of the driver that a DaemonSet installs. */
function versionOf(daemonSet: LiveObject): string {
  const { template } = daemonSet['spec'] as {
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
  const [, version = ''] = /:(doca[^-]+-[^-]+-[\d.]+-\d+)/.exec(template.spec.containers[0]?.image ?? '') ?? [];
  if (version === '') throw new Error(`no version in ${template.spec.containers[0]?.image ?? ''}`);
  return version;
}
