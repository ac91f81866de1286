import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../src/shared/contract/labels.js';
import { expectDone, expectSound, runCronJob } from '../upgrade-bed/companion-checks.js';
import { KERNEL, VERSIONS, type BedInput } from '../upgrade-bed/companion-input.js';
import {
  daemonSetsOf,
  isDriver,
  isReady,
  KERNEL_LABEL,
  NAMESPACE,
  nodeOf,
  ownerOf,
  podsOf,
} from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import { startUpgradeBed, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';
import { weftIn } from '../bed/weft-command.js';

const NODES = 3;
const SLOTS = 2;
const NEW_KERNEL = '6.8.0-45-generic';
const ALL = Array.from({ length: NODES }, (_, index) => `node-${index}`);

let bed: UpgradeBed;
beforeAll(async () => {
  bed = await startUpgradeBed('companion-retired', {
    nodes: NODES,
    podsPerNode: 2,
    budget: '50%',
    isPinned: false,
    upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: SLOTS, drain: { enable: true, deleteEmptyDir: true } },
  });
});
afterAll(() => bed.stop());
beforeEach(() => bed.auditFromNow());

/** Another commit with the same driver version, for one kernel unless the change says otherwise. */
const apply = (change: Partial<BedInput>) => bed.nextVersion({ version: VERSIONS[0], isPinned: true, ...change });

async function commit(change: Partial<BedInput>): Promise<void> {
  await apply(change);
  await expectDone(bed, await bed.start());
}

async function driverSets(): Promise<readonly string[]> {
  const all = await daemonSetsOf(bed.controlPlane.client);
  return all.filter(isDriver).map(({ metadata }) => metadata.name);
}

const renderedSets = () =>
  bed.rendered().flatMap((object) => (object.kind === 'DaemonSet' && isDriver(object) ? [object.metadata.name] : []));

async function driverPods(): Promise<Readonly<Record<string, string>>> {
  const pods = (await podsOf(bed.controlPlane.client)).filter(
    (pod) => isDriver(pod) && isReady(pod) && pod.metadata.deletionTimestamp === undefined,
  );
  return Object.fromEntries(pods.map((pod) => [nodeOf(pod), ownerOf(pod)]));
}

/** A node reboots with another kernel: Node Feature Discovery labels it, and its pods restart. */
async function bootInto(kernel: string, name: string): Promise<void> {
  const metadata = { labels: { [KERNEL_LABEL]: kernel } };
  await bed.controlPlane.client.ask('PATCH', `/api/v1/nodes/${name}`, { metadata }, 'merge');
  await bed.kubelets.reboot(name);
}

describe('another driver DaemonSet', () => {
  it('with another name takes over the nodes of the old one, each drained once', async () => {
    const [old] = await driverSets();
    await commit({});
    expect(await driverSets()).toEqual(renderedSets());
    expect(await driverSets()).not.toContain(old);
    expect(await driverPods()).toEqual(Object.fromEntries(ALL.map((node) => [node, renderedSets()[0]])));
    const { cordons } = expectSound(bed, SLOTS);
    expect(cordons).toEqual(Object.fromEntries(ALL.map((node) => [node, 1])));
  });

  it('is missing where a node starts with a kernel that no pool has: `status` names the node', async () => {
    await bootInto(NEW_KERNEL, 'node-0');
    await until('its driver pod is gone', async () =>
      Object.keys(await driverPods()).includes('node-0') ? undefined : true,
    );
    await runCronJob(bed);
    const { stdout } = await weftIn(bed.controlPlane, 'upgrade', 'status', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ uncovered: ['node-0'] });
    expect(expectSound(bed, 0).cordons).toEqual({});
  });

  it('for one more kernel drains no node, whether it has that kernel by now or gets it later', async () => {
    await apply({ kernels: [KERNEL, NEW_KERNEL] });
    await until('node-0 has a driver', async () =>
      Object.keys(await driverPods()).includes('node-0') ? true : undefined,
    );
    await expectDone(bed, await bed.start());
    for (const name of ALL.slice(1)) {
      await bootInto(NEW_KERNEL, name);
      await until(`${name} has a driver for its kernel`, async () => {
        const pods = await driverPods();
        return pods[name] === pods['node-0'] ? true : undefined;
      });
    }
    await runCronJob(bed);
    expect(await bed.behind()).toEqual([]);
    expect(expectSound(bed, 0).cordons).toEqual({});
  });

  it('for a kernel that no node has any more is retired without a drain', async () => {
    expect(await driverSets()).toHaveLength(2);
    await commit({ kernels: [NEW_KERNEL] });
    expect(await driverSets()).toEqual(renderedSets());
    expect(expectSound(bed, 0)).toMatchObject({ cordons: {}, evictions: 0 });
  });
});

/** The objects that the companion needs to run, by kind and name. */
async function companionObjects(): Promise<readonly string[]> {
  const own = `/namespaces/${NAMESPACE}`;
  const collections = [
    ...[`/api/v1${own}/configmaps`, `/api/v1${own}/serviceaccounts`, `/apis/batch/v1${own}/cronjobs`],
    ...['roles', 'rolebindings'].map((plural) => `/apis/rbac.authorization.k8s.io/v1${own}/${plural}`),
    ...['clusterroles', 'clusterrolebindings'].map((plural) => `/apis/rbac.authorization.k8s.io/v1/${plural}`),
  ];
  const selector = encodeURIComponent(`${COMPONENT_LABEL}=${COMPANION_COMPONENT}`);
  const found = await Promise.all(
    collections.map((path) => bed.controlPlane.client.list(`${path}?labelSelector=${selector}`)),
  );
  return found.flatMap((items, index) => items.map(({ metadata }) => `${collections[index] ?? ''}/${metadata.name}`));
}

describe('driver.uninstall', () => {
  const uninstall = { kernels: [NEW_KERNEL], driver: { uninstall: true } } as const;

  it('takes the driver off each node, drained and within the budget', async () => {
    await apply(uninstall);
    expect(renderedSets()).toEqual([]);
    expect(await (await bed.start()).ended).toBe(0);
    expect(await driverSets()).toEqual([]);
    expect((await podsOf(bed.controlPlane.client)).filter(isDriver)).toEqual([]);
    const { cordons, spans } = expectSound(bed, SLOTS);
    expect(cordons).toEqual(Object.fromEntries(ALL.map((node) => [node, 1])));
    expect(spans).toHaveLength(NODES);
  });

  it('leaves the rest running, and nothing to do for the next run', async () => {
    await runCronJob(bed);
    expect(expectSound(bed, 0).cordons).toEqual({});
    expect(await daemonSetsOf(bed.controlPlane.client)).toHaveLength(1);
    expect((await weftIn(bed.controlPlane, 'upgrade', 'status')).exit).toBe(0);
  });

  it('ends with the section: the companion goes, but for the status that it wrote', async () => {
    expect(await companionObjects()).not.toEqual([]);
    await apply({ ...uninstall, hasDriver: false });
    expect(await companionObjects()).toEqual([expect.stringMatching(/\/configmaps\/weft-companion-status$/)]);
    expect((await podsOf(bed.controlPlane.client)).filter(isDriver)).toEqual([]);
  });
});
